import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { systemClock, systemIds } from '../../../src/workspace/sources.ts';
import { openStore } from '../../../src/workspace/store/openStore.ts';
import { createRegistry } from '../../../src/workspace/store/registry.ts';

const directories: string[] = [];
const fresh = (): string => {
  const directory = mkdtempSync(join(tmpdir(), 'telic-store-'));
  directories.push(directory);
  return directory;
};
afterEach(() => {
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, force: true });
});

test('a store that was closed gives back what was written, its key and its home', () => {
  const directory = join(fresh(), 'data');
  const open = () => openStore({ directory, clock: systemClock, ids: systemIds });
  const store = open();
  const registry = createRegistry(store, { clock: systemClock, ids: systemIds });
  store.write('home', 'notes', [
    { key: 'b', value: { z: 1, a: [null] } },
    { key: 'a', value: 'x' },
  ]);
  const { text } = registry.createToken({
    label: 'Desk',
    workspace: null,
    max: 'outside',
    expires_ms: null,
    run: null,
  });
  const token = registry.tokenOf(text);
  if (token === null) throw new Error('the token is unknown');
  const { session, connection } = registry.openSession(token, 'home', {
    label: 'x',
    name: 'x',
    version: '1',
    protocol: 'p',
  });
  const key = store.key;
  store.close();
  const again = open();
  expect(again.key).toEqual(key);
  expect(again.states.of('home', 'notes').list('')).toEqual([
    ['a', 'x'],
    ['b', { a: [null], z: 1 }],
  ]);
  const after = createRegistry(again, { clock: systemClock, ids: systemIds });
  expect(after.sessionOf(token, 'home', session)).toEqual(connection);
  expect(after.workspaces()).toEqual([{ name: 'home', label: 'Home', apps: ['notes'] }]);
  const code = after.createLoginCode('home');
  const entered = after.enter(code);
  expect(entered?.workspace).toBe('home');
  expect(after.enter(code)).toBeNull();
  expect(after.personOf(entered?.session ?? '')).toEqual({ id: 'owner', name: '' });
  expect(again.db.pragma('synchronous', { simple: true })).toBe(2);
  for (const file of ['workspaces.sqlite3', 'workspaces.sqlite3-wal', 'workspaces.sqlite3-shm'])
    expect(statSync(join(directory, file)).mode & 0o777).toBe(0o600);
  expect(statSync(directory).mode & 0o777).toBe(0o700);
  again.close();
});
