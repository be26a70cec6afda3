import { join } from 'node:path';
import { systemCodeOf } from '../../ledger/errors.ts';
import { type Database, openDatabase } from '../../ledger/sqlite/driver.ts';
import type { Clock, IdSource } from '../sources.ts';
import { StoreError } from './errors.ts';
import { formatOf, migrate } from './format.ts';
import { openPrivateDirectory, openPrivateFile } from './privateFiles.ts';
import { createStates } from './states.ts';
import type { Store } from './store.ts';

/** The file of the database in its data directory. */
export const databaseName = 'workspaces.sqlite3';

/** How long another process is waited for: a command beside a host holds the database for milliseconds. */
const busyMilliseconds = 5000;
const pauseMilliseconds = 10;

/** Switching to WAL is the one statement for which SQLite does not always wait by itself. */
const switchToLog = (db: Database): void => {
  const signal = new Int32Array(new SharedArrayBuffer(4));
  for (let waited = 0; ; waited += pauseMilliseconds) {
    try {
      if (db.pragma('journal_mode = WAL', { simple: true }) === 'wal') return;
      throw new StoreError(
        'unavailable',
        `The file system of ${db.name} cannot share memory between processes, which the database needs.`,
      );
    } catch (error) {
      if (!systemCodeOf(error).startsWith('SQLITE_BUSY') || waited >= busyMilliseconds) throw error;
      Atomics.wait(signal, 0, 0, pauseMilliseconds);
    }
  }
};

const configure = (db: Database): void => {
  switchToLog(db);
  // After the journal mode: the binding is built to lower it to NORMAL in WAL mode, which can lose the last commits
  // when power fails (traps T20).
  db.pragma('synchronous = FULL');
  db.pragma('fullfsync = ON');
  db.pragma('foreign_keys = ON');
};

/** The host's key; of several processes that make one, the first one's counts. */
const keyOf = (db: Database, { clock, ids }: Readonly<{ clock: Clock; ids: IdSource }>): Buffer => {
  const read = db.prepare<[string], string>('SELECT value FROM meta WHERE key = ?').pluck();
  const put = db.prepare<[string, string]>('INSERT OR IGNORE INTO meta (key, value) VALUES (?, ?)');
  let key = read.get('key');
  if (key === undefined) {
    db.transaction(() => {
      put.run('created_ms', String(clock.now()));
      put.run('key', ids.bytes(32).toString('hex'));
    }).immediate();
    key = read.get('key');
  }
  const bytes = Buffer.from(key ?? '', 'hex');
  if (bytes.length !== 32) throw new StoreError('unavailable', `${db.name} has lost the key of its host.`);
  return bytes;
};

const storeOver = (db: Database, directory: string, key: Buffer): Store => {
  const states = createStates(db);
  const next = db
    .prepare<[string, string], number>('SELECT next FROM counters WHERE workspace = ? AND app = ?')
    .pluck();
  const version = db
    .prepare<[string, string], number>('SELECT version FROM counters WHERE workspace = ? AND app = ?')
    .pluck();
  const raise = db.prepare<[string, string, number]>(
    `INSERT INTO counters (workspace, app, next) VALUES (?, ?, max(1, ?))
     ON CONFLICT (workspace, app) DO UPDATE SET next = max(next, excluded.next)`,
  );
  return {
    db,
    directory,
    key,
    transaction: states.transaction,
    states: states.source,
    write: states.write,
    counter: (workspace, app) => next.get(workspace, app) ?? 1,
    raiseCounter: (workspace, app, value) => {
      raise.run(workspace, app, value);
    },
    stateVersion: (workspace, app) => version.get(workspace, app) ?? 0,
    close: () => {
      db.close();
    },
  };
};

/**
 * Opens the database of a data directory, `workspaces.sqlite3`; makes both when they are missing, readable to their
 * owner alone (workspace-wire section 10). A host locks the directory first (`lockDirectory`); commands beside it do not.
 *
 * @throws StoreError `unavailable`, `foreign`, `newer`; LedgerError `state_unavailable` when SQLite itself cannot be
 *   loaded; SQLite's own error when the file cannot be used
 */
export const openStore = (
  options: Readonly<{
    directory: string;
    clock: Clock;
    ids: IdSource;
    /** The migrations to know; for tests, those released are the default. */
    migrations?: readonly string[];
  }>,
): Store => {
  const directory = openPrivateDirectory(options.directory);
  openPrivateFile(directory, databaseName);
  const db = openDatabase(join(directory, databaseName), { readOnly: false, busyMilliseconds });
  try {
    // Before anything is changed: a file that is not ours stays as it is.
    formatOf(db, options.migrations?.length);
    configure(db);
    migrate(db, options.migrations);
    return storeOver(db, directory, keyOf(db, options));
  } catch (error) {
    db.close();
    throw error;
  }
};
