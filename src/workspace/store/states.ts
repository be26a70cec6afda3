import type { Database } from '../../ledger/sqlite/driver.ts';
import type { Json, State, Write } from '../apps/app.ts';
import { afterPrefix, changesOf, merged, parseValue, type Row, rowsUnder } from './keyOrder.ts';
import { spaceOf } from './overlay.ts';
import type { StateSource } from './store.ts';

/** How many apps' states are kept parsed: a few notebooks that are in use, not all that were ever opened. */
const keptStates = 16;

interface Kept {
  rows: readonly Row[];
  readonly values: Map<string, Json>;
}

/** The keys that a transaction has written to. */
interface Written {
  readonly workspace: string;
  readonly app: string;
  readonly keys: Set<string>;
}

/** By `spaceOf`. */
type AllWritten = Map<string, Written>;

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
  const open: AllWritten[] = [];

  const parsed = (rows: readonly (readonly [string, string])[]): readonly Row[] =>
    rows.map(([key, text]) => [key, parseValue(text)]);

  const read = (workspace: string, app: string, key: string): Json | undefined => {
    const text = get.get(workspace, app, key);
    return text === undefined ? undefined : parseValue(text);
  };

  /** What is kept of a state that no open transaction has written to. */
  const keptOf = (space: string, workspace: string, app: string): Kept | null => {
    if (open.some((written) => written.has(space))) return null;
    const found = kept.get(space);
    if (found !== undefined) {
      // Moved to the end: the one used longest ago stands first.
      kept.delete(space);
      kept.set(space, found);
      return found;
    }
    // Somebody may have written in this transaction before, and nothing of it is certain yet.
    if (db.inTransaction) return null;
    const whole = keep(parsed(all.all(workspace, app)));
    kept.set(space, whole);
    for (const oldest of kept.keys()) {
      if (kept.size <= keptStates) break;
      kept.delete(oldest);
    }
    return whole;
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
        return read(workspace, app, key);
      },
      list: (prefix) => {
        const known = keptOf(space, workspace, app);
        return known === null ? listed(workspace, app, prefix) : rowsUnder(known.rows, prefix);
      },
    };
  };

  /**
   * Brings what is kept in line with the database after the outermost transaction of ours. Read back and not remembered:
   * a savepoint that somebody else set in between may have taken some of it away again.
   */
  const settle = (all: AllWritten): void => {
    for (const [space, { workspace, app, keys }] of all) {
      const known = kept.get(space);
      if (known === undefined) continue;
      // Inside a transaction that was not begun here nothing is certain yet.
      if (db.inTransaction) {
        kept.delete(space);
        continue;
      }
      const changes = new Map<string, Json | null>();
      for (const key of keys) changes.set(key, read(workspace, app, key) ?? null);
      known.rows = merged(known.rows, changes);
      for (const [key, value] of changes) {
        if (value === null) known.values.delete(key);
        else known.values.set(key, value);
      }
    }
  };

  const note = (
    all: AllWritten,
    { workspace, app, keys }: Omit<Written, 'keys'> & { keys: Iterable<string> },
  ): void => {
    const space = spaceOf(workspace, app);
    const written = all.get(space) ?? { workspace, app, keys: new Set() };
    for (const key of keys) written.keys.add(key);
    all.set(space, written);
  };

  const transaction = <T>(work: () => T): T => {
    const all: AllWritten = new Map();
    open.push(all);
    let result: T;
    try {
      // Immediate: a transaction that begins by reading could not wait for another process before it writes.
      result = db.transaction(work).immediate();
    } finally {
      open.pop();
    }
    const around = open.at(-1);
    if (around === undefined) settle(all);
    else for (const written of all.values()) note(around, written);
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
        const inner = open.at(-1);
        if (inner !== undefined) note(inner, { workspace, app, keys: changes.keys() });
      });
    },
  };
};
