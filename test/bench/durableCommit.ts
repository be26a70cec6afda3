import { randomBytes } from 'node:crypto';
import Sqlite from 'better-sqlite3';

export interface DurableCommit {
  /** Milliseconds of one durable commit of 8 KiB. */
  readonly measure: () => number;
  readonly close: () => void;
}

const size = 8192;

/**
 * What one durable commit costs on this disk: 8 KiB into a table of its own in the same database file, under the
 * settings of the ledger (WAL, synchronous FULL) and over a connection of its own.
 */
export const durableCommit = (database: string): DurableCommit => {
  const db = new Sqlite(database, { fileMustExist: true, timeout: 5000 });
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  db.exec('CREATE TABLE IF NOT EXISTS bench_commits (body BLOB NOT NULL) STRICT');
  const insert = db.prepare<[body: Buffer]>('INSERT INTO bench_commits (body) VALUES (?)');
  const commit = db.transaction((body: Buffer) => insert.run(body));
  return {
    measure: () => {
      const body = randomBytes(size);
      const from = performance.now();
      commit.immediate(body);
      return performance.now() - from;
    },
    close: () => db.close(),
  };
};
