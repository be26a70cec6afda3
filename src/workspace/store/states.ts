import type { Database } from '../../ledger/sqlite/driver.ts';
import type { Json, State, Write } from '../apps/app.ts';
import type { StateSource } from '../world/world.ts';
import { afterPrefix, type Changes, changesOf, merged, parseValue, type Row, rowsUnder } from './keyOrder.ts';
import { spaceOf } from './overlay.ts';

/** How many apps' states are kept parsed: a few notebooks that are in use, not all that were ever opened. */
const keptStates = 16;

interface Kept {
  rows: readonly Row[];
  readonly values: Map<string, Json>;
}

/** What a transaction has written, by `spaceOf`. */
type Written = Map<string, Map<string, Json | null>>;

const keep = (rows: readonly Row[]): Kept => ({ rows, values: new Map(rows) });

/** The states of apps in `docs`, and the transactions in which they change. */
export interface States {
  readonly source: StateSource;
  write(workspace: string, app: string, writes: readonly Write[]): void;
  transaction<T>(work: () => T): T;
}

/**
 * Reads and writes the states of apps. What was read is kept parsed, which is right because one process owns the data
 * directory: what a transaction wrote is read from the database until it has ended, and reaches what is kept only when
 * it was committed.
 */
export const createStates = (db: Database): States => {
  const get = db
    .prepare<[string, string, string], string>('SELECT value FROM docs WHERE workspace = ? AND app = ? AND key = ?')
    .pluck();
  const all = db
    .prepare<[string, string], [string, string]>(
      'SELECT key, value FROM docs WHERE workspace = ? AND app = ? ORDER BY key',
    )
    .raw();
  const from = db
    .prepare<[string, string, string], [string, string]>(
      'SELECT key, value FROM docs WHERE workspace = ? AND app = ? AND key >= ? ORDER BY key',
    )
    .raw();
  const between = db
    .prepare<[string, string, string, string], [string, string]>(
      'SELECT key, value FROM docs WHERE workspace = ? AND app = ? AND key >= ? AND key < ? ORDER BY key',
    )
    .raw();
  const put = db.prepare<[string, string, string, string]>(
    `INSERT INTO docs (workspace, app, key, value) VALUES (?, ?, ?, ?)
     ON CONFLICT (workspace, app, key) DO UPDATE SET value = excluded.value`,
  );
  const remove = db.prepare<[string, string, string]>('DELETE FROM docs WHERE workspace = ? AND app = ? AND key = ?');
  const raise = db.prepare<[string, string]>(
    `INSERT INTO counters (workspace, app, next, version) VALUES (?, ?, 1, 1)
     ON CONFLICT (workspace, app) DO UPDATE SET version = version + 1`,
  );

  const kept = new Map<string, Kept>();
  /** What each open transaction has written, the outermost first. */
  const open: Written[] = [];

  const parsed = (rows: readonly (readonly [string, string])[]): readonly Row[] =>
    rows.map(([key, text]) => [key, parseValue(text)]);

  /** What is kept of a state that no open transaction has written to. */
  const keptOf = (space: string, workspace: string, app: string): Kept | null => {
    if (open.some((writes) => writes.has(space))) return null;
    const found = kept.get(space);
    if (found !== undefined) {
      // Moved to the end: the one used longest ago stands first.
      kept.delete(space);
      kept.set(space, found);
      return found;
    }
    // Somebody may have written in this transaction before, and nothing of it is certain yet.
    if (db.inTransaction) return null;
    const read = keep(parsed(all.all(workspace, app)));
    kept.set(space, read);
    for (const oldest of kept.keys()) {
      if (kept.size <= keptStates) break;
      kept.delete(oldest);
    }
    return read;
  };

  const listed = (workspace: string, app: string, prefix: string): readonly Row[] => {
    const end = afterPrefix(prefix);
    return parsed(end === null ? from.all(workspace, app, prefix) : between.all(workspace, app, prefix, end));
  };

  const stateOf = (workspace: string, app: string): State => {
    const space = spaceOf(workspace, app);
    return {
      get: (key) => {
        const known = keptOf(space, workspace, app);
        if (known !== null) return known.values.get(key);
        const text = get.get(workspace, app, key);
        return text === undefined ? undefined : parseValue(text);
      },
      list: (prefix) => {
        const known = keptOf(space, workspace, app);
        return known === null ? listed(workspace, app, prefix) : rowsUnder(known.rows, prefix);
      },
    };
  };

  /** Brings what is kept in line with what the outermost transaction of ours has written. */
  const settle = (written: ReadonlyMap<string, Changes>): void => {
    for (const [space, changes] of written) {
      const known = kept.get(space);
      if (known === undefined) continue;
      // Inside a transaction that was not begun here nothing is certain yet.
      if (db.inTransaction) {
        kept.delete(space);
        continue;
      }
      known.rows = merged(known.rows, changes);
      for (const [key, value] of changes) {
        if (value === null) known.values.delete(key);
        else known.values.set(key, value);
      }
    }
  };

  const note = (written: Written, space: string, changes: Changes): void => {
    const earlier = written.get(space);
    if (earlier === undefined) written.set(space, new Map(changes));
    else for (const [key, value] of changes) earlier.set(key, value);
  };

  const transaction = <T>(work: () => T): T => {
    const written: Written = new Map();
    open.push(written);
    let result: T;
    try {
      // Immediate: a transaction that begins by reading could not wait for another process before it writes.
      result = db.transaction(work).immediate();
    } finally {
      open.pop();
    }
    const around = open.at(-1);
    if (around === undefined) settle(written);
    else for (const [space, changes] of written) note(around, space, changes);
    return result;
  };

  return {
    source: { of: stateOf },
    transaction,
    write: (workspace, app, writes) => {
      if (writes.length === 0) return;
      const changes = changesOf(writes);
      transaction(() => {
        for (const [key, value] of changes) {
          if (value === null) remove.run(workspace, app, key);
          else put.run(workspace, app, key, JSON.stringify(value));
        }
        raise.run(workspace, app);
        const written = open.at(-1);
        if (written !== undefined) note(written, spaceOf(workspace, app), changes);
      });
    },
  };
};
