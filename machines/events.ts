import type { FailureCode, Finding } from '../schemas/failure.ts';
import type { ActionCapability, LogicalRole, RecordPhase, StoredType } from '../schemas/vocabulary.ts';
import type { Choice } from './context.ts';
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

export type SubmitEvent = Readonly<{ type: `submit.${string}`; case: Case }> & Versioned;

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
  record: RunRecord | null;
}> &
  Versioned;

export type RunEvent = SubmitEvent | AnswerEvent | CancelEvent | CheckEvent;

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

export type { StoredType };
