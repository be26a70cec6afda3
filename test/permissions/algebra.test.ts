import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decideTarget } from '../../machines/permissions/decideTarget.ts';
import { effectivePermissions, modeCeiling, reaches } from '../../machines/permissions/modes.ts';
import {
  capabilitiesOf,
  covers,
  deniedSet,
  emptyPermissions,
  grantedSet,
  mentions,
} from '../../machines/permissions/permissionSet.ts';
import { protection } from '../../machines/permissions/protectedPath.ts';
import { isScope, scopeCovers, scopeMatches } from '../../machines/permissions/scope.ts';
import { excesses, firstExcess, subset } from '../../machines/permissions/subset.ts';
import { PermissionSet } from '../../schemas/permissions.ts';
import { actionCapabilities, intentModes } from '../../schemas/vocabulary.ts';

const scopes = [
  '**',
  'src/**',
  'src/*',
  'src/*.ts',
  'src/a.ts',
  'src/?.ts',
  'src/lib/**',
  'src/lib/*',
  'src/lib/x.ts',
  'src/.hidden/**',
  'src/.hidden/x',
  'src/*/**',
  'src/*/x.ts',
  'docs/**',
  '.env',
  '.github/**',
  'src/[id].ts',
];
const paths = [
  '.',
  'src',
  'src/a.ts',
  'src/b.ts',
  'src/[id].ts',
  'src/lib/x.ts',
  'src/lib/deep/x.ts',
  'src/.hidden/x',
  'src/.hidden',
  'docs/a.md',
  '.github/ci.yml',
  'srcx/a.ts',
];
const commands = ['npm test', 'npm run lint', 'node build.js'];
const names = ['local', 'staging'];
const hosts = ['a.example', 'b.example', '127.0.0.1', '::1'];

const some = (pool: readonly string[]): fc.Arbitrary<string[]> => fc.subarray([...pool]);

const permissionSets: fc.Arbitrary<PermissionSet> = fc.record({
  repository: fc.record({ read: some(scopes), write: some(scopes), delete: some(scopes) }),
  shell: fc.record({ inspect: fc.boolean(), executeAllowlist: some(commands) }),
  runtime: fc.record({ inspect: some(names), restart: some(names) }),
  browser: fc.record({ inspect: fc.boolean(), mutateState: fc.boolean() }),
  network: fc.record({ readDomains: some(hosts), externalWrite: fc.boolean() }),
  subagents: fc.record({
    spawn: fc.boolean(),
    maximumChildren: fc.integer({ min: 0, max: 4 }),
    maximumDepth: fc.integer({ min: 0, max: 2 }),
  }),
});

/** A set that asks for nothing beyond `allowed`, made of the other one by taking away what exceeds. */
const narrowed = (wanted: PermissionSet, allowed: PermissionSet): PermissionSet => {
  const covered = (list: readonly string[], given: readonly string[]): string[] =>
    list.filter((scope) => given.some((other) => scopeCovers(other, scope)));
  const both = (list: readonly string[], given: readonly string[]): string[] =>
    list.filter((entry) => given.includes(entry));
  return {
    repository: {
      read: covered(wanted.repository.read, allowed.repository.read),
      write: covered(wanted.repository.write, allowed.repository.write),
      delete: covered(wanted.repository.delete, allowed.repository.delete),
    },
    shell: {
      inspect: wanted.shell.inspect && allowed.shell.inspect,
      executeAllowlist: both(wanted.shell.executeAllowlist, allowed.shell.executeAllowlist),
    },
    runtime: {
      inspect: both(wanted.runtime.inspect, allowed.runtime.inspect),
      restart: both(wanted.runtime.restart, allowed.runtime.restart),
    },
    browser: {
      inspect: wanted.browser.inspect && allowed.browser.inspect,
      mutateState: wanted.browser.mutateState && allowed.browser.mutateState,
    },
    network: {
      readDomains: both(wanted.network.readDomains, allowed.network.readDomains),
      externalWrite: wanted.network.externalWrite && allowed.network.externalWrite,
    },
    subagents: {
      spawn: wanted.subagents.spawn && allowed.subagents.spawn,
      maximumChildren: Math.min(wanted.subagents.maximumChildren, allowed.subagents.maximumChildren),
      maximumDepth: Math.min(wanted.subagents.maximumDepth, allowed.subagents.maximumDepth),
    },
  };
};

const targets: Readonly<Record<string, readonly string[]>> = {
  repository: paths,
  shell: [...commands, 'npm', 'git.status'],
  runtime: [...names, '**'],
  browser: ['http://localhost:3000/', 'file:///x'],
  network: ['https://a.example/x', 'http://[::1]/', 'https://c.example/'],
  external: ['https://a.example/'],
  subagent: ['reviewer'],
};

