import { z } from 'zod';
import { int, list, str } from './primitives.ts';
import { ActionCapability } from './vocabulary.ts';

const strings = (max: number): z.ZodArray<z.ZodString> => list(str(1, max));
const paths = strings(1024);
const units = strings(255);

/**
 * What a contract, a node, a work order or a run may do. Strings are free text to the schema; an empty list or `false`
 * grants nothing. Rule: artifacts section 4.
 */
export const PermissionSet = z.strictObject({
  repository: z.strictObject({ read: paths, write: paths, delete: paths }),
  shell: z.strictObject({ inspect: z.boolean(), executeAllowlist: strings(2048) }),
  runtime: z.strictObject({ inspect: units, restart: units }),
  browser: z.strictObject({ inspect: z.boolean(), mutateState: z.boolean() }),
  network: z.strictObject({ readDomains: strings(253), externalWrite: z.boolean() }),
  subagents: z.strictObject({ spawn: z.boolean(), maximumChildren: int(0, 16), maximumDepth: int(0, 4) }),
});
export type PermissionSet = z.infer<typeof PermissionSet>;

/** The published reasons of a decision; `invalid_action_kind` is reserved and never given (permissions section 9). */
export const decisionReasons = [
  'allowed',
  'capability_not_granted',
  'invalid_action_kind',
  'policy_denied',
  'no_policy',
] as const;
export const DecisionReason = z.enum(decisionReasons);
export type DecisionReason = z.infer<typeof DecisionReason>;

/** Why a text cannot be one exact command, in the order in which the forms are tested (permissions section 7). */
export const commandFaults = [
  'command_placeholder',
  'command_length',
  'command_control_character',
  'command_whitespace',
  'command_confusable',
  'command_compound',
  'command_unbalanced_quote',
  'command_assignment',
  'command_launcher',
] as const;
export const CommandFault = z.enum(commandFaults);
export type CommandFault = z.infer<typeof CommandFault>;

/** Why the disk step could not say where a path leads (permissions section 6, items 2 to 5). */
export const pathFailures = [
  'target_malformed',
  'path_escape',
  'root_unavailable',
  'symlink_unresolved',
  'symlink_escape',
] as const;
export const PathFailure = z.enum(pathFailures);
export type PathFailure = z.infer<typeof PathFailure>;

/** The finer cause of a decision. */
export const decisionDetails = [
  'ok',
  'unknown_capability',
  'run_not_running',
  'mode_ceiling',
  'no_envelope',
  'not_granted',
  'target_required',
  ...pathFailures,
  'repository_root',
  'protected_path',
  'scope_mismatch',
  'inspect_target_unknown',
  ...commandFaults,
  'command_not_listed',
  'host_malformed',
  'scheme_not_allowed',
  'credentials_in_target',
  'host_not_listed',
  'budget_exhausted',
  'phase_denied',
] as const;
export const DecisionDetail = z.enum(decisionDetails);
export type DecisionDetail = z.infer<typeof DecisionDetail>;

/** A grant of the start that can never take effect in its run, and which of the three narrowed it away. */
export const DroppedGrant = z
  .object({ capability: ActionCapability, reason: z.enum(['host', 'mode', 'denied']) })
  .strict();
export type DroppedGrant = z.infer<typeof DroppedGrant>;

/** Where a repository target leads: both paths relative to the root, `/`-separated, `.` for the root itself. */
export const ResolvedTarget = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), lexical: z.string(), real: z.string() }).strict(),
  z.object({ ok: z.literal(false), code: PathFailure }).strict(),
]);
export type ResolvedTarget = Readonly<z.infer<typeof ResolvedTarget>>;
