import type { PermissionSet } from '../../schemas/permissions.ts';
import { type ActionCapability, limits } from '../../schemas/vocabulary.ts';
import { emptyPermissions, entryOf } from '../permissions/permissionSet.ts';
import { subset } from '../permissions/subset.ts';

/** What several permission sets give together. */

const listCapabilities = [
  'repository.read',
  'repository.write',
  'repository.delete',
  'shell.execute',
  'runtime.inspect',
  'runtime.restart',
  'network.read',
] as const satisfies readonly ActionCapability[];
type ListCapability = (typeof listCapabilities)[number];

const put = (set: PermissionSet, capability: ListCapability, entries: string[]): void => {
  switch (capability) {
    case 'repository.read':
      set.repository.read = entries;
      return;
    case 'repository.write':
      set.repository.write = entries;
      return;
    case 'repository.delete':
      set.repository.delete = entries;
      return;
    case 'shell.execute':
      set.shell.executeAllowlist = entries;
      return;
    case 'runtime.inspect':
      set.runtime.inspect = entries;
      return;
    case 'runtime.restart':
      set.runtime.restart = entries;
      return;
    case 'network.read':
      set.network.readDomains = entries;
      return;
  }
};

const alone = (capability: ListCapability, entry: string): PermissionSet => {
  const set = emptyPermissions();
  put(set, capability, [entry]);
  return set;
};

const entriesOf = (set: PermissionSet, capability: ListCapability): readonly string[] => {
  const entries = entryOf(set, capability);
  return typeof entries === 'boolean' ? [] : entries;
};

/**
 * The widest set that is inside each of the given ones, in the sense of `subset` (permissions section 5).
 *
 * Nothing is lost by looking only at entries that stand in one of the sets: if any scope lies inside all of them, then
 * each set holds a scope around it; of two scopes around a third one always contains the other (both are that scope
 * itself, `**`, or `P/**` with P a prefix of it), so the innermost of them lies inside all sets too. Commands, names and
 * hosts are compared by equality. At most 256 entries of a list are kept, as many as a body may hold.
 */
export const meet = (sets: readonly PermissionSet[]): PermissionSet => {
  const met = emptyPermissions();
  for (const capability of listCapabilities) {
    const candidates = [...new Set(sets.flatMap((set) => entriesOf(set, capability)))];
    const common = candidates.filter((entry) => sets.every((set) => subset(alone(capability, entry), set)));
    put(met, capability, common.slice(0, limits.references));
  }
  const all = (holds: (set: PermissionSet) => boolean): boolean => sets.length > 0 && sets.every(holds);
  const least = (count: (set: PermissionSet) => number): number => Math.min(...sets.map(count));
  met.shell.inspect = all(({ shell }) => shell.inspect);
  met.browser = {
    inspect: all(({ browser }) => browser.inspect),
    mutateState: all(({ browser }) => browser.mutateState),
  };
  met.network.externalWrite = all(({ network }) => network.externalWrite);
  if (sets.length > 0)
    met.subagents = {
      spawn: all(({ subagents }) => subagents.spawn),
      maximumChildren: least(({ subagents }) => subagents.maximumChildren),
      maximumDepth: least(({ subagents }) => subagents.maximumDepth),
    };
  return met;
};
