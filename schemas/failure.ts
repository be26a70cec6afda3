import { z } from 'zod';

/** Why a call failed, and whether trying again can help (mcp-surface section 4, decisions 3). */
export const failureKinds = [
  'bad_input',
  'refused',
  'stale',
  'denied',
  'not_found',
  'conflict',
  'limit',
  'moved',
  'corrupt',
  'unavailable',
  'internal',
] as const;
export const FailureKind = z.enum(failureKinds);
export type FailureKind = z.infer<typeof FailureKind>;

/** Every stable code, under its kind. */
export const failureCodes = {
  invalid_arguments: 'bad_input',
  invalid_body: 'bad_input',
  stale_version: 'stale',
  stale_action: 'stale',
  run_not_found: 'not_found',
  artifact_not_found: 'not_found',
  run_terminal: 'refused',
  wrong_phase: 'refused',
  wrong_type: 'refused',
  controller_owned: 'refused',
  reference_invalid: 'refused',
  permission_exceeded: 'refused',
  secret_detected: 'refused',
  clarification_invalid: 'refused',
  not_awaiting_clarification: 'refused',
  infeasible: 'refused',
  rule_broken: 'refused',
  permission_denied: 'denied',
  id_taken: 'conflict',
  quota_exceeded: 'limit',
  run_escalated: 'moved',
  integrity_failed: 'corrupt',
  incompatible: 'corrupt',
  state_unavailable: 'unavailable',
  repository_not_configured: 'unavailable',
  internal: 'internal',
} as const satisfies Record<string, FailureKind>;
export type FailureCode = keyof typeof failureCodes;

/**
 * One finding: where, which rule, what is wrong, what was expected (a value, a choice or an instruction, see
 * `expected.ts`), what mends it.
 */
export const Finding = z
  .object({
    path: z.string(),
    code: z.string(),
    message: z.string(),
    expected: z.unknown().optional(),
    fix: z.string().optional(),
  })
  .strict();
export type Finding = Readonly<{ path: string; code: string; message: string; expected?: unknown; fix?: string }>;

/** The token that a caller needs next. */
export type Current = Readonly<{ version: number; actionId: string }>;

/** The one failure shape of every tool. */
export interface Failure {
  readonly ok: false;
  readonly error: string;
  readonly code: FailureCode;
  readonly kind: FailureKind;
  readonly rule?: string;
  readonly issues: readonly Finding[];
  /** How many findings there were, when more than are listed. */
  readonly issueCount?: number;
  readonly next_steps: readonly string[];
  readonly current?: Current;
  readonly already_accepted?: Readonly<{ artifactRef: string; version: number }>;
  readonly nextAction?: unknown;
}
