import { z } from 'zod';

const scopes = (max: number) => z.array(z.string().min(1).max(max)).max(256);

/** What a contract, a node, a work order or a run may do. Strings are free text to the schema; an empty list or `false` grants nothing. */
export const PermissionSet = z
  .object({
    repository: z.object({ read: scopes(1024), write: scopes(1024), delete: scopes(1024) }).strict(),
    shell: z.object({ inspect: z.boolean(), executeAllowlist: scopes(2048) }).strict(),
    runtime: z.object({ inspect: scopes(255), restart: scopes(255) }).strict(),
    browser: z.object({ inspect: z.boolean(), mutateState: z.boolean() }).strict(),
    network: z.object({ readDomains: scopes(253), externalWrite: z.boolean() }).strict(),
    subagents: z
      .object({ spawn: z.boolean(), maximumChildren: z.int().min(0).max(16), maximumDepth: z.int().min(0).max(4) })
      .strict(),
  })
  .strict();
export type PermissionSet = z.infer<typeof PermissionSet>;
