import { describe, expect, it } from 'vitest';
import { emptyPermissions } from '../../machines/permissions/permissionSet.ts';
import { type Excess, excesses, subset } from '../../machines/permissions/subset.ts';
import type { PermissionSet } from '../../schemas/permissions.ts';

const none = emptyPermissions();

/** A set that asks for one thing only, and where the relation must say that it is too much. */
const asks: readonly (readonly [PermissionSet, Excess])[] = [
  [
    { ...none, repository: { ...none.repository, read: ['a'] } },
    { path: 'repository.read.0', value: 'a' },
  ],
  [
    { ...none, repository: { ...none.repository, write: ['a'] } },
    { path: 'repository.write.0', value: 'a' },
  ],
  [
    { ...none, repository: { ...none.repository, delete: ['a'] } },
    { path: 'repository.delete.0', value: 'a' },
  ],
  [
    { ...none, shell: { ...none.shell, executeAllowlist: ['id'] } },
    { path: 'shell.executeAllowlist.0', value: 'id' },
  ],
  [
    { ...none, runtime: { ...none.runtime, inspect: ['local'] } },
    { path: 'runtime.inspect.0', value: 'local' },
  ],
  [
    { ...none, runtime: { ...none.runtime, restart: ['local'] } },
    { path: 'runtime.restart.0', value: 'local' },
  ],
  [
    { ...none, network: { ...none.network, readDomains: ['a.b'] } },
    { path: 'network.readDomains.0', value: 'a.b' },
  ],
  [
    { ...none, shell: { ...none.shell, inspect: true } },
    { path: 'shell.inspect', value: true },
  ],
  [
    { ...none, browser: { ...none.browser, inspect: true } },
    { path: 'browser.inspect', value: true },
  ],
  [
    { ...none, browser: { ...none.browser, mutateState: true } },
    { path: 'browser.mutateState', value: true },
  ],
  [
    { ...none, network: { ...none.network, externalWrite: true } },
    { path: 'network.externalWrite', value: true },
  ],
  [
    { ...none, subagents: { ...none.subagents, spawn: true } },
    { path: 'subagents.spawn', value: true },
  ],
  [
    { ...none, subagents: { ...none.subagents, maximumChildren: 1 } },
    { path: 'subagents.maximumChildren', value: 1 },
  ],
  [
    { ...none, subagents: { ...none.subagents, maximumDepth: 1 } },
    { path: 'subagents.maximumDepth', value: 1 },
  ],
];

describe('a set that asks for one thing', () => {
  it.each(asks.map(([asked, excess]) => [excess.path, asked, excess] as const))(
    'exceeds a set without it at %s, and itself nowhere',
    (_path, asked, excess) => {
      expect(excesses(asked, none)).toEqual([excess]);
      expect(subset(asked, none)).toBe(false);
      expect(excesses(asked, asked)).toEqual([]);
    },
  );

  it('is held by no other entry of the same family', () => {
    for (const [asked] of asks)
      for (const [other] of asks) expect(subset(asked, other), JSON.stringify([asked, other])).toBe(asked === other);
  });
});
