import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { meet } from '../../machines/feasibility/meet.ts';
import { emptyPermissions } from '../../machines/permissions/permissionSet.ts';
import { subset } from '../../machines/permissions/subset.ts';
import type { PermissionSet } from '../../schemas/permissions.ts';

const some = (...pool: readonly string[]): fc.Arbitrary<string[]> => fc.subarray([...pool]);
const scopes = some('**', 'src/**', 'src/*', 'src/a/**', 'src/a/b.ts', 'src/.env', 'docs/**', '../x');

const permissionSets: fc.Arbitrary<PermissionSet> = fc.record({
  repository: fc.record({ read: scopes, write: scopes, delete: scopes }),
  shell: fc.record({ inspect: fc.boolean(), executeAllowlist: some('npm test', 'npm run lint', '**') }),
  runtime: fc.record({ inspect: some('local', 'remote'), restart: some('local') }),
  browser: fc.record({ inspect: fc.boolean(), mutateState: fc.boolean() }),
  network: fc.record({
    readDomains: some('example.org', 'EXAMPLE.org', 'localhost', '*'),
    externalWrite: fc.boolean(),
  }),
  subagents: fc.record({
    spawn: fc.boolean(),
    maximumChildren: fc.integer({ min: 0, max: 4 }),
    maximumDepth: fc.integer({ min: 0, max: 2 }),
  }),
});

const several = fc.array(permissionSets, { minLength: 1, maxLength: 3 });

describe('what several permission sets give together', () => {
  it('is inside each of them', () =>
    fc.assert(
      fc.property(several, (sets) => {
        for (const set of sets) expect(subset(meet(sets), set)).toBe(true);
      }),
    ));

  const alone = (
    scopesOf: readonly string[],
    commands: readonly string[],
    hosts: readonly string[],
  ): PermissionSet => ({
    ...emptyPermissions(),
    repository: { read: [], write: [...scopesOf], delete: [] },
    shell: { inspect: false, executeAllowlist: [...commands] },
    network: { readDomains: [...hosts], externalWrite: false },
  });
  const singles = fc.constantFrom(
    ...['**', 'src/**', 'src/*', 'src/a/**', 'src/a/b.ts', 'docs/x.md'].map((scope) => alone([scope], [], [])),
    alone([], ['npm test'], []),
    alone([], [], ['Example.ORG']),
    alone([], [], ['localhost']),
  );

  it('gives everything that each of them gives', () => {
    let common = 0;
    fc.assert(
      fc.property(several, singles, (sets, single) => {
        const isCommon = sets.every((set) => subset(single, set));
        if (isCommon) common += 1;
        expect(subset(single, meet(sets))).toBe(isCommon);
      }),
      { numRuns: 1000 },
    );
    expect(common).toBeGreaterThan(50);
  });

  it('is empty for no set at all', () => expect(meet([])).toEqual(emptyPermissions()));

  it('keeps the innermost scope and the smaller counts', () => {
    const wide = { ...emptyPermissions(), repository: { read: ['**'], write: ['src/**'], delete: [] } };
    const narrow = {
      ...emptyPermissions(),
      repository: { read: ['docs/**'], write: ['src/a.ts', 'lib/b.ts'], delete: ['**'] },
      subagents: { spawn: true, maximumChildren: 3, maximumDepth: 1 },
    };
    expect(meet([wide, narrow])).toEqual({
      ...emptyPermissions(),
      repository: { read: ['docs/**'], write: ['src/a.ts'], delete: [] },
    });
  });
});
