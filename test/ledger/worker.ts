import { writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import type Sqlite from 'better-sqlite3';
import { LedgerError } from '../../src/ledger/errors.ts';
import { openLedger } from '../../src/ledger/sqlite/sqliteLedger.ts';
import { locateStateDirectory } from '../../src/ledger/stateDirectory.ts';
import { commitOf, messageOf } from './samples.ts';

/** A second process on a state directory: `worker.mjs <repository> <command> [argument]`, the state from the environment. */

const [, , repository = '', command = '', argument = ''] = process.argv;
/** Written at once, so that it is told even when the process is killed next. */
const say = (value: unknown): void => void writeSync(1, `${JSON.stringify(value)}\n`);

const commands: Readonly<Record<string, () => void>> = {
  /** Commits at each head up to a number, under one run; prints the heads that it won. */
  race: () => {
    const ledger = openLedger(locateStateDirectory(process.env, repository));
    const won: number[] = [];
    for (let head = 0; head < Number(argument); head += 1) {
      while (ledger.head('run-1') < head);
      if (ledger.commit(commitOf('run-1', head, { event: { type: 'race', at: 'now', payload: process.pid } })))
        won.push(head);
    }
    ledger.close();
    say(won);
  },

  /** Commits without end, telling each head that is durable. */
  fill: () => {
    const ledger = openLedger(locateStateDirectory(process.env, repository));
    for (let head = ledger.head('run-1'); ; head += 1) {
      const artifacts = [messageOf('run-1', `message-${head}`, `${head} `.repeat(2000))];
      ledger.commit(commitOf('run-1', head, { artifacts }));
      say(head + 1);
    }
  },

  /** Dies in the middle of a transaction whose pages have already been written to the log. */
  die: () => {
    const state = locateStateDirectory(process.env, repository);
    const load: (id: string) => typeof Sqlite = createRequire(import.meta.url);
    const db = new (load('better-sqlite3'))(state.database);
    db.pragma('cache_size = 1');
    db.exec('BEGIN IMMEDIATE');
    const insert = db.prepare('INSERT INTO bodies (sha256, body) VALUES (?, ?)');
    for (let count = 0; count < 500; count += 1) insert.run(`unfinished ${count}`, 'x'.repeat(4096));
    process.kill(process.pid, 'SIGKILL');
  },

  /** Takes the lock, tells so, gives it back after some milliseconds. */
  hold: () => {
    const state = locateStateDirectory(process.env, repository);
    const load: (id: string) => typeof Sqlite = createRequire(import.meta.url);
    const db = new (load('better-sqlite3'))(state.database);
    db.exec('BEGIN IMMEDIATE');
    say('held');
    setTimeout(() => db.exec('ROLLBACK'), Number(argument));
  },

  /** One commit under a umask, then death, so that the side files stay. */
  make: () => {
    process.umask(Number(argument));
    say(openLedger(locateStateDirectory(process.env, repository)).commit(commitOf('run-1', 0)));
    process.kill(process.pid, 'SIGKILL');
  },

  /** One commit; prints what came of it. */
  use: () => {
    try {
      const ledger = openLedger(locateStateDirectory(process.env, repository));
      const committed = ledger.commit(
        commitOf('run-1', ledger.head('run-1'), { artifacts: [messageOf('run-1', 'm-1')] }),
      );
      say({ committed });
    } catch (error) {
      if (!(error instanceof LedgerError)) throw error;
      say({ code: error.code, message: error.message, nextSteps: error.nextSteps });
    }
  },

  /** One read; prints what came of it. */
  read: () => {
    try {
      say({ runs: openLedger(locateStateDirectory(process.env, repository)).runs(10).length });
    } catch (error) {
      if (!(error instanceof LedgerError)) throw error;
      say({ code: error.code, message: error.message, nextSteps: error.nextSteps });
    }
  },
};

commands[command]?.();
