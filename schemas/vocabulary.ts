import { z } from 'zod';

/** Every closed list of words of the protocol, once. Names on the wire are fixed. */

export const schemaVersion = '1.0';

export const intentModes = ['report_only', 'plan_only', 'analyze_only', 'fix_only', 'analyze_and_fix'] as const;
export const IntentMode = z.enum(intentModes);
export type IntentMode = z.infer<typeof IntentMode>;

export const topologies = ['micro', 'standard', 'forensic'] as const;
export const RunTopology = z.enum(topologies);
export type RunTopology = z.infer<typeof RunTopology>;

export const actionCapabilities = [
  'repository.read',
  'repository.write',
  'repository.delete',
  'shell.inspect',
  'shell.execute',
  'runtime.inspect',
  'runtime.restart',
  'browser.inspect',
  'browser.mutate',
  'network.read',
  'external.write',
  'subagent.spawn',
] as const;
export const ActionCapability = z.enum(actionCapabilities);
export type ActionCapability = z.infer<typeof ActionCapability>;

export const verificationCapabilities = [
  'repository.read',
  'shell.inspect',
  'shell.execute',
  'runtime.inspect',
  'browser.inspect',
  'network.read',
] as const;
export const VerificationCapability = z.enum(verificationCapabilities);
export type VerificationCapability = z.infer<typeof VerificationCapability>;

/** The status of a run's record. */
export const recordStatuses = [
  'running',
  'awaiting_clarification',
  'completed',
  'partial',
  'blocked',
  'cancelled',
] as const;
export const RecordStatus = z.enum(recordStatuses);
export type RecordStatus = z.infer<typeof RecordStatus>;

export const TerminalStatus = z.enum(['completed', 'partial', 'blocked', 'cancelled', 'failed_verification']);
export type TerminalStatus = z.infer<typeof TerminalStatus>;

export const OutcomeHint = z.enum(['completed', 'partial', 'blocked']);
export type OutcomeHint = z.infer<typeof OutcomeHint>;

export const logicalRoles = [
  'controller',
  'scenario_author',
  'task_compiler',
  'quality_controller',
  'executor',
  'release_auditor',
  'host',
  'tool',
  'user',
] as const;
export const LogicalRole = z.enum(logicalRoles);
export type LogicalRole = z.infer<typeof LogicalRole>;

export const WorkRole = LogicalRole.exclude(['host', 'tool', 'user']);
export type WorkRole = z.infer<typeof WorkRole>;

/** The published phase names; `received`, `contract_validation` and a few more are reserved and never produced. */
export const workPhases = [
  'received',
  'context_discovery',
  'agent_1_frame',
  'agent_2_compile',
  'agent_1_review',
  'agent_2_revision',
  'contract_validation',
  'agent_3_plan',
  'plan_validation',
  'agent_4_execute',
  'diagnosis_review',
  'agent_3_quality_review',
  'agent_3_evidence_reverify',
  'remediation_plan',
  'agent_4_remediation',
  'agent_5_release_audit',
  'user_report',
] as const;
export const WorkPhase = z.enum(workPhases);
export type WorkPhase = z.infer<typeof WorkPhase>;

export const TerminalPhase = z.enum(['completed', 'partial', 'blocked', 'cancelled']);
export type TerminalPhase = z.infer<typeof TerminalPhase>;

export const Phase = z.enum([...workPhases, 'awaiting_clarification', ...TerminalPhase.options]);
export type Phase = z.infer<typeof Phase>;

/** The phase names of the run's record. */
export const recordPhases = [
  'context_grounding',
  'agent_1_frame',
  'agent_2_compile',
  'agent_2_revise',
  'agent_1_review',
  'agent_3_plan',
  'agent_4_execute',
  'agent_3_review',
  'agent_3_evidence_reverify',
  'agent_5_audit',
  'agent_5_report',
] as const;
export const RecordPhase = z.enum(recordPhases);
export type RecordPhase = z.infer<typeof RecordPhase>;

/** Artifact types that are part of the public vocabulary. */
export const artifactTypes = [
  'RunEnvelope',
  'ContextManifest',
  'NextAction',
  'ClarificationRequest',
  'ProblemFrame',
  'ScenarioSpec',
  'TaskContract',
  'PromptReview',
  'WorkPlan',
  'WorkResult',
  'QualityReview',
  'ReleaseAudit',
  'ReceiptAudit',
  'UserReport',
  'TraceEvent',
  'Evidence',
] as const;
export const ArtifactType = z.enum(artifactTypes);
export type ArtifactType = z.infer<typeof ArtifactType>;

/** What a host may submit with `telic_submit_artifact`. */
export const submittedTypes = [
  'ClarificationRequest',
  'ProblemFrame',
  'ScenarioSpec',
  'TaskContract',
  'PromptReview',
  'WorkPlan',
  'WorkResult',
  'QualityReview',
  'ReleaseAudit',
  'UserReport',
  'Evidence',
] as const;
export const SubmittedType = z.enum(submittedTypes);
export type SubmittedType = z.infer<typeof SubmittedType>;

/** Everything that is stored as an artifact of a run, the two ledger-only bodies included. */
export const storedTypes = [
  'UserMessage',
  'RunEnvelope',
  'ContextDocument',
  'ContextManifest',
  'ReceiptAudit',
  ...submittedTypes,
] as const;
export const StoredType = z.enum(storedTypes);
export type StoredType = z.infer<typeof StoredType>;

export const Redaction = z.enum(['none', 'partial', 'full']);
export type Redaction = z.infer<typeof Redaction>;

