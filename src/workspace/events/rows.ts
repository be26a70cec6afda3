import type { Database, Statement } from 'better-sqlite3';
import type { NewEvent, StoredEvent } from './log.ts';

/** A row of the table `events`, as SQLite gives it. */
export interface EventRow {
  readonly seq: number;
  readonly workspace: string;
  readonly connection: string | null;
  readonly kind: NewEvent['kind'];
  readonly ref: string | null;
  /** JSON of an object. */
  readonly body: string;
  readonly time_ms: number;
}

const columns = 'seq, workspace, connection, kind, ref, body, time_ms';

/** The statements on the table `events`. */
export interface EventStatements {
  readonly insert: Statement<[EventRow]>;
  readonly first: Statement<[], number | null>;
  readonly last: Statement<[], number | null>;
  readonly after: Statement<[seq: number, limit: number], EventRow>;
  readonly trim: Statement<[Readonly<{ seq: number; time: number }>]>;
  readonly presence: Statement<[workspace: string], string>;
}

export const eventStatements = (db: Database): EventStatements => ({
  insert: db.prepare(
    `INSERT INTO events (${columns}) VALUES (@seq, @workspace, @connection, @kind, @ref, @body, @time_ms)`,
  ),
  first: db.prepare<[], number | null>('SELECT min(seq) FROM events').pluck(),
  last: db.prepare<[], number | null>('SELECT max(seq) FROM events').pluck(),
  after: db.prepare<[number, number], EventRow>(`SELECT ${columns} FROM events WHERE seq > ? ORDER BY seq LIMIT ?`),
  // A prefix of the log: what is old and behind the newest that are kept in any case.
  trim: db.prepare(
    'DELETE FROM events WHERE seq <= @seq AND seq < coalesce((SELECT min(seq) FROM events WHERE time_ms >= @time), @seq + 1)',
  ),
  presence: db
    .prepare<[string], string>(
      "SELECT body FROM events WHERE workspace = ? AND kind = 'presence' ORDER BY seq DESC LIMIT 1",
    )
    .pluck(),
});

/** The event of a row. */
export const storedEvent = ({ body, ...row }: EventRow): StoredEvent => ({ ...row, body: JSON.parse(body) });
