import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { LedgerError } from '../../src/ledger/errors.ts';
import { connectForReading, connectForWriting } from '../../src/ledger/sqlite/connection.ts';
import { formatOf, migrate, migrations } from '../../src/ledger/sqlite/format.ts';
import { asLedgerError } from '../../src/ledger/sqlite/sqliteErrors.ts';
import { openLedger, openLedgerReadOnly } from '../../src/ledger/sqlite/sqliteLedger.ts';
import { ledgerWithRun, newLedger, newState } from './fixtures.ts';
import { commitOf } from './samples.ts';

const thrownBy = (call: () => unknown): LedgerError => {
  try {
    call();
  } catch (error) {
    if (error instanceof LedgerError) return error;
    throw error;
  }
  throw new Error('the call did not throw');
};

/** An open database in a state directory of its own, of the format that the given steps lead to. */
const databaseAt = (steps: readonly string[]) => {
  const state = newState();
  mkdirSync(state.path, { mode: 0o700 });
  const db = new Sqlite(state.database);
  onTestFinished(() => void db.close());
  if (steps.length > 0) migrate(db, state, steps);
  return { state, db };
};

describe('durability', () => {
  it('is full on every connection, and stays so after the first write in WAL mode', () => {
    const state = newState();
    for (let turn = 0; turn < 2; turn += 1) {
      const { db } = connectForWriting(state);
      const settings = () =>
        ['journal_mode', 'synchronous', 'foreign_keys', 'busy_timeout', 'fullfsync'].map((name) =>
          db.pragma(name, { simple: true }),
        );
      expect(settings()).toEqual(['wal', 2, 1, 5000, 1]);
      db.exec(`INSERT INTO bodies VALUES ('body ${turn}', '{}')`);
      expect(settings()).toEqual(['wal', 2, 1, 5000, 1]);
      db.transaction(() => db.exec(`INSERT INTO bodies VALUES ('again ${turn}', '{}')`)).immediate();
      expect(settings()).toEqual(['wal', 2, 1, 5000, 1]);
      db.close();
    }
  });

  it('needs the setting: the binding alone would be at NORMAL in WAL mode', () => {
    const { state } = databaseAt(migrations);
    connectForWriting(state).db.close();
    const bare = new Sqlite(state.database);
    bare.exec(`INSERT INTO bodies VALUES ('body', '{}')`);
    expect(bare.pragma('synchronous', { simple: true })).toBe(1);
    bare.close();
  });

  it('keeps rows strict and references whole', () => {
    const { db } = connectForWriting(newState());
    expect(() => db.exec(`INSERT INTO bodies VALUES ('x', x'00')`)).toThrow('cannot store BLOB');
    expect(() => db.exec(`INSERT INTO trace VALUES ('run-1', 1, 1, '{}')`)).toThrow('FOREIGN KEY');
    const tables = db.prepare(
      `SELECT name, strict FROM pragma_table_list WHERE schema = 'main' AND name NOT LIKE 'sqlite_%'`,
    );
    expect(tables.all()).toHaveLength(6);
    for (const table of tables.all()) expect(table).toMatchObject({ strict: 1 });
    db.close();
  });
});

