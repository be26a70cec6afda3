import type { Store } from '../../../src/workspace/store/store.ts';

/** Rows as an invocation of an app leaves them, at a time of the test's choosing. */
export interface Done {
  readonly seq: number;
  readonly step: number;
  readonly connection: string;
  readonly invocation: string;
  readonly time_ms: number;
  readonly workspace?: string;
  readonly run?: Readonly<{ id: string; title: string | null }>;
  readonly undone?: number;
}

export const invocationRow = (
  { db }: Store,
  row: Readonly<{ id: string; connection: string; state: string; created_ms: number; ended_ms: number | null }>,
): void => {
  db.prepare(
    `INSERT INTO invocations (token, id, workspace, connection, label, step, app, ref, resource_kind, resource_label,
       action, path, written_path, action_kind, action_row, args_json, args_mac, state, version, context_json,
       created_ms, ended_ms)
     VALUES ('t', :id, 'home', :connection, 'Desk', :id, 'notes', 'notes', 'notes', 'Notes', 'add', 'notes#add',
       'notes#add', 'undoable', '{}', '{}', '', :state, 1, '{}', :created_ms, :ended_ms)`,
  ).run(row);
};

export const changeRow = ({ db }: Store, done: Done): void => {
  const { run = null, workspace = 'home', undone = 0, ...row } = done;
  db.prepare(
    `INSERT OR IGNORE INTO steps (id, workspace, connection, token, key, number, label, run_id, run_title)
     VALUES (:step, :workspace, :connection, 't', 'k' || :step, :step, 'Desk', :id, :title)`,
  ).run({ step: row.step, connection: row.connection, workspace, id: run?.id ?? null, title: run?.title ?? null });
  db.prepare(
    `INSERT INTO changes (seq, step, workspace, app, ref, path, action, action_path, sentence, by, invocation, effect,
       time_ms, undone)
     VALUES (:seq, :step, :workspace, 'notes', 'notes/0001', 'notes/Garden', 'add', 'notes#add', 'added "x"', 'Desk',
       :invocation, 0, :time_ms, :undone)`,
  ).run({ seq: row.seq, step: row.step, invocation: row.invocation, time_ms: row.time_ms, workspace, undone });
  db.prepare(
    `INSERT INTO ops (change, ordinal, workspace, app, key, before, after) VALUES (:seq, 0, :workspace, 'notes', 'a', null, '1')`,
  ).run({ seq: row.seq, workspace });
};
