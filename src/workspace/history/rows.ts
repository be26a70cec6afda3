import type { Database, Statement } from 'better-sqlite3';

/** A step as the table `steps` holds it: what is taken back together. */
export interface StepRow {
  readonly id: number;
  readonly workspace: string;
  readonly connection: string;
  readonly token: string;
  readonly key: string;
  readonly number: number;
  readonly label: string;
  readonly run_id: string | null;
  readonly run_title: string | null;
}

/** A change as the table `changes` holds it. */
export interface ChangeRow {
  readonly seq: number;
  readonly step: number;
  readonly workspace: string;
  readonly app: string;
  readonly ref: string;
  readonly path: string;
  readonly action: string;
  readonly action_path: string;
  readonly sentence: string;
  readonly by: string;
  readonly invocation: string;
  readonly effect: 0 | 1;
  readonly time_ms: number;
  /** 0 while in place, else the sequence of the event that took it back. */
  readonly undone: number;
  /** The connection that took it back. */
  readonly undone_by: string | null;
}

/** One key that a change wrote: canonical JSON, null where nothing stood. */
export interface OpRow {
  readonly change: number;
  readonly key: string;
  readonly before: string | null;
  readonly after: string | null;
}

type Space = [workspace: string, app: string];

/** A step of an app that was taken back and may be put back. */
export interface TakenBack {
  readonly step: number;
  /** Of the step. */
  readonly connection: string;
  readonly key: string;
  /** The newest event that took some of it back. */
  readonly latest: number;
}

export interface HistoryStatements {
  readonly endpoint: Statement<[connection: string], string | null>;
  readonly step: Statement<[id: number], StepRow>;
  readonly stepByKey: Statement<[workspace: string, connection: string, key: string], StepRow>;
  readonly stepsOfRun: Statement<[workspace: string, run: string], StepRow>;
  readonly appsOfStep: Statement<[step: number], string>;
  readonly nextNumber: Statement<[connection: string], number>;
  readonly highestNumber: Statement<[connection: string], number>;
  readonly insertStep: Statement<[Omit<StepRow, 'id'>]>;
  readonly nameRun: Statement<[title: string, id: number]>;
  readonly change: Statement<[workspace: string, seq: number], ChangeRow>;
  readonly changes: Statement<[step: number, app: string], ChangeRow>;
  readonly ops: Statement<[step: number, app: string], OpRow>;
  readonly insertChange: Statement<[ChangeRow]>;
  readonly insertOp: Statement<[OpRow & Readonly<{ ordinal: number; workspace: string; app: string }>]>;
  readonly takeBack: Statement<[event: number, connection: string | null, seq: number]>;
  readonly putBack: Statement<[seq: number]>;
  /** The latest change in place of each step of a connection in an app, newest first, below a sequence number. */
  readonly inPlace: Statement<
    [...Space, before: number, connection: string, limit: number],
    { step: number; seq: number }
  >;
  readonly takenBack: Statement<[...Space, connection: string, connection: string], TakenBack>;
  /** Whether a connection changed something in an app after an event. */
  readonly changedSince: Statement<[...Space, seq: number, connection: string], 1>;
  /** The changes that wrote a key, newest first. */
  readonly writers: Statement<[...Space, key: string], ChangeRow>;
  readonly lastChanges: Statement<Space, [ref: string, seq: number]>;
  /** The latest change of each step in each app, newest first, below a sequence number. */
  readonly activity: Statement<
    [workspace: string, before: number, limit: number],
    { step: number; app: string; latest: number }
  >;
}

const stepColumns = 'id, workspace, connection, token, key, number, label, run_id, run_title';
const changeNames = [
  'seq',
  'step',
  'workspace',
  'app',
  'ref',
  'path',
  'action',
  'action_path',
  'sentence',
  'by',
  'invocation',
  'effect',
  'time_ms',
  'undone',
  'undone_by',
] as const satisfies readonly (keyof ChangeRow)[];
const changeColumns = changeNames.map((name) => `"${name}"`).join(', ');
const changeColumnsOf = (table: string): string => changeNames.map((name) => `${table}."${name}"`).join(', ');
const changeValues = changeNames.map((name) => `@${name}`).join(', ');

