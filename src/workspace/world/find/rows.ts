import type { Database } from 'better-sqlite3';

/** What the index keeps of one resource. */
export interface FindRow {
  /** Its path by keys. */
  readonly ref: string;
  readonly kind: string;
  /** As listings print it, without the workspace. */
  readonly path: string;
  readonly label: string;
  /** Its own text, folded. */
  readonly content: string;
  readonly action: string | null;
}

/** A row as a search meets it: without the content, which only the full-text index looks through. */
export interface IndexedRow extends Omit<FindRow, 'content'> {
  readonly id: number;
}

/** The statements of the find index (store/migrations.ts: find_state, find_rows, find_index). */
export interface FindStatements {
  /** The version of an app's state that the index shows; null when it was never shown. */
  shown(workspace: string, app: string): number | null;
  show(workspace: string, app: string, version: number): void;
  rows(workspace: string, app: string): readonly IndexedRow[];
  kept(workspace: string, app: string): readonly (IndexedRow & FindRow)[];
  insert(workspace: string, app: string, row: FindRow): number;
  update(id: number, row: FindRow): void;
  remove(id: number): void;
  /** Puts a row's content into the full-text index, and takes it out again: with the content that was put in. */
  index(id: number, content: string): void;
  unindex(id: number, content: string): void;
  match(phrase: string): readonly Readonly<{ id: number; rank: number }>[];
}

const columns = 'id, ref, kind, path, label, action';

export const findStatements = (db: Database): FindStatements => {
  const shown = db.prepare<[string, string], { version: number }>(
    'SELECT version FROM find_state WHERE workspace = ? AND app = ?',
  );
  const show = db.prepare<[string, string, number]>(
    `INSERT INTO find_state (workspace, app, version) VALUES (?, ?, ?)
     ON CONFLICT (workspace, app) DO UPDATE SET version = excluded.version`,
  );
  const rows = db.prepare<[string, string], IndexedRow>(
    `SELECT ${columns} FROM find_rows WHERE workspace = ? AND app = ?`,
  );
  const kept = db.prepare<[string, string], IndexedRow & FindRow>(
    `SELECT ${columns}, content FROM find_rows WHERE workspace = ? AND app = ?`,
  );
  const insert = db.prepare<[string, string, string, string, string, string, string, string | null]>(
    `INSERT INTO find_rows (workspace, app, ref, kind, path, label, content, action) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const update = db.prepare<[string, string, string, string, string | null, number]>(
    'UPDATE find_rows SET kind = ?, path = ?, label = ?, content = ?, action = ? WHERE id = ?',
  );
  const remove = db.prepare<[number]>('DELETE FROM find_rows WHERE id = ?');
  const index = db.prepare<[number, string]>('INSERT INTO find_index (rowid, content) VALUES (?, ?)');
  const unindex = db.prepare<[number, string]>(
    `INSERT INTO find_index (find_index, rowid, content) VALUES ('delete', ?, ?)`,
  );
  const match = db.prepare<[string], { id: number; rank: number }>(
    'SELECT rowid AS id, bm25(find_index) AS rank FROM find_index WHERE find_index MATCH ?',
  );
  return {
    shown: (workspace, app) => shown.get(workspace, app)?.version ?? null,
    show: (workspace, app, version) => {
      show.run(workspace, app, version);
    },
    rows: (workspace, app) => rows.all(workspace, app),
    kept: (workspace, app) => kept.all(workspace, app),
    insert: (workspace, app, { ref, kind, path, label, content, action }) =>
      Number(insert.run(workspace, app, ref, kind, path, label, content, action).lastInsertRowid),
    update: (id, { kind, path, label, content, action }) => {
      update.run(kind, path, label, content, action, id);
    },
    remove: (id) => {
      remove.run(id);
    },
    index: (id, content) => {
      index.run(id, content);
    },
    unindex: (id, content) => {
      unindex.run(id, content);
    },
    match: (phrase) => match.all(phrase),
  };
};
