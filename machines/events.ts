import type { FailureCode, Finding } from '../schemas/failure.ts';
import type { ActionCapability, ArtifactType, LogicalRole, RecordPhase } from '../schemas/vocabulary.ts';
import type { Choice } from './context.ts';
import type { BrokerDecision } from './permissions/brokerDecision.ts';
import type { ResolvedTarget } from './permissions/resolved.ts';
import type { AnyArtifact, RunRecord } from './record.ts';

/** What every event but the start carries. */
export type Token = Readonly<{ actionId: string; expectedVersion: number }>;

/**
 * Control data of one submission: copied from the validated body, or read from the record together with it.
 * Guards see nothing else of an artifact, so the graph can be walked with facts alone.
 */
export interface Facts {
  /** The decision of a review or audit, the status of a result, the terminal status of a report. */
  readonly decision?: string;
  /** QualityReview: `reviewKind` is `evidence_reverify`. */
  readonly reverify?: boolean;
  /** TaskContract: its `version`. */
  readonly contractVersion?: number;
  /** PromptReview: its `revisionNumber`. */
  readonly revisionNumber?: number;
  /** QualityReview, ReleaseAudit: the number of remediations that it says are left. */
  readonly remainingRemediations?: number;
  /** WorkResult: nodes of the plan are still without a result after this one. */
  readonly nodesRemain?: boolean;
  /** UserReport, ReleaseAudit: a claim rests on the user's word alone. */
  readonly userReported?: boolean;
  /** ClarificationRequest: the choices that it offers. */
  readonly choices?: readonly Choice[];
}

/** What the caller handed in, and what the outside world said about it. */
export interface Submission {
  readonly type: string;
  /** Who hands it in: a manifest is the controller's alone. */
  readonly from: 'host' | 'controller';
  /** The body as sent; the schema judges it. */
  readonly body: unknown;
  /** `source_refs` as sent. */
  readonly sourceRefs: readonly string[];
  /** Where the disk says that the paths named by the body lead, by target text. */
  readonly targets: Readonly<Record<string, ResolvedTarget>>;
}

/** A submission as the machine sees it: facts for the guards and, outside the enumeration, the dossier for the rules. */
export interface Case {
  readonly facts: Facts;
  /** Findings of the schema; with any, no rule is asked. */
  readonly shape: readonly Finding[];
  /** Null in the enumeration of the abstract machine, where every rule that reads more than control data holds. */
  readonly dossier: Dossier | null;
}

/** What the rules read. */
export interface Dossier {
  readonly record: RunRecord;
  readonly submission: Submission;
  /** The artifact as it would be stored; its `sourceRefs` are the merged ones. Null when the body breaks its schema. */
  readonly artifact: AnyArtifact | null;
  /** Artifacts stored with it: the context documents of a grounding. */
  readonly supporting: readonly AnyArtifact[];
}

type Versioned = Readonly<{ token: Token; at: string }>;

/** Every type that a caller may name; those that no phase takes are refused by the root of the machine. */
export type NamedType = ArtifactType | 'UserMessage' | 'ContextDocument';

export type SubmitEvent = { [T in NamedType]: Readonly<{ type: `submit.${T}`; case: Case }> & Versioned }[NamedType];

/** The answer to the open question; `messageId` names the UserMessage that keeps it. */
export type AnswerEvent = Readonly<{
  type: 'user.answer';
  answer: string;
  messageId: string;
  /** Who carried the answer: the client's own form, or the host that relays it (guidance section 5). */
  via: 'client' | 'host';
  record: RunRecord | null;
}> &
  Versioned;

export type CancelEvent = Readonly<{ type: 'user.cancel' }> & Versioned;

/** A host asks whether it may use a tool. */
export type CheckEvent = Readonly<{
  type: 'host.check';
  capability: string;
  target: string | null;
  resolved: ResolvedTarget | null;
  /** Which permissions decide `allowed` (permissions section 9). */
  scope: 'envelope' | 'action';
  record: RunRecord | null;
}> &
  Versioned;