/** The statements of history on the tables `steps`, `changes` and `ops`. */
export const historyStatements = (db: Database): HistoryStatements => ({
  endpoint: db.prepare<[string], string | null>('SELECT endpoint FROM connections WHERE id = ?').pluck(),
  step: db.prepare<[number], StepRow>(`SELECT ${stepColumns} FROM steps WHERE id = ?`),
  stepByKey: db.prepare<[string, string, string], StepRow>(
    `SELECT ${stepColumns} FROM steps WHERE workspace = ? AND connection = ? AND key = ?`,
  ),
  stepsOfRun: db.prepare<[string, string], StepRow>(
    `SELECT ${stepColumns} FROM steps WHERE workspace = ? AND run_id = ? ORDER BY id DESC`,
  ),
  appsOfStep: db.prepare<[number], string>('SELECT DISTINCT app FROM changes WHERE step = ? ORDER BY app').pluck(),
  nextNumber: db
    .prepare<[string], number>('UPDATE connections SET last_step = last_step + 1 WHERE id = ? RETURNING last_step')
    .pluck(),
  highestNumber: db
    .prepare<[string], number>('SELECT coalesce(max(number), 0) FROM steps WHERE connection = ?')
    .pluck(),
  insertStep: db.prepare(
    `INSERT INTO steps (workspace, connection, token, key, number, label, run_id, run_title)
     VALUES (@workspace, @connection, @token, @key, @number, @label, @run_id, @run_title)`,
  ),
  nameRun: db.prepare('UPDATE steps SET run_title = ? WHERE id = ?'),
  change: db.prepare<[string, number], ChangeRow>(
    `SELECT ${changeColumns} FROM changes WHERE workspace = ? AND seq = ?`,
  ),
  changes: db.prepare<[number, string], ChangeRow>(
    `SELECT ${changeColumns} FROM changes WHERE step = ? AND app = ? ORDER BY seq`,
  ),
  ops: db.prepare<[number, string], OpRow>(
    `SELECT o.change, o.key, o.before, o.after FROM ops o JOIN changes c ON c.seq = o.change
     WHERE c.step = ? AND c.app = ? ORDER BY o.change, o.ordinal`,
  ),
  insertChange: db.prepare(`INSERT INTO changes (${changeColumns}) VALUES (${changeValues})`),
  insertOp: db.prepare(
    `INSERT INTO ops (change, ordinal, workspace, app, key, before, after)
     VALUES (@change, @ordinal, @workspace, @app, @key, @before, @after)`,
  ),
  takeBack: db.prepare('UPDATE changes SET undone = ?, undone_by = ? WHERE seq = ?'),
  putBack: db.prepare('UPDATE changes SET undone = 0, undone_by = NULL WHERE seq = ?'),
  // From the newest change backwards, whatever the planner thinks: who undoes has mostly just changed something.
  inPlace: db.prepare<[string, string, number, string, number], { step: number; seq: number }>(
    `SELECT c.step, c.seq FROM changes c INDEXED BY changes_app CROSS JOIN steps s ON s.id = c.step
     WHERE c.workspace = ? AND c.app = ? AND c.seq < ? AND c.undone = 0 AND s.connection = ?
       AND NOT EXISTS (
         SELECT 1 FROM changes l WHERE l.step = c.step AND l.seq > c.seq AND l.app = c.app AND l.undone = 0)
     ORDER BY c.seq DESC LIMIT ?`,
  ),
  takenBack: db.prepare<[string, string, string, string], TakenBack>(
    `SELECT c.step, s.connection, s.key, max(c.undone) AS latest FROM changes c JOIN steps s ON s.id = c.step
     WHERE c.workspace = ? AND c.app = ? AND c.undone > 0 AND (s.connection = ? OR c.undone_by = ?)
     GROUP BY c.step ORDER BY latest DESC`,
  ),
  changedSince: db
    .prepare<[string, string, number, string], 1>(
      `SELECT 1 FROM changes c JOIN steps s ON s.id = c.step
       WHERE c.workspace = ? AND c.app = ? AND c.seq > ? AND s.connection = ? LIMIT 1`,
    )
    .pluck(),
  writers: db.prepare<[string, string, string], ChangeRow>(
    `SELECT ${changeColumnsOf('c')} FROM ops o JOIN changes c ON c.seq = o.change
     WHERE o.workspace = ? AND o.app = ? AND o.key = ? ORDER BY c.seq DESC`,
  ),
  lastChanges: db
    .prepare<[string, string], [string, number]>(
      'SELECT ref, max(seq) FROM changes WHERE workspace = ? AND app = ? GROUP BY ref',
    )
    .raw(),
  activity: db.prepare<[string, number, number], { step: number; app: string; latest: number }>(
    `SELECT c.step, c.app, c.seq AS latest FROM changes c NOT INDEXED WHERE c.workspace = ? AND c.seq < ?
       AND NOT EXISTS (SELECT 1 FROM changes l WHERE l.step = c.step AND l.seq > c.seq AND l.app = c.app)
     ORDER BY c.seq DESC LIMIT ?`,
  ),
});
