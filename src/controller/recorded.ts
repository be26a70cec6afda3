import { z } from 'zod';
import { ResolvedTarget } from '../../schemas/permissions.ts';
import { IntentMode, RunTopology } from '../../schemas/vocabulary.ts';

/** The payloads that `payload.ts` writes, as they are read again. Keys of other versions are no fault. */

const Token = z.object({ actionId: z.string(), expectedVersion: z.int() });

const words = z.array(z.string()).optional();

/** What a run was started with. */
export const StartedPayload = z.object({
  args: z.object({
    originalRequest: z.string(),
    mode: IntentMode,
    hostName: z.string(),
    nativeSubagents: z.enum(['available', 'unavailable', 'unknown']),
    hostCapabilities: words,
    granted: words,
    denied: words,
    commands: words,
    hosts: words,
    topologyOverride: RunTopology.optional(),
    priorRunId: z.string().optional(),
  }),
  facts: z.object({ runId: z.string(), requestId: z.string(), at: z.string(), repositoryRoot: z.string() }),
  input: z.unknown(),
});

export const CancelledPayload = z.object({ token: Token });

export const AnsweredPayload = z.object({
  token: Token,
  answer: z.string(),
  messageId: z.string(),
  via: z.enum(['client', 'host']),
});

export const CheckedPayload = z.object({
  token: Token,
  capability: z.string(),
  target: z.string().nullable(),
  resolved: ResolvedTarget.nullable(),
  /** The target looked like a credential and was not kept. */
  secret: z.boolean(),
  scope: z.enum(['envelope', 'action']),
});

export const SubmittedPayload = z.object({
  token: Token,
  submission: z.object({
    type: z.string(),
    sourceRefs: z.array(z.string()),
    targets: z.record(z.string(), ResolvedTarget),
  }),
  /** Of an artifact that was accepted and not stored (an escalation). */
  body: z.unknown().optional(),
});

/** What the event left: ledgers of earlier versions do not say it. */
export const LeavingPayload = z.object({
  after: z.object({ machine: z.string(), schema: z.string(), snapshot: z.string() }).optional(),
});
