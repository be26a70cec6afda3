import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type RawServer, startServer, temporary } from '../mcp/rawServer.ts';
import { verifyAll } from './killed.ts';
import { cutLogs, killedState, tearLogs, versionsIn } from './killedLog.ts';

describe('the log of a killed server', () => {
  // More places of each are proven apart (files.proof.ts).
  it('that is cut anywhere gives the ledger as it was after one of its commits, and the server goes on', () =>
    cutLogs(3, 7));

  it('with a torn page gives the ledger as it was before it', () => tearLogs(3, 11));

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
