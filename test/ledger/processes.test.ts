import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StateDirectory } from '../../src/ledger/stateDirectory.ts';
import { ledgerWithRun, newLedger, newState, temporaryFolder } from './fixtures.ts';
import { buildProgram, endOf, plainUser, runProgram, startProgram } from './program.ts';
import { commitOf } from './samples.ts';

let program: ReturnType<typeof buildProgram>;
beforeAll(() => {
  program = buildProgram('worker');
});
afterAll(() => program.remove());

const argsOf = (state: StateDirectory, command: string, argument = ''): string[] => [
  state.repositoryRoot,
  command,
  argument,
];
const environmentOf = (state: StateDirectory): NodeJS.ProcessEnv => ({ ...process.env, TELIC_STATE_DIR: state.path });
const run = (state: StateDirectory, command: string, argument = '') =>
  runProgram(program.path, argsOf(state, command, argument), { env: environmentOf(state) });

describe('several processes on one state directory', () => {
  it('race for 200 heads: each has one winner, and nobody meets a busy error', async () => {
    const state = newState();
    const ends = await Promise.all([run(state, 'race', '200'), run(state, 'race', '200')]);
    for (const end of ends) expect(end).toMatchObject({ code: 0, stderr: '' });
    const won = ends.flatMap(({ stdout }) => JSON.parse(stdout));
    expect(won.sort((one, other) => one - other)).toEqual(Array.from({ length: 200 }, (_, head) => head));
    const ledger = newLedger(state);
    expect(ledger.run('run-1')).toMatchObject({ head: 200, traceCount: 200 });
    expect(ledger.verify('run-1')).toEqual([]);
  });

  it('make one ledger when six of them begin at once', async () => {
    for (let round = 0; round < 3; round += 1) {
      const state = newState();
      const ends = await Promise.all(Array.from({ length: 6 }, () => run(state, 'race', '3')));
      for (const end of ends) expect(end).toMatchObject({ code: 0, stderr: '' });
      expect(newLedger(state).run('run-1')?.head).toBe(3);
    }
  });

  it('wait for a lock that is given back', async () => {
    const state = newState();
    const ledger = ledgerWithRun(state);
    const holder = startProgram(program.path, argsOf(state, 'hold', '700'), { env: environmentOf(state) });
    const ended = endOf(holder);
    if (holder.stdout) await once(holder.stdout, 'data');
    expect(ledger.commit(commitOf('run-1', 3))).toBe(true);
    expect((await ended).code).toBe(0);
  });

  it('are told that the ledger is unavailable when the lock is not given back', async () => {
    const state = newState();
    const ledger = ledgerWithRun(state);
    const holder = startProgram(program.path, argsOf(state, 'hold', '60000'), { env: environmentOf(state) });
    const ended = endOf(holder);
    if (holder.stdout) await once(holder.stdout, 'data');
    expect(() => ledger.commit(commitOf('run-1', 3))).toThrow(
      expect.objectContaining({ code: 'state_unavailable', message: expect.stringContaining('five seconds') }),
    );
    // Reading goes on meanwhile, and afterwards writing does.
    expect(ledger.head('run-1')).toBe(3);
    holder.kill('SIGKILL');
    await ended;
    expect(ledger.commit(commitOf('run-1', 3))).toBe(true);
  });
});

describe('a process that is killed', () => {
  it('in the middle of a transaction leaves the last commit', async () => {
    const state = newState();
    const ledger = ledgerWithRun(state);
    const before = ledger.chain('run-1', 0, 10);
    const size = statSync(`${state.database}-wal`).size;
    expect((await run(state, 'die')).signal).toBe('SIGKILL');
    // The unfinished pages did reach the log.
    expect(statSync(`${state.database}-wal`).size).toBeGreaterThan(size + 500_000);

    expect(ledger.chain('run-1', 0, 10)).toEqual(before);
    expect(ledger.commit(commitOf('run-1', 3))).toBe(true);
    ledger.close();
    const reopened = newLedger(state);
    expect(reopened.verify('run-1')).toEqual([]);
    expect(reopened.head('run-1')).toBe(4);
    const db = new Sqlite(state.database);
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
    expect(db.prepare(`SELECT count(*) FROM bodies WHERE sha256 LIKE 'unfinished%'`).pluck().get()).toBe(0);
    db.close();
  });

  it('anywhere in a row of commits leaves everything that it had told, whole', async () => {
    const state = newState();
    let told = 0;
    for (let round = 0; round < 8; round += 1) {
      const child = startProgram(program.path, argsOf(state, 'fill'), { env: environmentOf(state) });
      const ended = endOf(child);
      if (child.stdout) await once(child.stdout, 'data');
      await pause(3 + round * 7);
      child.kill('SIGKILL');
      const { signal, stdout, stderr } = await ended;
      expect({ signal, stderr }).toEqual({ signal: 'SIGKILL', stderr: '' });
      // The last line may have been cut by the kill.
      const heads = stdout.split('\n').slice(0, -1);
      told = Math.max(told, Number(heads.at(-1)));
      const ledger = newLedger(state);
      expect(ledger.head('run-1')).toBeGreaterThanOrEqual(told);
      expect(ledger.run('run-1')).toMatchObject({
        artifactCount: ledger.head('run-1'),
        traceCount: ledger.head('run-1'),
      });
      expect(ledger.verify('run-1')).toEqual([]);
      ledger.close();
    }
  });
});

