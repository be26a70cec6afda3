import { chainStart, linkHash, metaText } from '../chain.ts';
import { LedgerError } from '../errors.ts';
import type { Ledger, LedgerFault } from '../ledger.ts';
import { metaOf, type Reading, statusOf } from './reading.ts';
import { ArtifactWithBody, byEvent, readRow, TraceLine } from './rows.ts';
import type { Statements } from './statements.ts';

const wholeRun = -1;

/** Finds every fault of a run that its own rows can show: links and hashes of the chain, gaps, counts and bodies. */
export const verifyingOf =
  (sql: Statements, reading: Reading): Ledger['verify'] =>
  (runId) => {
    const faults: LedgerFault[] = [];
    const run = reading.rowOf(runId);
    if (run === null) return faults;

    const events = reading.eventRows(runId, sql.events.all(runId, 0, wholeRun));
    const artifacts = sql.artifacts
      .all(runId, 0, wholeRun)
      .map((row) => readRow(ArtifactWithBody, row, runId, 'the row of an artifact'));
    const trace = sql.trace.all(runId, 0, wholeRun).map((row) => readRow(TraceLine, row, runId, 'a row of its trace'));
    const artifactsByEvent = byEvent(artifacts);
    const traceByEvent = byEvent(trace);

    let previousHash = chainStart;
    let version = 1;
    events.forEach((event, index) => {
      const fault = (message: string): void => void faults.push({ sequence: event.sequence, message });
      if (event.sequence !== index + 1) fault(`Event ${index + 1} is missing before event ${event.sequence}.`);
      if (event.previous_hash !== previousHash) fault(`Event ${event.sequence} does not follow the event before it.`);
      if (event.version < version) fault(`Event ${event.sequence} has a lower version than the event before it.`);
      const hash = linkHash({
        previousHash: event.previous_hash,
        runId,
        sequence: event.sequence,
        type: event.type,
        version: event.version,
        at: event.at,
        payload: event.payload,
        artifacts: (artifactsByEvent.get(event.sequence) ?? []).map((row) => metaText(metaOf(row))),
        trace: (traceByEvent.get(event.sequence) ?? []).map((row) => row.entry),
      });
      if (hash !== event.hash) fault(`Event ${event.sequence}, its artifacts or its trace were altered.`);
      previousHash = event.hash;
      version = event.version;
    });

    const atHead = (message: string): void => void faults.push({ sequence: run.head, message });
    if (events.length !== run.head || previousHash !== run.head_hash)
      atHead(`The run says that its chain ends with event ${run.head}, the chain ends elsewhere.`);
    if (version !== run.version) atHead('The version of the run is not the one of its last event.');
    if (artifacts.length !== run.artifact_count || artifacts.some((row, index) => row.position !== index + 1))
      atHead(`The run says that it has ${run.artifact_count} artifacts, ${artifacts.length} are there.`);
    if (trace.length !== run.trace_count || trace.some((row, index) => row.sequence !== index + 1))
      atHead(`The run says that its trace has ${run.trace_count} events, ${trace.length} are there.`);

    for (const row of artifacts) {
      const status = statusOf(row);
      if (status !== 'ok')
        faults.push({
          sequence: row.event_sequence,
          artifactId: row.id,
          message: `The body of artifact ${row.id} ${status === 'missing' ? 'is missing' : 'does not have its digest'}.`,
        });
    }
    return faults;
  };

/** Whether an error is a fault of what is stored, which a verification reports instead of throwing. */
export const isStoredFault = (error: unknown): error is LedgerError =>
  error instanceof LedgerError && error.code === 'integrity_failed';