/** One row a working phase: its name in the record, on the wire, its role, what it asks for and what else it takes. */
export interface PhaseRow {
  readonly record: RecordPhase;
  readonly wire: WorkPhase;
  readonly role: WorkRole;
  /** First the required type, then the alternatives. */
  readonly accepts: readonly (SubmittedType | 'ContextManifest')[];
  /** Supporting types: they are stored without moving the run. */
  readonly supports: readonly SubmittedType[];
}

const row = (
  record: RecordPhase,
  wire: WorkPhase,
  role: WorkRole,
  accepts: PhaseRow['accepts'],
  supports: PhaseRow['supports'] = [],
): PhaseRow => ({ record, wire, role, accepts, supports });

/** The table of run-machine section 2. */
export const phaseTable: Readonly<Record<RecordPhase, PhaseRow>> = {
  context_grounding: row('context_grounding', 'context_discovery', 'controller', [
    'ContextManifest',
    'ClarificationRequest',
  ]),
  agent_1_frame: row('agent_1_frame', 'agent_1_frame', 'scenario_author', ['ProblemFrame', 'ClarificationRequest']),
  agent_2_compile: row(
    'agent_2_compile',
    'agent_2_compile',
    'task_compiler',
    ['TaskContract', 'ClarificationRequest'],
    ['ScenarioSpec'],
  ),
  agent_2_revise: row('agent_2_revise', 'agent_2_revision', 'task_compiler', ['TaskContract', 'ClarificationRequest']),
  agent_1_review: row('agent_1_review', 'agent_1_review', 'scenario_author', ['PromptReview', 'ClarificationRequest']),
  agent_3_plan: row('agent_3_plan', 'agent_3_plan', 'quality_controller', ['WorkPlan', 'ClarificationRequest']),
  agent_4_execute: row(
    'agent_4_execute',
    'agent_4_execute',
    'executor',
    ['WorkResult', 'ClarificationRequest'],
    ['Evidence'],
  ),
  agent_3_review: row('agent_3_review', 'agent_3_quality_review', 'quality_controller', [
    'QualityReview',
    'ClarificationRequest',
  ]),
  agent_3_evidence_reverify: row('agent_3_evidence_reverify', 'agent_3_evidence_reverify', 'quality_controller', [
    'QualityReview',
    'ClarificationRequest',
  ]),
  agent_5_audit: row('agent_5_audit', 'agent_5_release_audit', 'release_auditor', ['ReleaseAudit']),
  agent_5_report: row('agent_5_report', 'user_report', 'release_auditor', ['UserReport']),
};

/** Who produces an artifact of a type; a ClarificationRequest comes from the role of the phase that asks. */
export const producers: Readonly<Record<Exclude<StoredType, 'ClarificationRequest'>, LogicalRole>> = {
  UserMessage: 'user',
  RunEnvelope: 'controller',
  ContextDocument: 'controller',
  ContextManifest: 'controller',
  ReceiptAudit: 'controller',
  ProblemFrame: 'scenario_author',
  ScenarioSpec: 'scenario_author',
  PromptReview: 'scenario_author',
  TaskContract: 'task_compiler',
  WorkPlan: 'quality_controller',
  QualityReview: 'quality_controller',
  WorkResult: 'executor',
  Evidence: 'executor',
  ReleaseAudit: 'release_auditor',
  UserReport: 'release_auditor',
};

/** Modes that visit `execute`. */
export const executes = (mode: IntentMode): boolean => mode !== 'report_only' && mode !== 'plan_only';

/** The six named inspections that `shell.inspect` takes as a target. */
export const inspectTargets = [
  'git.status',
  'git.diff',
  'git.log',
  'network.listen',
  'process.list',
  'runtime.logs',
] as const;

/** Bounds of one run: without them a host in a loop would fill the disk. */
export const limits = {
  artifacts: 2048,
  traceEvents: 10_000,
  /** Kept for versioned events, so that cancelling and the report always fit (D10). */
  reservedArtifacts: 8,
  reservedTraceEvents: 500,
  deniedTraceEventsPerVersion: 8,
  traceSummary: 800,
  bodyBytes: 2_097_152,
  planToolCalls: 4000,
  evidencePerPlan: 128,
  references: 256,
  issues: 32,
  issueMessage: 400,
  errorMessage: 800,
} as const;

/** The parts of a next action that can be fetched alone; `variants` and `sources` are parts of the brief. */
export const actionParts = ['brief', 'schemas', 'alternatives', 'variants', 'sources'] as const;
export type ActionPart = (typeof actionParts)[number];

/** What a host counts of the text of an answer: its characters, its bytes of UTF-8, or the text as JSON quotes it. */
export type AnswerMeasure = 'characters' | 'bytes' | 'quoted';

/**
 * How much of an answer a host shows whole, by the beginning of the name that its client gives (guidance section 7;
 * measured in hosts section 4). Cline quotes the text in a result of 8,000 characters: about 7,200 of the text itself.
 */
export const answerBudgets: Readonly<Record<string, Readonly<{ most: number; measure: AnswerMeasure }>>> = {
  '@cline/': { most: 7950, measure: 'quoted' },
  'codex-mcp-client': { most: 11_500, measure: 'bytes' },
  'qwen-cli-mcp-client': { most: 25_000, measure: 'characters' },
  'gemini-cli-mcp-client': { most: 38_000, measure: 'characters' },
  'claude-code': { most: 38_000, measure: 'characters' },
  opencode: { most: 38_000, measure: 'bytes' },
};

/** What any other host gets; from here on nothing of an ordinary action is left out. */
export const fullAnswerBudget = 38_000;
