import type { IntentMode, OutcomeHint, RecordPhase, RecordStatus, RunTopology } from '../schemas/vocabulary.ts';

/** One choice of the open question. */
export type Choice = Readonly<{ id: string; effect: 'resume' | 'cancel' | 'new_run' }>;

export type Budget = 'revisions' | 'remediations';

/** The fix gate of `analyze_and_fix`: `issued` by a proceed_to_fix review, `unlocked` by the plan that follows it. */
export type FixGate = 'none' | 'issued' | 'unlocked';

export type QualityDecision = 'pass' | 'partial' | 'block' | 'remediate' | 'proceed_to_fix';
export type AuditDecision = 'release' | 'partial' | 'block' | 'remediate';

/**
 * Control data of a run: the run record of run-machine section 1 and what the guards need beside it (section 18).
 * Bodies and full lists are the record's (`record.ts`); this stays small, for it is written with every commit.
 */
export interface RunContext {
  readonly runId: string;
  readonly repositoryRoot: string;
  readonly mode: IntentMode;
  readonly topology: RunTopology;
  readonly escalations: number;
  readonly priorRunId: string | null;
  readonly status: RecordStatus;
  /** The record name of the phase; it stays at the last one when the run pauses or ends. */
  readonly phase: RecordPhase;
  readonly resumePhase: RecordPhase | null;
  /** The optimistic token: grows by exactly one with each accepted versioned event. */
  readonly version: number;
  readonly budgets: Readonly<Record<Budget, number>>;
  readonly hint: OutcomeHint | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** Stored ClarificationRequests: the first is shown, a second only blocks. */
  readonly questions: number;
  readonly choices: readonly Choice[];
  /** References to a question and its answer that the next phase artifact must cite. */
  readonly lineage: readonly string[];
  readonly contractVersion: number;
  readonly gate: FixGate;
  /** Whether every node of the latest plan has completed; null while there is no plan to execute. */
  readonly nodesCompleted: boolean | null;
  readonly quality: QualityDecision | null;
  readonly audit: AuditDecision | null;
  /** What stopped the run before an audit could be written (V3, V4 or K4). */
  readonly blockedBy: 'review' | 'question' | null;
}

/** What a run starts from; all of it was decided by `start.ts` and is stored with the first event. */
export type RunInput = Pick<
  RunContext,
  'runId' | 'repositoryRoot' | 'mode' | 'topology' | 'priorRunId' | 'createdAt'
> & {
  /** Over MCP always 1; the inner interface can start a run without a revision. */
  readonly revisions?: number;
};

/** The action id of a version: the whole token is a function of run and version. */
export const actionIdOf = (run: Pick<RunContext, 'runId' | 'version'>): string => `action:${run.runId}:${run.version}`;

/**
 * The context of a new run. XState also calls this without input, for the throw-away actor that each pure step builds.
 */
export const newRun = ({ input }: { input?: RunInput }): RunContext => ({
  runId: input?.runId ?? '',
  repositoryRoot: input?.repositoryRoot ?? '',
  mode: input?.mode ?? 'report_only',
  topology: input?.topology ?? 'standard',
  escalations: 0,
  priorRunId: input?.priorRunId ?? null,
  status: 'running',
  phase: 'context_grounding',
  resumePhase: null,
  version: 1,
  budgets: { revisions: input?.revisions ?? 1, remediations: 1 },
  hint: null,
  createdAt: input?.createdAt ?? '',
  updatedAt: input?.createdAt ?? '',
  questions: 0,
  choices: [],
  lineage: [],
  contractVersion: 0,
  gate: 'none',
  nodesCompleted: null,
  quality: null,
  audit: null,
  blockedBy: null,
});

/** The keys of `run` in every answer (mcp-surface section 3, telic_start_run). */
export interface RunView {
  readonly runId: string;
  readonly schemaVersion: '1.0';
  readonly repositoryRoot: string;
  readonly requestedMode: IntentMode;
  readonly topology: RunTopology;
  readonly escalationCount: number;
  readonly priorRunId: string | null;
  readonly status: RecordStatus;
  readonly phase: RecordPhase;
  readonly resumePhase: RecordPhase | null;
  readonly version: number;
  readonly budgets: Readonly<{ promptRevisionsRemaining: number; postExecutionRemediationsRemaining: number }>;
  readonly outcomeHint: OutcomeHint | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** The run record as callers see it. */
export const viewOf = (run: RunContext): RunView => ({
  runId: run.runId,
  schemaVersion: '1.0',
  repositoryRoot: run.repositoryRoot,
  requestedMode: run.mode,
  topology: run.topology,
  escalationCount: run.escalations,
  priorRunId: run.priorRunId,
  status: run.status,
  phase: run.phase,
  resumePhase: run.resumePhase,
  version: run.version,
  budgets: {
    promptRevisionsRemaining: run.budgets.revisions,
    postExecutionRemediationsRemaining: run.budgets.remediations,
  },
  outcomeHint: run.hint,
  createdAt: run.createdAt,
  updatedAt: run.updatedAt,
});
