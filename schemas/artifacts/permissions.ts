import type { z } from 'zod';
import { PermissionSet } from '../permissions.ts';

const { repository, shell, runtime, network } = PermissionSet.shape;

/** The lists of a set, each with the schema that bounds its strings. */
const lists = (
  set: PermissionSet,
): readonly (readonly [string, string, readonly string[], z.ZodArray<z.ZodString>])[] => [
  ['repository', 'read', set.repository.read, repository.shape.read],
  ['repository', 'write', set.repository.write, repository.shape.write],
  ['repository', 'delete', set.repository.delete, repository.shape.delete],
  ['shell', 'executeAllowlist', set.shell.executeAllowlist, shell.shape.executeAllowlist],
  ['runtime', 'inspect', set.runtime.inspect, runtime.shape.inspect],
  ['runtime', 'restart', set.runtime.restart, runtime.shape.restart],
  ['network', 'readDomains', set.network.readDomains, network.shape.readDomains],
];

/**
 * The permissions of a body. A body's strings are measured in UTF-16 units (artifacts section 1), those of
 * `PermissionSet` alone in code points, as Zod does: a string that fits only by the latter is refused here.
 */
export const Permissions = PermissionSet.superRefine((set, ctx) => {
  for (const [group, name, items, { element }] of lists(set)) {
    const maximum = element.maxLength ?? Number.POSITIVE_INFINITY;
    for (const [index, item] of items.entries()) {
      if (item.length <= maximum || [...item].length > maximum) continue;
      const path = [group, name, index];
      ctx.addIssue({ code: 'too_big', origin: 'string', maximum, inclusive: true, input: item, path });
    }
  }
});