describe('what is made on the disk', () => {
  const modeOf = (path: string): number => statSync(path).mode & 0o777;

  for (const umask of [0o000, 0o022, 0o777])
    it(`is private under umask ${umask.toString(8).padStart(3, '0')}`, async () => {
      const folder = temporaryFolder();
      const open: StateDirectory = { ...newState(), path: join(folder, 'parent', 'state') };
      const database = join(open.path, 'ledger.sqlite3');
      const { stdout, stderr } = await runProgram(program.path, argsOf(open, 'make', String(umask)), {
        env: environmentOf(open),
      });
      expect({ stdout, stderr }).toEqual({ stdout: 'true\n', stderr: '' });
      expect(modeOf(join(folder, 'parent'))).toBe(0o700);
      expect(modeOf(open.path)).toBe(0o700);
      for (const path of [database, `${database}-wal`, `${database}-shm`])
        expect([path, modeOf(path)]).toEqual([path, 0o600]);
    });

  it('becomes private when it was open to others before', () => {
    const state = newState();
    mkdirSync(state.path);
    chmodSync(state.path, 0o755);
    ledgerWithRun(state).close();
    chmodSync(state.database, 0o644);
    chmodSync(state.path, 0o775);
    newLedger(state).commit(commitOf('run-1', 3));
    expect(modeOf(state.path)).toBe(0o700);
    expect(modeOf(state.database)).toBe(0o600);
  });
});

describe('a user without the permission', () => {
  /** A state directory of the user that runs the programs; its parent can be entered by all. */
  const ownState = (): StateDirectory => {
    const state = newState();
    chmodSync(dirname(state.path), 0o777);
    mkdirSync(state.path, { mode: 0o700 });
    if (plainUser.uid !== undefined) chownSync(state.path, plainUser.uid, plainUser.uid);
    return state;
  };
  const runPlain = async (state: StateDirectory, command: string) => {
    const options = { ...plainUser, env: environmentOf(state), cwd: '/' };
    const { stdout, stderr } = await runProgram(program.path, argsOf(state, command), options);
    expect(stderr).toBe('');
    return JSON.parse(stdout);
  };

  it('can use a directory of its own', async () => {
    const state = ownState();
    expect(await runPlain(state, 'use')).toEqual({ committed: true });
    expect(await runPlain(state, 'read')).toEqual({ runs: 1 });
  });

  it('is told that a parent is read-only', async () => {
    const state = newState();
    chmodSync(dirname(state.path), 0o555);
    const said = await runPlain(state, 'use');
    expect(said).toMatchObject({ code: 'state_unavailable', message: expect.stringContaining(state.path) });
    expect(said.message).toContain('TELIC_STATE_DIR');
    expect(await runPlain(state, 'read')).toEqual({ runs: 0 });
    expect(existsSync(state.path)).toBe(false);
    chmodSync(dirname(state.path), 0o755);
  });

  it('is told that the directory belongs to somebody else', async (context) => {
    if (plainUser.uid === undefined) return context.skip('another user is needed to own the directory');
    const state = newState();
    mkdirSync(state.path, { mode: 0o777 });
    chmodSync(state.path, 0o777);
    chmodSync(dirname(state.path), 0o755);
    const said = await runPlain(state, 'use');
    expect(said).toMatchObject({ code: 'state_unavailable', message: expect.stringContaining('belongs to user') });
    expect(existsSync(state.database)).toBe(false);
  });

  it('is told that a parent cannot be looked into', async () => {
    const state = newState();
    const closed = join(dirname(state.path), 'closed');
    mkdirSync(closed, { mode: 0o000 });
    chmodSync(dirname(state.path), 0o755);
    const said = await runPlain({ ...state, path: join(closed, 'state') }, 'read');
    expect(said).toMatchObject({ code: 'state_unavailable', message: expect.stringContaining(closed) });
    rmSync(closed, { recursive: true });
  });
});
