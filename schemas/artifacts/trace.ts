import { z } from 'zod';
import { rule, withRules } from '../bodyRules.ts';
import { ArtifactUri, head, Id, int, list, Refs, RefUri, Summary, str, Ts } from '../primitives.ts';
import { LogicalRole, Phase } from '../vocabulary.ts';

/** One observable step of a run, rendered from the ledger (artifacts 8.5). */

export const TraceEventType = z.enum([
  'run_started',
  'context_selected',
  'phase_started',
  'phase_submitted',
  'artifact_recorded',
  'transition_allowed',
  'transition_denied',
  'permission_checked',
  'broker_decision',
  'tool_started',
  'tool_finished',
  'budget_consumed',
  'clarification_requested',
  'redaction_applied',
  'run_terminated',
  'topology_classified',
  'topology_escalated',
  'digest_verified',
  'lineage_linked',
]);
export type TraceEventType = z.infer<typeof TraceEventType>;

export const RedactionCategory = z.enum(['credential', 'secret', 'personal_data', 'sensitive_output']);
export type RedactionCategory = z.infer<typeof RedactionCategory>;

export const PermissionVerdict = z.enum(['allow', 'deny']);
export type PermissionVerdict = z.infer<typeof PermissionVerdict>;

export const ToolTrace = z.strictObject({
  name: str(1, 255),
  argumentsRef: ArtifactUri.nullable(),
  resultRef: ArtifactUri.nullable(),
  exitStatus: int(0, 255).nullable(),
});
export type ToolTrace = z.infer<typeof ToolTrace>;

export const PermissionDecision = z.strictObject({
  decision: PermissionVerdict,
  capability: str(1, 255),
  scope: str(1, 2048),
  policyRefs: Refs,
  rationaleSummary: Summary,
});
export type PermissionDecision = z.infer<typeof PermissionDecision>;

export const TraceBudget = z.strictObject({
  promptRevisions: int(0, 1),
  postExecutionRemediations: int(0, 1),
  transportRetries: int(0, 10),
});
export type TraceBudget = z.infer<typeof TraceBudget>;

export const RedactionMark = z.strictObject({ id: Id, targetRef: RefUri, category: RedactionCategory });
export type RedactionMark = z.infer<typeof RedactionMark>;

const Fields = z.strictObject({
  ...head,
  sequence: int(0, Number.MAX_SAFE_INTEGER),
  timestamp: Ts,
  actor: LogicalRole,
  phase: Phase,
  eventType: TraceEventType,
  inputRefs: Refs,
  outputRefs: Refs,
  tool: ToolTrace.nullable(),
  permissionDecision: PermissionDecision.nullable(),
  budgetSnapshot: TraceBudget,
  rationaleSummary: Summary,
  redactions: list(RedactionMark),
});
type Event = z.output<typeof Fields>;

export const traceEventRules = [
  rule<Event>(
    'SCH-TRACE-01',
    ['permissionDecision'],
    'A permission event carries its decision.',
    'Add the decision.',
    ({ eventType, permissionDecision }) =>
      (eventType === 'permission_checked' || eventType === 'broker_decision') &&
      permissionDecision === null &&
      `eventType is "${eventType}" and permissionDecision is null`,
  ),
  rule<Event>(
    'SCH-TRACE-02',
    ['tool'],
    'A tool event names its tool.',
    'Add the tool.',
    ({ eventType, tool }) =>
      (eventType === 'tool_started' || eventType === 'tool_finished') &&
      tool === null &&
      `eventType is "${eventType}" and tool is null`,
  ),
] as const;

export const TraceEvent = withRules(Fields, traceEventRules);
export type TraceEvent = z.infer<typeof TraceEvent>;
