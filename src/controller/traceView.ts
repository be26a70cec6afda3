import type { LedgerEvent } from '../../machines/events.ts';
import type { BodyOf } from '../../schemas/artifacts/index.ts';
import { limits, phaseTable } from '../../schemas/vocabulary.ts';
import type { TraceRow } from '../ledger/ledger.ts';

type TraceEvent = BodyOf<'TraceEvent'>;

/** The published name of each event of the ledger (run-machine section 14, with D14). */
const wireNames: Readonly<Record<LedgerEvent, TraceEvent['eventType']>> = {
  run_started: 'run_started',
  topology_classified: 'topology_classified',
  lineage_linked: 'lineage_linked',
  context_source_stored: 'artifact_recorded',
  scenario_presentation_stored: 'artifact_recorded',
  evidence_captured: 'artifact_recorded',
  companion_stored: 'artifact_recorded',
  phase_submitted: 'phase_submitted',
  permission_checked: 'permission_checked',
  digest_verified: 'digest_verified',
  topology_escalated: 'topology_escalated',
  clarification_requested: 'clarification_requested',
  clarification_answered: 'transition_allowed',
  budget_consumed: 'budget_consumed',
  run_cancelled: 'run_terminated',
  run_ended: 'run_terminated',
  broker_decision: 'broker_decision',
  transition_denied: 'transition_denied',
};

const isReference = (ref: string): boolean => ref.length <= 2048;

/** A page stays readable whatever an event cites: the schema takes 256 references. */
const bounded = (refs: readonly string[]): string[] => refs.filter(isReference).slice(0, limits.references);

/** A trace entry of the ledger as the canonical TraceEvent that callers read (artifacts 8.5). */
export const traceEventOf = (row: TraceRow): TraceEvent => ({
  schemaVersion: '1.0',
  id: row.id,
  runId: row.runId,
  sequence: row.sequence,
  timestamp: row.at,
  actor: row.actor,
  phase: phaseTable[row.phase].wire,
  eventType: wireNames[row.event],
  inputRefs: bounded(row.inputRefs),
  outputRefs: bounded(row.outputRefs),
  tool: null,
  permissionDecision: row.decision ? { ...row.decision, policyRefs: bounded(row.decision.policyRefs) } : null,
  budgetSnapshot: {
    promptRevisions: row.budgets.revisions,
    postExecutionRemediations: row.budgets.remediations,
    transportRetries: 0,
  },
  rationaleSummary: row.summary,
  redactions: [],
});
