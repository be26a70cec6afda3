import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { randomFrom } from '../../src/conformance/random.ts';
import { type RawServer, repository, startServer, temporary, tokenOf } from '../mcp/rawServer.ts';
import { verifyAll } from './killed.ts';

/** The files of a ledger as a server left them that was killed: the log is not folded in. */
const killedState = async () => {
  const root = repository();
  const state = join(temporary('state'), 'state');
  const server = startServer({ root, state });
  await server.initialize();
  const runs: string[] = [];
  for (let index = 0; index < 4; index += 1) {
    const started = await server.call('telic_start_run', { original_request: `Plan ${index}.`, mode: 'plan_only' });
    runs.push(tokenOf(started).run_id);
    await server.call('telic_ground_context', tokenOf(started));
  }
  server.child.kill('SIGKILL');
  await server.exit;
  const database = join(state, 'ledger.sqlite3');
  expect(existsSync(`${database}-wal`)).toBe(true);
  return { root, state, database, runs };
};

/** A copy of the state, so that one killed server serves many faults. */
const copyOf = (state: string): { state: string; database: string } => {
  const copy = join(temporary('state'), 'state');
  mkdirSync(copy, { mode: 0o700 });
  for (const suffix of ['', '-wal', '-shm']) {
    const name = `ledger.sqlite3${suffix}`;
    if (existsSync(join(state, name))) copyFileSync(join(state, name), join(copy, name));
  }
  return { state: copy, database: join(copy, 'ledger.sqlite3') };
};

/** What a server has of the runs, oldest first: their versions, or nothing; and that it can go on. */
const versionsIn = async (root: string, state: string, runs: readonly string[]): Promise<readonly number[]> => {
  const server = startServer({ root, state });
  await server.initialize();
  const versions: number[] = [];
  for (const run_id of runs) {
    const answer = await server.call('telic_get_run', { run_id });
    if (answer.ok !== true) expect(answer).toMatchObject({ code: 'run_not_found' });
    versions.push(answer.ok === true ? tokenOf(answer).expected_run_version : 0);
  }
  expect(await server.call('telic_start_run', { original_request: 'And on.', mode: 'plan_only' })).toMatchObject({
    ok: true,
  });
  server.closeInput();
  expect(await server.exit).toMatchObject({ code: 0 });
  return versions;
};

/** The states that the ledger had after each commit, told by versions. */
const history = Array.from({ length: 9 }, (_, commits) =>
  [0, 1, 2, 3].map((run) => Math.max(0, Math.min(2, commits - 2 * run))),
);

describe('the log of a killed server', () => {
  it('that is cut anywhere gives the ledger as it was after one of its commits, and the server goes on', async () => {
    const { root, state, database, runs } = await killedState();
    const size = statSync(`${database}-wal`).size;
    const random = randomFrom(7);
    const cuts = [0, 1, 31, 32, size - 1, ...Array.from({ length: 9 }, () => Math.floor(random() * size))];
    for (const cut of cuts) {
      const copy = copyOf(state);
      truncateSync(`${copy.database}-wal`, cut);
      rmSync(`${copy.database}-shm`, { force: true });
      expect(history, `cut at ${cut} of ${size}`).toContainEqual(await versionsIn(root, copy.state, runs));
      expect(verifyAll(root, copy.state)).toMatchObject({ ok: true });
    }
  });

  it('with a torn page gives the ledger as it was before it', async () => {
    const { root, state, database, runs } = await killedState();
    const bytes = readFileSync(`${database}-wal`);
    const random = randomFrom(11);
    for (let round = 0; round < 8; round += 1) {
      const copy = copyOf(state);
      const at = 32 + Math.floor(random() * (bytes.length - 544));
      const torn = Buffer.from(bytes);
      torn.fill(0xa5, at, at + 512);
      writeFileSync(`${copy.database}-wal`, torn);
      rmSync(`${copy.database}-shm`, { force: true });
      expect(history, `torn at ${at}`).toContainEqual(await versionsIn(root, copy.state, runs));
      expect(verifyAll(root, copy.state)).toMatchObject({ ok: true });
    }
  });

  it('is read without its index: -shm is made anew', async () => {
    const { root, state, database, runs } = await killedState();
    rmSync(`${database}-shm`, { force: true });
    expect(await versionsIn(root, state, runs)).toEqual([2, 2, 2, 2]);
    expect(verifyAll(root, state)).toMatchObject({ ok: true });
  });
});

const everyToolSays = async (server: RawServer, code: string): Promise<void> => {
  await server.initialize();
  const run_id = '00000000-0000-4000-8000-000000000000';
  for (const [tool, args] of [
    ['telic_list_runs', {}],
    ['telic_get_run', { run_id }],
    ['telic_start_run', { original_request: 'Plan it.', mode: 'plan_only' }],
  ] as const)
    expect(await server.call(tool, args)).toMatchObject({
      ok: false,
      code,
      next_steps: expect.arrayContaining([expect.any(String)]),
    });
  expect((await server.request('ping')).result).toEqual({});
};

describe('a database that is none', () => {
  it('is told by every tool, the process lives, and the file stays as it was', async () => {
    const state = temporary('state');
    const database = join(state, 'ledger.sqlite3');
    const garbage = 'This is no database. '.repeat(500);
    writeFileSync(database, garbage, { mode: 0o600 });
    await everyToolSays(startServer({ state }), 'integrity_failed');
    expect(readFileSync(database, 'utf8')).toBe(garbage);
  });

  it('because it is empty begins anew: nothing was ever in it', async () => {
    const state = temporary('state');
    writeFileSync(join(state, 'ledger.sqlite3'), '', { mode: 0o600 });
    const server = startServer({ state });
    await server.initialize();
    expect(await server.call('telic_list_runs', {})).toMatchObject({ ok: true, runs: [] });
    expect(await server.call('telic_start_run', { original_request: 'Plan it.', mode: 'plan_only' })).toMatchObject({
      ok: true,
    });
  });

  it('any more, since its pages were cut off, is told as damage, never as a ledger without runs', async () => {
    const { root, state, database } = await killedState();
    const server = startServer({ root, state });
    await server.initialize();
    await server.call('telic_list_runs', {});
    server.closeInput();
    await server.exit;
    truncateSync(database, 8192);
    const after = startServer({ root, state });
    await after.initialize();
    const answer = await after.call('telic_list_runs', {});
    expect(answer).toMatchObject({ ok: false, code: 'integrity_failed', kind: 'corrupt' });
  });
});