export type RunEvent = SubmitEvent | AnswerEvent | CancelEvent | CheckEvent;

/** How a phase ended, and the event that ended it: the output of its final state. */
export type Exit = Readonly<{ exit: string; cause: RunEvent }>;

/** What the engine raises when a phase has ended. */
export type DoneEvent = Readonly<{ type: `xstate.done.state.${string}`; output: Exit }>;

/** The names of trace events in the ledger (run-machine section 14). */
export type LedgerEvent =
  | 'run_started'
  | 'topology_classified'
  | 'lineage_linked'
  | 'context_source_stored'
  | 'scenario_presentation_stored'
  | 'evidence_captured'
  | 'phase_submitted'
  | 'permission_checked'
  | 'digest_verified'
  | 'topology_escalated'
  | 'clarification_requested'
  | 'clarification_answered'
  | 'budget_consumed'
  | 'run_cancelled'
  | 'broker_decision'
  | 'transition_denied'
  | 'companion_stored'
  | 'run_ended';

export type PermissionDecision = Readonly<{
  decision: 'allow' | 'deny';
  capability: ActionCapability | string;
  scope: string;
  policyRefs: readonly string[];
  rationaleSummary: string;
}>;

/** One entry of the trace; sequence, time and the budget snapshot are added when it is written. */
export interface TraceEntry {
  readonly event: LedgerEvent;
  readonly actor: LogicalRole;
  readonly phase: RecordPhase;
  readonly inputRefs: readonly string[];
  readonly outputRefs: readonly string[];
  /** At most 800 characters. */
  readonly summary: string;
  readonly decision?: PermissionDecision;
}

/** Accepted: what to store and what to write into the trace, in this order. */
export interface RecordEffect {
  readonly artifacts: readonly AnyArtifact[];
  readonly trace: readonly TraceEntry[];
  /** The answer to a check. */
  readonly decision?: BrokerDecision;
}

/** Not accepted: the snapshot stays the same object; the trace may keep one entry of it. */
export interface Refusal {
  readonly code: FailureCode;
  /** In order of evaluation; the first names the refusal. */
  readonly findings: readonly Finding[];
  readonly trace: readonly TraceEntry[];
}

/** An accepted event that is answered by an error: the run moved, the artifact was not stored (run-machine section 7). */
export interface Escalation {
  readonly reason: EscalationReason;
}
export type EscalationReason =
  | 'MICRO_SPOT_PARTIAL'
  | 'MICRO_SPOT_REMEDIATE'
  | 'MICRO_USER_REPORTED'
  | 'STANDARD_USER_REPORTED_CLAIMS';

export type Effect =
  | Readonly<{ type: 'record'; params: RecordEffect }>
  | Readonly<{ type: 'refuse'; params: Refusal }>
  | Readonly<{ type: 'moved'; params: Escalation }>
  | Readonly<{ type: 'ended'; params?: undefined }>;

type Typed = Readonly<{ type: string }>;

const isRunEvent = (event: Typed): event is RunEvent => /^(submit|user|host)\./.test(event.type);
const isDoneEvent = (event: Typed): event is DoneEvent => event.type.startsWith('xstate.done.state.');

/** What callers sent; null for the engine's own events, which carry no token. */
export const sent = (event: Typed): RunEvent | null => (isRunEvent(event) ? event : null);

/** The event behind a step: the caller's, or the one that ended the phase; null when the run only begins. */
export const causeOf = (event: Typed): RunEvent | null => (isDoneEvent(event) ? event.output.cause : sent(event));

/** The named exit of an ended phase; null for other events. */
export const exitOf = (event: Typed): string | null => (isDoneEvent(event) ? event.output.exit : null);

export const isSubmit = (event: Typed): event is SubmitEvent => event.type.startsWith('submit.');
