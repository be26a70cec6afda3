import { damagedArtifact, LedgerError } from '../errors.ts';
import type { HistoryArtifact, RunHistory } from '../history.ts';
import type { Ledger } from '../ledger.ts';
import { insertArtifact } from './artifactRow.ts';
import type { Database } from './driver.ts';
import type { Statements } from './statements.ts';

const taken = (runId: string, how: string): LedgerError =>
  new LedgerError('id_taken', `Run ${runId} ${how}; nothing was written.`, ['Look at the run that is here.'], {
    runId,
  });

/** The write of an exported run: all its rows in one immediate transaction, exactly as they were. */
export const admittingOf = (db: Database, sql: Statements): Ledger['admit'] => {
  const writeArtifact = ({ meta, position, body }: HistoryArtifact, eventSequence: number): void => {
    if (body === null) throw damagedArtifact(meta.runId, meta.id, 'its body is missing');
    insertArtifact(sql, meta, body, { position, eventSequence });
  };

  const write = db.transaction(({ run, events }: RunHistory): void => {
    const { runId } = run;
    if (sql.run.get(runId) !== undefined) throw taken(runId, 'is in this ledger already');
    if (sql.tombstone.get(runId) !== undefined)
      throw taken(runId, 'was deleted from this ledger and does not come back');
    sql.insertRun.run({ ...run });
    for (const { sequence, version, type, at, payload, previousHash, hash, artifacts, trace } of events) {
      sql.insertEvent.run({ runId, sequence, version, type, at, payload, previousHash, hash });
      for (const artifact of artifacts) writeArtifact(artifact, sequence);
      for (const { sequence: number, entry } of trace) sql.insertTrace.run(runId, number, sequence, entry);
    }
  });

  return (history) => write.immediate(history);
};
