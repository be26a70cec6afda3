import { statSync } from 'node:fs';
import { z } from 'zod';
import { RecordStatus } from '../../../schemas/vocabulary.ts';
import { LedgerError } from '../errors.ts';
import type { Deletion, KeptRun, Retention, Unnamed, Weight } from '../retention.ts';
import { checkStateDirectory, type StateDirectory } from '../stateDirectory.ts';
import { type Connection, connectForReading, connectForWriting, noLedger } from './connection.ts';
import type { Database } from './driver.ts';
import { tombstoneOf } from './reading.ts';
import { readRow, TombstoneRow } from './rows.ts';
import { asLedgerError } from './sqliteErrors.ts';

const count = z.int().min(0);

/** What is read of a run: damaged JSON, unknown words and missing rows leave gaps, and never keep a run from going. */
const KeptRow = z.object({
  run_id: z.string(),
  root: z.unknown(),
  status: z.unknown(),
  created_at: z.string(),
  updated_at: z.string(),
  events: count,
  artifacts: count,
});

const keptColumns = `
  r.run_id,
  iif(json_valid(r.context), r.context ->> 'repositoryRoot', NULL) AS root,
  iif(json_valid(r.context), r.context ->> 'status', NULL) AS status,
  coalesce((SELECT at FROM events WHERE run_id = r.run_id ORDER BY sequence LIMIT 1), '') AS created_at,
  coalesce((SELECT at FROM events WHERE run_id = r.run_id ORDER BY sequence DESC LIMIT 1), '') AS updated_at,
  (SELECT count(*) FROM events WHERE run_id = r.run_id) AS events,
  (SELECT count(*) FROM artifacts WHERE run_id = r.run_id) AS artifacts
`;

/** The runs that go, by their place in the order; a body goes with the last of the runs that name it. */
const weighing = `
  WITH going (run_id, place) AS MATERIALIZED (SELECT value, key FROM json_each(?)),
  named (sha256) AS MATERIALIZED (SELECT DISTINCT sha256 FROM artifacts WHERE run_id IN (SELECT run_id FROM going)),
  freed (sha256, place) AS (
    SELECT n.sha256, max(g.place)
    FROM named n JOIN artifacts a ON a.sha256 = n.sha256 LEFT JOIN going g ON g.run_id = a.run_id
    GROUP BY n.sha256 HAVING count(*) = count(g.place)
  ),
  freedBodies (place, bodies, bytes) AS (
    SELECT place, count(*), sum(octet_length(body)) FROM freed JOIN bodies USING (sha256) GROUP BY place
  )
  SELECT
    coalesce(f.bodies, 0) AS bodies,
    coalesce(f.bytes, 0) AS bodyBytes,
    coalesce((SELECT sum(octet_length(context) + octet_length(snapshot)) FROM runs WHERE run_id = g.run_id), 0)
      + coalesce((SELECT sum(octet_length(payload)) FROM events WHERE run_id = g.run_id), 0)
      + coalesce((SELECT sum(octet_length(entry)) FROM trace WHERE run_id = g.run_id), 0)
      + coalesce((SELECT sum(octet_length(source_refs)) FROM artifacts WHERE run_id = g.run_id), 0) AS rowBytes
  FROM going g LEFT JOIN freedBodies f USING (place) ORDER BY place
`;

const unnamedBodies = 'NOT EXISTS (SELECT 1 FROM artifacts WHERE sha256 = bodies.sha256)';

const WeightRow = z.object({ bodies: count, bodyBytes: count, rowBytes: count });
const UnnamedRow = z.object({ count, bytes: count });

const endedStatuses: readonly string[] = RecordStatus.options.filter(
  (status) => status !== 'running' && status !== 'awaiting_clarification',
);

const wordOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);

const keptRun = (raw: unknown): KeptRun => {
  const row = readRow(KeptRow, raw, KeptRow.pick({ run_id: true }).safeParse(raw).data?.run_id ?? '', 'its row');
  const status = wordOrNull(row.status);
  return {
    runId: row.run_id,
    repositoryRoot: wordOrNull(row.root),
    status,
    ended: status !== null && endedStatuses.includes(status),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    events: row.events,
    artifacts: row.artifacts,
  };
};

const sizeOf = (state: StateDirectory): number =>
  [state.database, `${state.database}-wal`]
    .map((path) => statSync(path, { throwIfNoEntry: false })?.size ?? 0)
    .reduce((sum, size) => sum + size, 0);

const noWeight: Weight = { bodies: 0, bodyBytes: 0, rowBytes: 0 };

