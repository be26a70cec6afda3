import { viewOf } from '../../machines/context.ts';
import { limits } from '../../schemas/vocabulary.ts';
import type { Ledger, TraceRow } from '../ledger/ledger.ts';
import { openLedgerReadOnly } from '../ledger/sqlite/sqliteLedger.ts';
import type { StateDirectory } from '../ledger/stateDirectory.ts';
import { CommandError } from './terminal.ts';

/** What the command line shows of a run (mcp-surface section 8). The ledger is opened for reading alone. */

const reading = <T>(state: StateDirectory, read: (ledger: Ledger) => T): T => {
  const ledger = openLedgerReadOnly(state);
  try {
    return ledger.together(() => read(ledger));
  } finally {
    ledger.close();
  }
};

const runOf = (ledger: Ledger, runId: string) => {
  const run = ledger.run(runId);
  if (!run) throw new CommandError(`The ledger of this repository has no run ${runId}.`);
  return run;
};

/** `{ run, artifacts }`: the record, and the metadata of every artifact in insertion order. */
export const status = (state: StateDirectory, runId: string): object =>
  reading(state, (ledger) => ({
    run: viewOf(runOf(ledger, runId).context),
    artifacts: ledger.artifactMeta(runId, 0, limits.artifacts),
  }));

const traceRow = (row: TraceRow): object => ({
  id: row.id,
  runId: row.runId,
  sequence: row.sequence,
  timestamp: row.at,
  actor: row.actor,
  phase: row.phase,
  eventType: row.event,
  inputRefs: row.inputRefs,
  outputRefs: row.outputRefs,
  permissionDecision: row.decision ?? null,
  decisionSummary: row.summary,
  budgetSnapshot: {
    promptRevisions: row.budgets.revisions,
    postExecutionRemediations: row.budgets.remediations,
    transportRetries: 0,
  },
});

/** `{ runId, events }`: the whole trace with the names of the ledger, not those of the wire. */
export const trace = (state: StateDirectory, runId: string): object =>
  reading(state, (ledger) => {
    runOf(ledger, runId);
    return { runId, events: ledger.trace(runId, 0, limits.traceEvents).map(traceRow) };
  });

/** `{ artifact }`: metadata and body, the digest checked. */
export const artifact = (state: StateDirectory, runId: string, artifactId: string): object =>
  reading(state, (ledger) => {
    runOf(ledger, runId);
    const found = ledger.artifact(runId, artifactId);
    if (!found) throw new CommandError(`Run ${runId} has no artifact ${artifactId}.`);
    const { body, type, id, runId: run, ...meta } = found;
    return { artifact: { id, runId: run, type, schemaVersion: '1.0', ...meta, body } };
  });
