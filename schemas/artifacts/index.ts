import type { z } from 'zod';
import {
  type ArtifactType,
  type LogicalRole,
  limits,
  phaseTable,
  producers,
  type RecordPhase,
  recordPhases,
  type StoredType,
  type SubmittedType,
  storedTypes,
  submittedTypes,
} from '../vocabulary.ts';
import { ClarificationRequest } from './clarification.ts';
import { ContextManifest, RunEnvelope } from './controller.ts';
import { Evidence } from './evidence.ts';
import { WorkResult } from './execution.ts';
import { ProblemFrame, ScenarioSpec, TaskContract } from './intent.ts';
import { ContextDocument, UserMessage } from './ledgerOnly.ts';
import { NextAction } from './nextAction.ts';
import { WorkPlan } from './plan.ts';
import { PromptReview } from './promptReview.ts';
import { QualityReview } from './quality.ts';
import { ReceiptAudit, ReleaseAudit, UserReport } from './release.ts';
import { TraceEvent } from './trace.ts';

/** The registry: what body a type has, who produces it, in which phases, how often (artifacts section 12). */

/** Every type that has a body of its own: the sixteen artifact types and the two of the ledger alone. */
export interface Bodies {
  RunEnvelope: RunEnvelope;
  ContextManifest: ContextManifest;
  NextAction: NextAction;
  ClarificationRequest: ClarificationRequest;
  ProblemFrame: ProblemFrame;
  ScenarioSpec: ScenarioSpec;
  TaskContract: TaskContract;
  PromptReview: PromptReview;
  WorkPlan: WorkPlan;
  WorkResult: WorkResult;
  QualityReview: QualityReview;
  ReleaseAudit: ReleaseAudit;
  ReceiptAudit: ReceiptAudit;
  UserReport: UserReport;
  TraceEvent: TraceEvent;
  Evidence: Evidence;
  UserMessage: UserMessage;
  ContextDocument: ContextDocument;
}
export type BodyType = keyof Bodies;
export type BodyOf<T extends BodyType> = Bodies[T];

/** The body schema of each type. */
export const bodySchemas: { readonly [T in BodyType]: z.ZodType<Bodies[T]> } = {
  RunEnvelope,
  ContextManifest,
  NextAction,
  ClarificationRequest,
  ProblemFrame,
  ScenarioSpec,
  TaskContract,
  PromptReview,
  WorkPlan,
  WorkResult,
  QualityReview,
  ReleaseAudit,
  ReceiptAudit,
  UserReport,
  TraceEvent,
  Evidence,
  UserMessage,
  ContextDocument,
};

/**
 * `phase` moves the run, `supporting` is stored without moving it, `record` is written by the controller beside a run
 * or a message.
 */
export type ArtifactKind = 'phase' | 'supporting' | 'record';

/** At most `limit` within one `per`; what is counted is the artifact itself unless `counts` says otherwise. */
export interface Quota {
  readonly limit: number;
  readonly per:
    | 'run'
    | 'answered question'
    | 'selected source'
    | 'ProblemFrame'
    | 'ready node'
    | 'latest WorkPlan'
    | 'visit';
  readonly counts?: 'planned tool calls';
}

export interface ArtifactRow<T extends StoredType = StoredType> {
  readonly type: T;
  readonly schema: z.ZodType<Bodies[T]>;
  /** `null`: the role of the phase in which it is submitted. */
  readonly producer: LogicalRole | null;
  readonly submittedBy: 'host' | 'server';
  readonly kind: ArtifactKind;
  /** Record phases that accept it; empty for what comes with the run's creation or with an answer. */
  readonly phases: readonly RecordPhase[];
  /** Stored and readable, yet no ArtifactType. */
  readonly ledgerOnly: boolean;
  readonly quotas: readonly Quota[];
}

const once: readonly Quota[] = [{ limit: 1, per: 'run' }];
const everyVisit: readonly Quota[] = [{ limit: 1, per: 'visit' }];

