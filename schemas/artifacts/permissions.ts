import { z } from 'zod';
import type { PermissionSet } from '../permissions.ts';
import { int, list, str } from '../primitives.ts';

const strings = (max: number): z.ZodArray<z.ZodString> => list(str(1, max));
const paths = strings(1024);
const units = strings(255);

/**
 * The permissions of a body: a `PermissionSet` judged by the words of artifacts sections 1 and 4. Zod's plain lists and
 * strings, of which `PermissionSet` is made, count code points, take a list that is too long for a hard failure, and
 * leave its items unjudged.
 */
export const Permissions = z.strictObject({
  repository: z.strictObject({ read: paths, write: paths, delete: paths }),
  shell: z.strictObject({ inspect: z.boolean(), executeAllowlist: strings(2048) }),
  runtime: z.strictObject({ inspect: units, restart: units }),
  browser: z.strictObject({ inspect: z.boolean(), mutateState: z.boolean() }),
  network: z.strictObject({ readDomains: strings(253), externalWrite: z.boolean() }),
  subagents: z.strictObject({ spawn: z.boolean(), maximumChildren: int(0, 16), maximumDepth: int(0, 4) }),
}) satisfies z.ZodType<PermissionSet>;