const requests = fc.constantFrom(...actionCapabilities).chain((capability) =>
  fc.record({
    capability: fc.constant(capability),
    target: fc.constantFrom(...(targets[capability.split('.')[0] ?? ''] ?? [])),
    childrenUsed: fc.integer({ min: 0, max: 3 }),
    depth: fc.integer({ min: 0, max: 2 }),
  }),
);

const withFacts = <T extends Readonly<{ target: string }>>(request: T) => ({
  ...request,
  resolved: { ok: true, lexical: request.target, real: request.target } as const,
});

describe('the relation between sets', () => {
  it('is reflexive and holds for the empty set below every other', () => {
    fc.assert(
      fc.property(permissionSets, (set) => {
        expect(subset(set, set)).toBe(true);
        expect(subset(emptyPermissions(), set)).toBe(true);
      }),
    );
  });

  it('is transitive', () => {
    fc.assert(
      fc.property(permissionSets, permissionSets, permissionSets, (first, second, top) => {
        const middle = narrowed(second, top);
        const bottom = narrowed(first, middle);
        expect([subset(bottom, middle), subset(middle, top), subset(bottom, top)]).toEqual([true, true, true]);
      }),
    );
  });

  it('names exactly the places that exceed, and none when nothing does', () => {
    fc.assert(
      fc.property(permissionSets, permissionSets, (wanted, allowed) => {
        expect(excesses(narrowed(wanted, allowed), allowed)).toEqual([]);
        expect(subset(wanted, allowed)).toBe(excesses(wanted, allowed).length === 0);
      }),
    );
    const wanted = { ...grantedSet({ capabilities: ['shell.inspect'] }) };
    wanted.repository.write.push('docs/**', 'src/x');
    wanted.subagents.maximumDepth = 2;
    const allowed = emptyPermissions();
    allowed.repository.write.push('docs/**');
    expect(excesses(wanted, allowed)).toEqual([
      { path: 'repository.write.1', value: 'src/x' },
      { path: 'shell.inspect', value: true },
      { path: 'subagents.maximumDepth', value: 2 },
    ]);
    expect(firstExcess(wanted, allowed)).toEqual({ path: 'repository.write.1', value: 'src/x' });
    expect(firstExcess(allowed, allowed)).toBeNull();
  });

  it('never takes the mark of denial for a grant outside repository lists, not even of itself', () => {
    const all = deniedSet(['shell.execute', 'network.read']);
    expect(excesses(all, all).map(({ path }) => path)).toEqual(['shell.executeAllowlist.0', 'network.readDomains.0']);
  });

  it('carries decisions upward: what the inner set allows, the outer allows, protected paths aside', () => {
    let allowed = 0;
    fc.assert(
      fc.property(permissionSets, permissionSets, requests, (wanted, outer, request) => {
        const action = request.capability === 'repository.delete' ? 'delete' : 'write';
        fc.pre(!request.capability.startsWith('repository.') || protection(request.target, action) === 'open');
        const inner = narrowed(wanted, outer);
        const asked = withFacts(request);
        if (decideTarget(asked, inner) !== 'ok') return;
        allowed += 1;
        expect(decideTarget(asked, outer)).toBe('ok');
      }),
      { numRuns: 5000 },
    );
    expect(allowed).toBeGreaterThan(100);
  });
});

describe('the effective set', () => {
  it('never exceeds the grant or the ceiling and holds nothing that is denied', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...intentModes),
        permissionSets,
        fc.subarray([...actionCapabilities]),
        (mode, granted, denied) => {
          const effective = effectivePermissions(mode, granted, deniedSet(denied));
          expect(subset(effective, granted)).toBe(true);
          for (const capability of actionCapabilities) {
            const kept = reaches(mode, capability) && !denied.includes(capability);
            expect(mentions(effective, capability)).toBe(kept && mentions(granted, capability));
          }
        },
      ),
    );
  });

  it('loses sub-agents when only their number or depth is denied', () => {
    for (const field of ['maximumChildren', 'maximumDepth'] as const) {
      const denied = emptyPermissions();
      denied.subagents[field] = 1;
      const effective = effectivePermissions('plan_only', grantedSet({ capabilities: ['subagent.spawn'] }), denied);
      expect(effective).toEqual(emptyPermissions());
    }
  });

  it('shares no list with the grant', () => {
    const granted = grantedSet({ capabilities: ['repository.read'] });
    effectivePermissions('fix_only', granted, emptyPermissions()).repository.read.push('x');
    expect(granted.repository.read).toEqual(['**']);
  });

  it('leaves the three capabilities that no mode reaches', () => {
    const reached = new Set(intentModes.flatMap((mode) => modeCeiling(mode)));
    expect(actionCapabilities.filter((capability) => !reached.has(capability))).toEqual([
      'runtime.restart',
      'browser.mutate',
      'external.write',
    ]);
  });
});

