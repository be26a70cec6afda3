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
import { expect } from 'vitest';
import { randomFrom } from '../../src/conformance/random.ts';
import { repository, startServer, temporary, tokenOf } from '../mcp/rawServer.ts';
import { verifyAll } from './killed.ts';

/** A ledger whose server was killed, and what servers after it have of the runs when its log is hurt. */

/** The files of a ledger as a server left them that was killed: the log is not folded in. */
export const killedState = async () => {
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
export const versionsIn = async (root: string, state: string, runs: readonly string[]): Promise<readonly number[]> => {
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

/** Cuts the log at its ends, within its head, and at so many other places. */
export const cutLogs = async (places: number, seed: number): Promise<void> => {
  const { root, state, database, runs } = await killedState();
  const size = statSync(`${database}-wal`).size;
  const random = randomFrom(seed);
  const cuts = [0, 1, 31, 32, size - 1, ...Array.from({ length: places }, () => Math.floor(random() * size))];
  for (const cut of cuts) {
    const copy = copyOf(state);
    truncateSync(`${copy.database}-wal`, cut);
    rmSync(`${copy.database}-shm`, { force: true });
    expect(history, `cut at ${cut} of ${size}`).toContainEqual(await versionsIn(root, copy.state, runs));
    expect(verifyAll(root, copy.state)).toMatchObject({ ok: true });
  }
};

/** Tears a page of the log at so many places. */
export const tearLogs = async (places: number, seed: number): Promise<void> => {
  const { root, state, database, runs } = await killedState();
  const bytes = readFileSync(`${database}-wal`);
  const random = randomFrom(seed);
  for (let round = 0; round < places; round += 1) {
    const copy = copyOf(state);
    const at = 32 + Math.floor(random() * (bytes.length - 544));
    const torn = Buffer.from(bytes);
    torn.fill(0xa5, at, at + 512);
    writeFileSync(`${copy.database}-wal`, torn);
    rmSync(`${copy.database}-shm`, { force: true });
    expect(history, `torn at ${at}`).toContainEqual(await versionsIn(root, copy.state, runs));
    expect(verifyAll(root, copy.state)).toMatchObject({ ok: true });
  }
};
