import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { migrations } from '../../../src/workspace/store/migrations.ts';
import { newDirectory, storeAt } from './fixtures.ts';

const database = 'workspaces.sqlite3';
const modeOf = (path: string): number => statSync(path).mode & 0o777;

describe('a store', () => {
  it('gives back after a restart what was written, and its key', () => {
    const directory = newDirectory();
    const first = storeAt(directory);
    first.write('home', 'notes', [
      { key: 'b', value: { z: 1, a: [null, true, { é: 'ü' }] } },
      { key: 'a', value: 'x' },
      { key: 'gone', value: 1 },
    ]);
    first.write('home', 'notes', [{ key: 'gone', value: null }]);
    first.write('studio', 'notes', [{ key: 'a', value: 'theirs' }]);
    first.raiseCounter('home', 'notes', 7);
    const key = first.key;
    first.close();

    const again = storeAt(directory);
    expect(again.states.of('home', 'notes').list('')).toEqual([
      ['a', 'x'],
      ['b', { a: [null, true, { é: 'ü' }], z: 1 }],
    ]);
    expect(again.states.of('studio', 'notes').get('a')).toBe('theirs');
    expect(again.states.of('studio', 'files').list('')).toEqual([]);
    expect(again.counter('home', 'notes')).toBe(7);
    expect(again.stateVersion('home', 'notes')).toBe(2);
    expect(again.key).toEqual(key);
    expect(key).toHaveLength(32);
  });

  it('keeps values as canonical JSON, whatever order they were written in', () => {
    const store = storeAt(newDirectory());
    store.write('home', 'notes', [{ key: 'a', value: { b: 1, a: { d: -0, c: 2 } } }]);
    expect(store.db.prepare('SELECT value FROM docs').pluck().all()).toEqual(['{"a":{"c":2,"d":0},"b":1}']);
  });

  it('has another key than every other store', () => {
    expect(storeAt(newDirectory()).key).not.toEqual(storeAt(newDirectory()).key);
  });

  it('makes directory and files private whatever the umask', () => {
    const directory = newDirectory();
    const umask = process.umask(0);
    try {
      storeAt(directory).write('home', 'notes', [{ key: 'a', value: 1 }]);
    } finally {
      process.umask(umask);
    }
    expect(modeOf(directory)).toBe(0o700);
    const files = readdirSync(directory);
    expect(files).toContain(`${database}-wal`);
    for (const file of files) expect([file, modeOf(join(directory, file))]).toEqual([file, 0o600]);
  });

  it('makes what others could read private again', () => {
    const directory = newDirectory();
    storeAt(directory).close();
    chmodSync(directory, 0o755);
    chmodSync(join(directory, database), 0o644);
    storeAt(directory);
    expect(modeOf(directory)).toBe(0o700);
    expect(modeOf(join(directory, database))).toBe(0o600);
  });

  it('refuses a link in place of its database', () => {
    const directory = newDirectory();
    mkdirSync(directory);
    symlinkSync('elsewhere', join(directory, database));
    expect(() => storeAt(directory)).toThrow(expect.objectContaining({ name: 'StoreError', code: 'unavailable' }));
  });

  it('says which path it cannot use', () => {
    const directory = newDirectory();
    writeFileSync(directory, 'a file');
    expect(() => storeAt(directory)).toThrow(expect.objectContaining({ name: 'StoreError', code: 'unavailable' }));
  });

  it('commits to the disk before it answers, and keeps foreign keys', () => {
    const { db } = storeAt(newDirectory());
    const read = (pragma: string): unknown => db.pragma(pragma, { simple: true });
    expect([read('journal_mode'), read('synchronous'), read('foreign_keys')]).toEqual(['wal', 2, 1]);
    expect(() =>
      db
        .prepare("INSERT INTO connections VALUES ('c', null, 'none', null, 'x', null, null, null, 1, 1, null, 0, 0)")
        .run(),
    ).toThrow('FOREIGN KEY');
  });
});

describe('the format of a store', () => {
  const added = 'CREATE TABLE added (id INTEGER PRIMARY KEY) STRICT;';

  it('is made from an empty file by every migration in turn', () => {
    const { db } = storeAt(newDirectory(), undefined, [...migrations, added]);
    expect(db.pragma('user_version', { simple: true })).toBe(migrations.length + 1);
    expect(db.prepare("SELECT count(*) FROM sqlite_schema WHERE name IN ('docs', 'added')").pluck().get()).toBe(2);
  });

  it('is brought on from an older one with what it holds', () => {
    const directory = newDirectory();
    const older = storeAt(directory);
    older.write('home', 'notes', [{ key: 'a', value: 1 }]);
    const key = older.key;
    older.close();
    const newer = storeAt(directory, undefined, [...migrations, added]);
    expect(newer.states.of('home', 'notes').get('a')).toBe(1);
    expect(newer.key).toEqual(key);
    expect(newer.db.prepare('SELECT count(*) FROM added').pluck().get()).toBe(0);
  });

  it('stays as it was when a migration fails', () => {
    const directory = newDirectory();
    storeAt(directory).close();
    expect(() => storeAt(directory, undefined, [...migrations, added, 'CREATE TABLE added (id);'])).toThrow('added');
    const { db } = storeAt(directory);
    expect(db.pragma('user_version', { simple: true })).toBe(migrations.length);
    expect(db.prepare("SELECT count(*) FROM sqlite_schema WHERE name = 'added'").pluck().get()).toBe(0);
  });

  it('is refused when it is newer than what is known, and the file is left alone', () => {
    const directory = newDirectory();
    storeAt(directory, undefined, [...migrations, added]).close();
    const before = readFileSync(join(directory, database));
    expect(() => storeAt(directory)).toThrow(expect.objectContaining({ name: 'StoreError', code: 'newer' }));
    expect(readFileSync(join(directory, database))).toEqual(before);
  });

  it('is refused when the file is a database of something else, which is left alone', () => {
    const directory = newDirectory();
    mkdirSync(directory);
    const path = join(directory, database);
    const other = new Sqlite(path);
    other.exec('CREATE TABLE theirs (id INTEGER)');
    other.close();
    const before = readFileSync(path);
    expect(() => storeAt(directory)).toThrow(expect.objectContaining({ name: 'StoreError', code: 'foreign' }));
    expect(readFileSync(path)).toEqual(before);
  });
});