describe('coverage', () => {
  it('grows with the set and is false outside the vocabulary', () => {
    fc.assert(
      fc.property(permissionSets, permissionSets, (wanted, outer) => {
        const inner = narrowed(wanted, outer);
        for (const capability of actionCapabilities)
          if (covers(inner, capability)) expect(covers(outer, capability)).toBe(true);
        expect(capabilitiesOf(inner).every((capability) => covers(outer, capability))).toBe(true);
      }),
    );
    const all = grantedSet({ capabilities: actionCapabilities, commands: ['npm test'], hosts: ['a.example'] });
    expect(capabilitiesOf(all)).toEqual(actionCapabilities);
    for (const other of ['runtime.mutate', 'shell.exec', 'constructor', '']) expect(covers(all, other)).toBe(false);
  });

  it('needs a positive number of children for sub-agents', () => {
    const set = grantedSet({ capabilities: ['subagent.spawn'] });
    expect(covers(set, 'subagent.spawn')).toBe(true);
    set.subagents.maximumChildren = 0;
    expect(covers(set, 'subagent.spawn')).toBe(false);
  });
});

describe('a converted list', () => {
  it('satisfies the schema of permission sets', () => {
    fc.assert(
      fc.property(
        fc.subarray([...actionCapabilities]),
        some(commands),
        some(hosts),
        (capabilities, listed, domains) => {
          expect(PermissionSet.safeParse(grantedSet({ capabilities, commands: listed, hosts: domains })).success).toBe(
            true,
          );
          expect(PermissionSet.safeParse(deniedSet(capabilities)).success).toBe(true);
        },
      ),
    );
  });
});

describe('scopes', () => {
  it.each([
    'src/**/x',
    'a**',
    '**/x',
    '***',
    'src/',
    '/src',
    './src',
    'src/./x',
    'a//b',
    'C:/x',
    'a\\b',
    '!a',
    '~a',
    'a/{b,c}',
    'a/@(b)',
    'a/+(b)',
    'a/?(b)',
    'a/*(b)',
    'a\u202eb',
    '',
  ])('refuses %j and never matches it, not even literally', (scope) => {
    expect(isScope(scope)).toBe(false);
    expect(scopeMatches(scope, scope)).toBe(false);
    expect(scopeCovers('**', scope)).toBe(false);
  });

  it.each(['**', 'app/(group)/page.tsx', 'src/[id].ts', 'a/!b', 'a/~b', 'src/*/**', '.github/**', '日本/*'])(
    'takes %j',
    (scope) => {
      expect(isScope(scope)).toBe(true);
      expect(scopeMatches(scope, scope)).toBe(true);
    },
  );

  it.each([
    ['src/*.ts', 'src/a.b.ts', true],
    ['src/*a*b*', 'src/xxaxxbxx', true],
    ['src/*a*b*', 'src/xxbxxaxx', false],
    ['src/?.ts', 'src/.ts', false],
    ['src/?.ts', 'src/é.ts', true],
    ['src/?.ts', 'src/😀.ts', true],
    ['src/*', 'src/.env', false],
    ['.e*', '.editorconfig', false],
    ['src/*/**', 'src/a/b/c', true],
    ['src/*/**', 'src/a', false],
    ['src/*/**', 'src/.a/b', false],
    ['src/**', 'src/a/.b/c', false],
    ['*', '.', false],
    ['**', '.', true],
    ['src/**', 'Src/a', false],
  ] as const)('%s on %s is %s', (scope, path, expected) => {
    expect(scopeMatches(scope, path)).toBe(expected);
  });

  it('matches in time that does not explode with stars', () => {
    expect(scopeMatches(`${'*a'.repeat(500)}b`, 'a'.repeat(1000))).toBe(false);
  });

  it('covers only what it matches', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...scopes),
        fc.constantFrom(...scopes),
        fc.constantFrom(...paths),
        (outer, inner, path) => {
          if (scopeCovers(outer, inner) && scopeMatches(inner, path)) expect(scopeMatches(outer, path)).toBe(true);
        },
      ),
      { numRuns: 3000 },
    );
  });
});
