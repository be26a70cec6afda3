import { statSync } from 'node:fs';
import { LedgerError, systemCodeOf } from '../errors.ts';
import { openForWriting } from '../privateFiles.ts';
import { checkStateDirectory, type StateDirectory, unavailable } from '../stateDirectory.ts';
import { type Database, openDatabase } from './driver.ts';
import { formatOf, migrate, migrations } from './format.ts';
import { openReadOnly } from './readOnly.ts';

/** How long a call waits for another process before it says `state_unavailable` (mcp-surface section 6). */
const busyMilliseconds = 5000;
const pauseMilliseconds = 10;

export interface Connection {
  readonly db: Database;
  /** Whether the paths still lead to the files that are open: the database, its log and its index. */
  isCurrent(): boolean;
}

/** Switching to WAL is the one statement for which SQLite does not always wait by itself. */
const patiently = (attempt: () => unknown, busyMilliseconds: number): unknown => {
  const signal = new Int32Array(new SharedArrayBuffer(4));
  for (let waited = 0; ; waited += pauseMilliseconds) {
    try {
      return attempt();
    } catch (error) {
      if (!systemCodeOf(error).startsWith('SQLITE_BUSY') || waited >= busyMilliseconds) throw error;
      Atomics.wait(signal, 0, 0, pauseMilliseconds);
    }
  }
};

const configure = (db: Database, state: StateDirectory, busy: number): void => {
  if (patiently(() => db.pragma('journal_mode = WAL', { simple: true }), busy) !== 'wal')
    throw unavailable(state, 'its file system cannot share memory between processes, which the ledger needs');
  // After the journal mode: the binding is built to lower it to NORMAL in WAL mode, which can lose the last commits
  // when power fails (traps T20).
  db.pragma('synchronous = FULL');
  db.pragma('fullfsync = ON');
  db.pragma('foreign_keys = ON');
};

const identityOf = (path: string): string => {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined ? 'nothing' : `${stats.dev}:${stats.ino}`;
};

/**
 * Whether the log and its index are still the ones that were open: nobody takes them away while a connection has them,
 * and whoever opens the ledger without them sees neither what the log holds nor our locks.
 */
const sideFilesOf = (state: StateDirectory): (() => boolean) => {
  const paths = [`${state.database}-wal`, `${state.database}-shm`];
  const opened = paths.map(identityOf);
  return () => paths.every((path, index) => opened[index] === identityOf(path));
};

const connect = (
  state: StateDirectory,
  readOnly: boolean,
  busy: number,
  prepare: (db: Database) => void,
): Connection => {
  const identity = identityOf(state.database);
  const db = readOnly ? openReadOnly(state, busy) : openDatabase(state.database, { readOnly, busyMilliseconds: busy });
  try {
    prepare(db);
  } catch (error) {
    db.close();
    throw error;
  }
  // A reader holds nothing that another process could miss, and may have read a ledger that rests.
  const sideFilesStay = readOnly ? () => true : sideFilesOf(state);
  return { db, isCurrent: () => identityOf(state.database) === identity && sideFilesStay() };
};

/**
 * Opens the ledger of a state directory for reading and writing; makes both when they are missing.
 *
 * @param busy how many milliseconds another process is waited for
 * @throws LedgerError as `openForWriting` and `migrate` do; SQLite's own error when the file cannot be used
 */
export const connectForWriting = (state: StateDirectory, busy: number = busyMilliseconds): Connection => {
  openForWriting(state);
  return connect(state, false, busy, (db) => {
    // Before anything is changed: a file that is not ours stays as it is.
    formatOf(db, state);
    configure(db, state, busy);
    migrate(db, state);
  });
};

/** For commands that work on what is there and make nothing. */
export const noLedger = (state: StateDirectory): LedgerError =>
  new LedgerError(
    'state_unavailable',
    `There is no ledger for the repository ${state.repositoryRoot}: ${state.database} does not exist (directory from ${state.variable}).`,
    ['Start a first run, or name the directory that holds the runs with TELIC_STATE_DIR.'],
  );

/**
 * Opens a ledger that exists, for reading alone; nothing on disk changes. One of an older format is brought to the newest
 * in memory while no process has it open.
 *
 * @throws LedgerError `state_unavailable` when there is none, `incompatible` when its format is newer than what is known
 *   here, or older while it is in use
 */
export const connectForReading = (state: StateDirectory): Connection => {
  if (!checkStateDirectory(state).hasLedger) throw noLedger(state);
  return connect(state, true, busyMilliseconds, (db) => {
    const format = formatOf(db, state);
    if (format === 0) throw noLedger(state);
    if (format < migrations.length && db.memory) migrate(db, state);
    else if (format < migrations.length)
      throw new LedgerError(
        'incompatible',
        `The ledger ${state.database} has the older format ${format} and is in use or large, so that reading alone cannot bring it to format ${migrations.length}; a start of telic mcp does, at its first call.`,
        ['Start the server (`telic mcp`) once; it converts the ledger at the first call.'],
      );
    db.pragma('query_only = ON');
  });
};