const quotas: Readonly<Record<StoredType, readonly Quota[]>> = {
  UserMessage: [...once, { limit: 1, per: 'answered question' }],
  RunEnvelope: once,
  ContextDocument: [{ limit: 1, per: 'selected source' }],
  ContextManifest: once,
  ReceiptAudit: once,
  // One is asked; a second is stored, not asked, and blocks the run.
  ClarificationRequest: once,
  ProblemFrame: once,
  ScenarioSpec: [{ limit: 1, per: 'ProblemFrame' }],
  TaskContract: [{ limit: 2, per: 'run' }],
  PromptReview: [{ limit: 2, per: 'run' }],
  WorkPlan: [{ limit: limits.planToolCalls, per: 'run', counts: 'planned tool calls' }],
  WorkResult: [{ limit: 1, per: 'ready node' }],
  QualityReview: everyVisit,
  ReleaseAudit: everyVisit,
  UserReport: once,
  Evidence: [{ limit: limits.evidencePerPlan, per: 'latest WorkPlan' }],
};

/** What the server stores beside a move, in the phase where it does. */
const beside: Partial<Record<StoredType, readonly RecordPhase[]>> = {
  ContextDocument: ['context_grounding'],
  ReceiptAudit: ['agent_3_review'],
};

const isSubmitted = (type: StoredType): type is SubmittedType => submittedTypes.some((one) => one === type);

const phasesOf = (type: StoredType): readonly RecordPhase[] =>
  beside[type] ??
  recordPhases.filter((phase) =>
    [...phaseTable[phase].accepts, ...phaseTable[phase].supports].some((accepted) => accepted === type),
  );

const kindOf = (type: StoredType): ArtifactKind => {
  if (type === 'RunEnvelope' || type === 'UserMessage') return 'record';
  if (type in beside) return 'supporting';
  return recordPhases.some((phase) => phaseTable[phase].supports.some((one) => one === type)) ? 'supporting' : 'phase';
};

const rowOf = <T extends StoredType>(type: T): ArtifactRow<T> => ({
  type,
  schema: bodySchemas[type],
  producer: producerOf(type),
  submittedBy: isSubmitted(type) ? 'host' : 'server',
  kind: kindOf(type),
  phases: phasesOf(type),
  ledgerOnly: type === 'UserMessage' || type === 'ContextDocument',
  quotas: quotas[type],
});

const producerOf = (type: StoredType): LogicalRole | null => (type === 'ClarificationRequest' ? null : producers[type]);

/** One row for each stored type. NextAction and TraceEvent are views and have none. */
export const artifactRows: { readonly [T in StoredType]: ArtifactRow<T> } = {
  UserMessage: rowOf('UserMessage'),
  RunEnvelope: rowOf('RunEnvelope'),
  ContextDocument: rowOf('ContextDocument'),
  ContextManifest: rowOf('ContextManifest'),
  ReceiptAudit: rowOf('ReceiptAudit'),
  ClarificationRequest: rowOf('ClarificationRequest'),
  ProblemFrame: rowOf('ProblemFrame'),
  ScenarioSpec: rowOf('ScenarioSpec'),
  TaskContract: rowOf('TaskContract'),
  PromptReview: rowOf('PromptReview'),
  WorkPlan: rowOf('WorkPlan'),
  WorkResult: rowOf('WorkResult'),
  QualityReview: rowOf('QualityReview'),
  ReleaseAudit: rowOf('ReleaseAudit'),
  UserReport: rowOf('UserReport'),
  Evidence: rowOf('Evidence'),
};

/** Whether a word names a stored type. */
export const isStoredType = (word: string): word is StoredType => storedTypes.some((type) => type === word);

/** Whether a type is part of the public vocabulary; the ledger's own two are not. */
export const isPublic = (type: BodyType): type is ArtifactType => type !== 'UserMessage' && type !== 'ContextDocument';
