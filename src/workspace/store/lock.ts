import { systemCodeOf } from '../../ledger/errors.ts';
import { type Database, openDatabase } from '../../ledger/sqlite/driver.ts';
import { StoreError } from './errors.ts';
import { openPrivateDirectory, openPrivateFile } from './privateFiles.ts';

/** A data directory that this process has for itself. */
export interface DirectoryLock {
  /** Tells a later start another address, once the port is known. */
  announce(address: string): void;
  /** Gives the directory up; the end of the process, however it comes, does so too. */
  release(): void;
}

/** How long a start waits for another that is just looking: both need milliseconds. */
const busyMilliseconds = 5000;

/** Takes the lock that is held for life: an open transaction, so that the system itself lets go of it with the process. */
const take = (path: string): Database | null => {
  const db = openDatabase(path, { readOnly: false, busyMilliseconds: 0 });
  try {
    db.exec('BEGIN EXCLUSIVE');
    return db;
  } catch (error) {
    db.close();
    if (systemCodeOf(error).startsWith('SQLITE_BUSY')) return null;
    throw error;
  }
};

/** Where the present host serves: a table of one row, whose write lock is the gate that one start passes at a time. */
const openBook = (path: string): Database => {
  const db = openDatabase(path, { readOnly: false, busyMilliseconds });
  try {
    db.exec('CREATE TABLE IF NOT EXISTS host (id INTEGER PRIMARY KEY CHECK (id = 1), address TEXT NOT NULL) STRICT');
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
};

const addressIn = (book: Database): string | null =>
  book.prepare<[], string>('SELECT address FROM host').pluck().get() ?? null;

const tell = (book: Database, address: string): void => {
  book
    .prepare('INSERT INTO host (id, address) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET address = excluded.address')
    .run(address);
};

/** Takes the lock and tells the address in one turn at the gate. */
const enter = (book: Database, path: string, lockFile: string, address: string): Database => {
  book.exec('BEGIN IMMEDIATE');
  const lock = take(lockFile);
  if (lock === null) {
    const first = addressIn(book);
    throw new StoreError('held', `The data directory ${path} is served by another process already, at ${first}.`, {
      address: first,
    });
  }
  try {
    tell(book, address);
    book.exec('COMMIT');
    return lock;
  } catch (error) {
    lock.close();
    throw error;
  }
};

/**
 * Takes a data directory for the life of this process (workspace-wire 2.5): `host.lock` is locked, `host.sqlite3` tells
 * later starts where the first serves. Both happen in one turn, so whoever finds the directory locked reads the address
 * of the process that has it, never that of one before it. Nothing is left to clear away when the process is killed.
 *
 * @param address where this process serves, or will
 * @throws StoreError `held` with the first process's address; `unavailable` when the directory cannot be used
 */
export const lockDirectory = (directory: string, address: string): DirectoryLock => {
  const path = openPrivateDirectory(directory);
  const lockFile = openPrivateFile(path, 'host.lock');
  const book = openBook(openPrivateFile(path, 'host.sqlite3'));
  try {
    const lock = enter(book, path, lockFile, address);
    return {
      announce: (present) => tell(book, present),
      release: () => {
        lock.close();
        book.close();
      },
    };
  } catch (error) {
    // Closing ends the turn as well.
    book.close();
    throw error;
  }
};

/**
 * Where a data directory is served now; null when no process serves it. Looks in the same turn at the gate in which
 * hosts start, so that none is turned away by a look.
 *
 * @throws StoreError `unavailable` when the directory cannot be used
 */
export const servedAt = (directory: string): string | null => {
  const path = openPrivateDirectory(directory);
  const lockFile = openPrivateFile(path, 'host.lock');
  const book = openBook(openPrivateFile(path, 'host.sqlite3'));
  try {
    book.exec('BEGIN IMMEDIATE');
    const lock = take(lockFile);
    lock?.close();
    return lock === null ? addressIn(book) : null;
  } finally {
    // Closing ends the turn as well.
    book.close();
  }
};
