import { AppError } from '../../apps/appError.ts';
import type { Store } from '../../store/store.ts';
import { createTurns } from '../../turns.ts';
import { phraseOf } from './fold.ts';
import { type FindRow, findStatements, type IndexedRow } from './rows.ts';

/** The rows that `tilo_find` searches, kept beside the states and brought up to date by the search itself. */
export interface FindIndex {
  /**
   * Makes the index show an app as it is now. Walks it when its state moved on since, at the first search of this
   * process (another build of the app may show it differently), and each time when its state is kept elsewhere.
   *
   * @throws AppError for an app whose walk takes too long; it goes on, and until it ends searches do not wait for it
   */
  refresh(
    workspace: string,
    app: Readonly<{ id: string; history: boolean }>,
    walk: () => Promise<readonly FindRow[]>,
  ): Promise<void>;
  rows(workspace: string, app: string): readonly IndexedRow[];
  /** By row, the bm25 of the rows whose content has a word that begins so: the smaller, the better. */
  holding(word: string): ReadonlyMap<number, number>;
}

/** How often a walk is begun anew because the state moved on under it; then the next search sees the rest. */
const walks = 3;

/** How long a search waits for the walk of one app: one that hangs keeps nobody from the others. */
const patienceMilliseconds = 5000;

/**
 * The index in the host's database (workspace-wire 4.5). Two searches at once refresh an app one after the other.
 *
 * @param patience how many milliseconds a search waits for the walk of one app
 */
export const createFindIndex = (store: Store, patience: number = patienceMilliseconds): FindIndex => {
  const sql = findStatements(store.db);
  const turns = createTurns();
  const seen = new Set<string>();
  /** Walks that somebody has given up waiting for. */
  const late = new Set<string>();

  const inTime = async (key: string, app: string, work: Promise<void>): Promise<void> => {
    let timer: NodeJS.Timeout | undefined;
    const up = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(true), patience);
      timer.unref();
    });
    // Its failure is told to whoever still waits; a late one has been told as late.
    const ended = work.then(() => false);
    const over = (): void => {
      late.delete(key);
    };
    try {
      if (!(await Promise.race([ended, up]))) return;
    } finally {
      clearTimeout(timer);
    }
    late.add(key);
    void ended.then(over, over);
    throw new AppError(app, 'its resources', `were not walked within ${patience} ms`);
  };

  const replace = (workspace: string, app: string, version: number, rows: readonly FindRow[]): void => {
    const gone = new Map(sql.kept(workspace, app).map((row) => [row.ref, row]));
    const changed: FindRow[] = [];
    const added: FindRow[] = [];
    for (const row of rows) {
      const before = gone.get(row.ref);
      if (before === undefined) added.push(row);
      else {
        const same =
          before.kind === row.kind &&
          before.path === row.path &&
          before.label === row.label &&
          before.content === row.content &&
          before.action === row.action;
        if (same) gone.delete(row.ref);
        else changed.push(row);
      }
    }
    const still = new Set(changed.map(({ ref }) => ref));
    if (gone.size === 0 && added.length === 0 && sql.shown(workspace, app) === version) return;
    store.transaction(() => {
      for (const row of gone.values()) {
        sql.unindex(row.id, row.content);
        if (!still.has(row.ref)) sql.remove(row.id);
      }
      for (const row of changed) {
        const id = gone.get(row.ref)?.id;
        if (id === undefined) continue;
        sql.update(id, row);
        sql.index(id, row.content);
      }
      for (const row of added) sql.index(sql.insert(workspace, app, row), row.content);
      sql.show(workspace, app, version);
    });
  };

  return {
    refresh: async (workspace, app, walk) => {
      const key = `${workspace}/${app.id}`;
      if (late.has(key)) throw new AppError(app.id, 'its resources', 'are still being walked');
      const work = turns.take(key, async () => {
        let version = store.stateVersion(workspace, app.id);
        if (app.history && seen.has(key) && sql.shown(workspace, app.id) === version) return;
        let rows = await walk();
        for (let again = 1; again < walks && store.stateVersion(workspace, app.id) !== version; again += 1) {
          version = store.stateVersion(workspace, app.id);
          rows = await walk();
        }
        replace(workspace, app.id, version, rows);
        seen.add(key);
      });
      await inTime(key, app.id, work);
    },
    rows: (workspace, app) => sql.rows(workspace, app),
    holding: (word) => {
      const phrase = phraseOf(word);
      return phrase === null ? new Map() : new Map(sql.match(phrase).map(({ id, rank }) => [id, rank]));
    },
  };
};
