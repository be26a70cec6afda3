import { canonicalJson } from '../../../schemas/canonical.ts';
import { damagedRun } from '../errors.ts';
import type { HistoryArtifact, HistoryEvent, HistoryTrace, RunHistory } from '../history.ts';
import type { Database } from './driver.ts';
import { metaOf } from './reading.ts';
import { ArtifactWithBody, byEvent, EventRow, RunRow, readRow, TraceLine } from './rows.ts';
import type { Statements } from './statements.ts';

const everything = -1;

/** Reads whole runs for who verifies or exports them. */
export interface Histories {
  /**
   * @returns null when there is no row of such a run
   * @throws LedgerError `integrity_failed` naming the row that cannot be read
   */
  history(runId: string): RunHistory | null;
  /** The ids of all runs that anything is stored of, also where the row of the run is gone. */
  runIds(): readonly string[];
}

export const historiesOf = (db: Database, sql: Statements): Histories => {
  const withHash = db
    .prepare<[hash: string, runId: string], string>('SELECT run_id FROM events WHERE hash = ? AND run_id <> ? LIMIT 1')
    .pluck();
  const ids = db
    .prepare<[], string>(
      `SELECT run_id FROM runs UNION SELECT run_id FROM events UNION SELECT run_id FROM artifacts
       UNION SELECT run_id FROM trace ORDER BY run_id`,
    )
    .pluck();

  return {
    runIds: () => ids.all(),

    history: (runId) => {
      const row = sql.run.get(runId);
      if (row === undefined) return null;
      const run = readRow(RunRow, row, runId, 'its row');
      const artifacts = sql.artifacts
        .all(runId, 0, everything)
        .map((one) => readRow(ArtifactWithBody, one, runId, 'the row of an artifact'));
      const trace = sql.trace
        .all(runId, 0, everything)
        .map((one) => readRow(TraceLine, one, runId, 'a row of its trace'));
      const artifactOf = (one: ArtifactWithBody): HistoryArtifact => {
        const meta = metaOf(one);
        if (canonicalJson(meta.sourceRefs) !== one.source_refs)
          throw damagedRun(runId, `the references of artifact ${one.id} are not in canonical JSON`);
        return { position: one.position, meta, body: one.body };
      };
      const traceOf = ({ sequence, entry }: TraceLine): HistoryTrace => ({ sequence, entry });
      const [artifactsByEvent, traceByEvent] = [byEvent(artifacts), byEvent(trace)];

      const events = sql.events.all(runId, 0, everything).map((one): HistoryEvent => {
        const event = readRow(EventRow, one, runId, 'a row of its chain');
        return {
          sequence: event.sequence,
          version: event.version,
          type: event.type,
          at: event.at,
          payload: event.payload,
          previousHash: event.previous_hash,
          hash: event.hash,
          artifacts: (artifactsByEvent.get(event.sequence) ?? []).map(artifactOf),
          trace: (traceByEvent.get(event.sequence) ?? []).map(traceOf),
        };
      });
      const known = new Set(events.map(({ sequence }) => sequence));
      const isStray = (one: Readonly<{ event_sequence: number }>): boolean => !known.has(one.event_sequence);

      return {
        run: {
          runId,
          schemaVersion: run.schema_version,
          machineVersion: run.machine_version,
          version: run.version,
          context: run.context,
          snapshot: run.snapshot,
          head: run.head,
          headHash: run.head_hash,
          artifactCount: run.artifact_count,
          traceCount: run.trace_count,
          denials: run.denials,
        },
        events,
        strays: {
          artifacts: artifacts.filter(isStray).map(artifactOf),
          trace: trace.filter(isStray).map(traceOf),
        },
        elsewhere: (hash) => withHash.get(hash, runId) ?? null,
      };
    },
  };
};
