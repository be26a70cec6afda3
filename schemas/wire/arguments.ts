import { z } from 'zod';
import { wireLimits } from './limits.ts';
import { utf8Bytes } from './path.ts';
import { invocationId, type WireTool } from './vocabulary.ts';

/** The arguments of the seven tools (workspace-wire section 4), after the leniencies of `parseWireArguments`. */

const path = z
  .string()
  .min(1)
  .refine((text) => utf8Bytes(text) <= wireLimits.pathBytes, `must have at most ${wireLimits.pathBytes} bytes`);
const id = z.string().regex(invocationId, 'must be 1 to 128 letters, digits or . _ : -');
const wait = z.int().min(0).max(wireLimits.waitMs);
const actionArgs = z.record(z.string(), z.unknown());

export const LsArguments = z.strictObject({
  path: path.optional(),
  kind: z.string().min(1).max(100).optional(),
  limit: z.int().min(1).max(wireLimits.listRows).optional(),
  cursor: z.string().optional(),
});
export type LsArguments = z.infer<typeof LsArguments>;

export const ReadArguments = z.strictObject({
  path,
  item: z.string().min(1).optional(),
  cursor: z.string().optional(),
});
export type ReadArguments = z.infer<typeof ReadArguments>;

export const OneCall = z.strictObject({ path, args: actionArgs.optional(), invocation_id: id.optional() });
export type OneCall = z.infer<typeof OneCall>;

export const DoArguments = z.strictObject({
  path: path.optional(),
  args: actionArgs.optional(),
  invocation_id: id.optional(),
  wait_ms: wait.optional(),
  calls: z.array(OneCall).min(1).max(wireLimits.calls).optional(),
});
export type DoArguments = z.infer<typeof DoArguments>;

export const FindArguments = z.strictObject({
  query: z.string().min(1).max(wireLimits.queryChars),
  app: z.string().min(1).optional(),
  kind: z.string().min(1).max(100).optional(),
  limit: z.int().min(1).max(wireLimits.findHits).optional(),
});
export type FindArguments = z.infer<typeof FindArguments>;

export const StatusArguments = z.strictObject({
  invocation_id: id,
  wait_ms: wait.optional(),
  cancel: z.boolean().optional(),
});
export type StatusArguments = z.infer<typeof StatusArguments>;

export const ProgramArguments = z.strictObject({
  program: z
    .string()
    .min(1)
    .refine((text) => utf8Bytes(text) <= wireLimits.programBytes, `must have at most ${wireLimits.programBytes} bytes`),
  confirm: z.boolean().optional(),
  invocation_id: id.optional(),
});
export type ProgramArguments = z.infer<typeof ProgramArguments>;

export const WatchArguments = z.strictObject({
  cursor: z.string().optional(),
  wait_ms: wait.optional(),
  path: path.optional(),
});
export type WatchArguments = z.infer<typeof WatchArguments>;

export const wireArguments = {
  tilo_ls: LsArguments,
  tilo_read: ReadArguments,
  tilo_do: DoArguments,
  tilo_find: FindArguments,
  tilo_status: StatusArguments,
  tilo: ProgramArguments,
  tilo_watch: WatchArguments,
} as const satisfies Record<WireTool, z.ZodType>;

export type WireArguments = { readonly [T in WireTool]: z.infer<(typeof wireArguments)[T]> };