describe('the format of a ledger', () => {
  it('is written with the tables, and read back', () => {
    const { state, db } = databaseAt([]);
    expect(formatOf(db, state)).toBe(0);
    migrate(db, state);
    expect(formatOf(db, state)).toBe(migrations.length);
    migrate(db, state);
    expect(formatOf(db, state)).toBe(migrations.length);
  });

  it('rises step by step with everything kept', () => {
    const { state, db } = databaseAt(['CREATE TABLE a (x) STRICT'.replace('(x)', '(x TEXT)')]);
    db.exec(`INSERT INTO a VALUES ('kept')`);
    migrate(db, state, ['not run again', 'ALTER TABLE a ADD COLUMN y TEXT', `UPDATE a SET y = 'new'`]);
    expect(formatOf(db, state, 3)).toBe(3);
    expect(db.prepare('SELECT * FROM a').all()).toEqual([{ x: 'kept', y: 'new' }]);
  });

  it('stays where it was when a step fails', () => {
    const { state, db } = databaseAt(['CREATE TABLE a (x TEXT) STRICT']);
    expect(() => migrate(db, state, ['', 'CREATE TABLE b (x TEXT) STRICT', 'nonsense'])).toThrow('syntax error');
    expect(formatOf(db, state)).toBe(1);
    expect(db.prepare(`SELECT name FROM sqlite_schema`).pluck().all()).toEqual(['a']);
  });

  it('newer than this version is incompatible, and the file stays as it was', () => {
    const { state, db } = databaseAt([...migrations, 'CREATE TABLE later (x TEXT) STRICT']);
    db.close();
    const before = statSync(state.database).mtimeMs;
    for (const call of [
      () => openLedger(state).run('run-1'),
      () => openLedger(state).commit(commitOf('run-1', 0)),
      () => openLedgerReadOnly(state),
    ]) {
      const error = thrownBy(call);
      expect(error.code).toBe('incompatible');
      expect(error.message).toContain(`format ${migrations.length + 1}`);
      expect(error.message).toContain(state.database);
    }
    expect(statSync(state.database).mtimeMs).toBe(before);
  });

  it('of a foreign database is incompatible, and the file stays as it was', () => {
    const { state, db } = databaseAt([]);
    db.exec('CREATE TABLE somebody (x)');
    db.close();
    expect(thrownBy(() => openLedger(state).run('run-1'))).toMatchObject({
      code: 'incompatible',
      message: expect.stringContaining('not a ledger'),
    });
    const again = new Sqlite(state.database);
    expect(again.pragma('journal_mode', { simple: true })).toBe('delete');
    expect(again.prepare('SELECT name FROM sqlite_schema').pluck().all()).toEqual(['somebody']);
    again.close();
  });

  it('is made good when a first start got no further than the empty file', () => {
    const state = newState();
    mkdirSync(state.path, { mode: 0o700 });
    writeFileSync(state.database, '', { mode: 0o600 });
    expect(thrownBy(() => connectForReading(state)).message).toContain('There is no ledger');
    expect(newLedger(state).commit(commitOf('run-1', 0))).toBe(true);
  });
});

describe('an error of SQLite', () => {
  const caught = (call: () => unknown): unknown => {
    try {
      call();
    } catch (error) {
      return error;
    }
    throw new Error('the call did not throw');
  };

  it('of a full disk says so', () => {
    const state = newState();
    const { db } = connectForWriting(state);
    db.pragma(`max_page_count = ${Number(db.pragma('page_count', { simple: true }))}`);
    const full = caught(() => db.exec(`INSERT INTO bodies VALUES ('x', '${'x'.repeat(100_000)}')`));
    expect(full).toMatchObject({ code: 'SQLITE_FULL' });
    expect(asLedgerError(full, state)).toMatchObject({
      code: 'state_unavailable',
      message: expect.stringMatching(/disk is full/),
      nextSteps: [expect.stringContaining('TELIC_STATE_DIR')],
    });
    db.close();
  });

  it('of a connection that cannot write, or a file that cannot be opened, says so', () => {
    const state = newState();
    ledgerWithRun(state);
    const { db } = connectForReading(state);
    const readOnly = caught(() => db.exec(`INSERT INTO bodies VALUES ('x', '{}')`));
    expect(asLedgerError(readOnly, state)).toMatchObject({
      code: 'state_unavailable',
      message: expect.stringContaining('read-only'),
    });
    db.close();
    const missing = caught(() => new Sqlite(`${state.path}/missing.sqlite3`, { fileMustExist: true }));
    expect(missing).toMatchObject({ code: 'SQLITE_CANTOPEN' });
    expect(asLedgerError(missing, state)).toMatchObject({
      code: 'state_unavailable',
      message: expect.stringContaining(state.path),
    });
  });

  it('of a torn file is damage', () => {
    const state = newState();
    const ledger = newLedger(state);
    for (let head = 0; head < 60; head += 1) ledger.commit(commitOf('run-1', head));
    ledger.close();
    // Keeps the first page and throws the rest into disorder.
    const size = statSync(state.database).size;
    const db = new Sqlite(state.database);
    const bytes = db.serialize();
    db.close();
    bytes.fill(0xa5, 4096, size);
    writeFileSync(state.database, bytes);
    expect(thrownBy(() => newLedger(state).chain('run-1', 0, 100))).toMatchObject({
      code: 'integrity_failed',
      message: expect.stringContaining(state.database),
    });
  });

  it('that is a defect of ours is not disguised', () => {
    const state = newState();
    const { db } = connectForWriting(state);
    const defect = caught(() => db.exec('nonsense'));
    expect(asLedgerError(defect, state)).toBe(defect);
    db.close();
  });
});