const retentionOver = (db: Database, state: StateDirectory): Retention => {
  const guarded = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw asLedgerError(error, state);
    }
  };

  const run: Retention['run'] = (runId) => {
    const row = db.prepare(`SELECT ${keptColumns} FROM runs r WHERE run_id = ?`).get(runId);
    return row === undefined ? null : keptRun(row);
  };

  const tombstone: Retention['tombstone'] = (runId) => {
    const row = db.prepare('SELECT * FROM tombstones WHERE run_id = ?').get(runId);
    return row === undefined ? null : tombstoneOf(readRow(TombstoneRow, row, runId, 'its tombstone'));
  };

  const weigh: Retention['weigh'] = (runIds) =>
    z.array(WeightRow).parse(db.prepare(weighing).all(JSON.stringify(runIds)));

  const unnamed = (): Unnamed =>
    UnnamedRow.parse(
      db
        .prepare(
          `SELECT count(*) AS count, coalesce(sum(octet_length(body)), 0) AS bytes FROM bodies WHERE ${unnamedBodies}`,
        )
        .get(),
    );

  const remove = db.transaction((runId: string, at: string, force: boolean, events?: number): Deletion => {
    const gone = tombstone(runId);
    if (gone !== null) return { outcome: 'gone', tombstone: gone };
    const kept = run(runId);
    if (kept === null) return { outcome: 'unknown' };
    if ((!kept.ended && !force) || (events !== undefined && kept.events !== events))
      return { outcome: 'unended', run: kept };
    const [weight = noWeight] = weigh([runId]);
    db.prepare(
      `INSERT INTO tombstones (run_id, created_at, updated_at, deleted_at, head, head_hash)
       SELECT run_id, @createdAt, @updatedAt, @at, head, head_hash FROM runs WHERE run_id = @runId`,
    ).run({ runId, createdAt: kept.createdAt, updatedAt: kept.updatedAt, at });
    const left = tombstone(runId);
    if (left === null) throw new Error(`Run ${runId} left no tombstone.`);
    return { outcome: 'deleted', run: kept, weight, tombstone: left };
  });

  const removeUnnamed = db.transaction((): Unnamed => {
    const found = unnamed();
    if (found.count > 0) db.exec(`DELETE FROM bodies WHERE ${unnamedBodies}`);
    return found;
  });

  return {
    runs: () => guarded(() => db.prepare(`SELECT ${keptColumns} FROM runs r ORDER BY changed`).all().map(keptRun)),
    run: (runId) => guarded(() => run(runId)),
    tombstone: (runId) => guarded(() => tombstone(runId)),
    linkedBy: (runId) =>
      guarded(() =>
        z.array(z.string()).parse(
          db
            .prepare(
              `SELECT run_id FROM runs
               WHERE iif(json_valid(context), context ->> 'priorRunId', NULL) = ? ORDER BY changed`,
            )
            .pluck()
            .all(runId),
        ),
      ),
    weigh: (runIds) => guarded(() => weigh(runIds)),
    delete: (runId, at, force, events) => guarded(() => remove.immediate(runId, at, force, events)),
    unnamed: () => guarded(unnamed),
    deleteUnnamed: () => guarded(() => removeUnnamed.immediate()),

    compact: () => {
      const bytesBefore = sizeOf(state);
      try {
        guarded(() => {
          db.exec('VACUUM');
          db.pragma('wal_checkpoint(TRUNCATE)');
        });
        return { done: true, why: null, bytesBefore, bytesAfter: sizeOf(state) };
      } catch (error) {
        // What was deleted is gone all the same: only its space is still in the file.
        if (!(error instanceof LedgerError) || error.code !== 'state_unavailable') throw error;
        return { done: false, why: error.message, bytesBefore, bytesAfter: sizeOf(state) };
      }
    },

    close: () => void db.close(),
  };
};

const opened = (state: StateDirectory, connect: () => Connection): Retention => {
  try {
    const { db } = connect();
    try {
      return retentionOver(db, state);
    } catch (error) {
      db.close();
      throw error;
    }
  } catch (error) {
    throw asLedgerError(error, state);
  }
};

/**
 * Opens an existing ledger for looking at what could be deleted; nothing on disk changes.
 *
 * @throws LedgerError as `openLedgerReadOnly`
 */
export const openRetentionReadOnly = (state: StateDirectory): Retention =>
  opened(state, () => connectForReading(state));

/**
 * Opens an existing ledger for deleting runs. Deleted rows are overwritten in the file.
 *
 * @throws LedgerError `state_unavailable` when there is none, and as `openLedger`
 */
export const openRetention = (state: StateDirectory): Retention =>
  opened(state, () => {
    if (!checkStateDirectory(state).hasLedger) throw noLedger(state);
    const connection = connectForWriting(state);
    connection.db.pragma('secure_delete = ON');
    return connection;
  });
