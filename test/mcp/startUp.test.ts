import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { toolArguments } from '../../schemas/tools.ts';
import { bundlePath } from '../support/bundle.ts';
import { type RawServer, repository, request, startServer, temporary, tokenOf } from './rawServer.ts';

const token = { run_id: 'run-1', action_id: 'action:run-1:1', expected_run_version: 1 };
const calls: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
  ['telic_start_run', request],
  ['telic_ground_context', token],
  ['telic_get_next_action', { run_id: 'run-1' }],
  ['telic_submit_artifact', { ...token, artifact_type: 'Evidence', body: { id: 'e-1', runId: 'run-1' } }],
  ['telic_submit_artifact', { ...token, clarification_response: 'go-on' }],
  ['telic_cancel_run', token],
  ['telic_list_runs', {}],
  ['telic_get_run', { run_id: 'run-1' }],
  ['telic_get_artifact', { run_id: 'run-1', artifact_id: 'a' }],
  ['telic_get_trace', { run_id: 'run-1' }],
  ['telic_check_tool_action', { ...token, capability: 'repository.read' }],
  ['telic_replay_run', { run_id: 'run-1' }],
];

/** Handshake and lists answer, and every tool fails with this code and these words. */
const everyToolSays = async (server: RawServer, code: string, words: readonly string[]): Promise<void> => {
  expect(new Set(calls.map(([name]) => name))).toEqual(new Set(Object.keys(toolArguments)));
  expect((await server.initialize()).result).toMatchObject({ serverInfo: { name: 'telic' } });
  expect((await server.request('tools/list')).result?.tools).toHaveLength(11);
  expect((await server.request('prompts/list')).result?.prompts).toHaveLength(1);
  for (const [name, args] of calls) {
    const failure = await server.call(name, args);
    expect(failure, name).toMatchObject({ ok: false, code, kind: 'unavailable' });
    const told = JSON.stringify(failure);
    for (const word of words) expect(told).toContain(word);
    expect(failure.next_steps).not.toEqual([]);
  }
  server.closeInput();
  expect((await server.exit).code).toBe(0);
};

describe('a configuration that breaks a boundary', () => {
  const refused = async (server: RawServer, words: string): Promise<void> => {
    expect(await server.exit).toEqual({ code: 1, signal: null });
    expect(server.messages).toEqual([]);
    expect(server.noise).toEqual([]);
    const lines = server.stderr().trimEnd().split('\n');
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(words);
    expect(lines[0]?.length).toBeLessThanOrEqual(800);
  };

  test('of state inside the repository ends the start with one line', async () => {
    const root = repository();
    await refused(startServer({ root, state: join(root, 'state') }), 'inside the repository');
  });

  test('of state that contains the repository ends the start with one line', async () => {
    const root = repository();
    await refused(startServer({ root, state: dirname(root) }), 'contains the repository');
  });

  test('of state that is a link ends the start with one line', async () => {
    const link = join(temporary('links'), 'link');
    symlinkSync(temporary('target'), link);
    await refused(startServer({ state: link }), 'link');
  });

  test('of a ledger that is a link ends the start with one line', async () => {
    const state = temporary('state');
    symlinkSync(join(temporary('target'), 'other'), join(state, 'ledger.sqlite3'));
    await refused(startServer({ state }), 'link');
  });
});

describe('a place that cannot be used', () => {
  test('lets handshake and lists answer when the state directory is a file', async () => {
    const state = join(temporary('state'), 'file');
    writeFileSync(state, '');
    await everyToolSays(startServer({ state }), 'state_unavailable', [state, 'TELIC_STATE_DIR']);
  });

  test('lets handshake and lists answer when no variable leads to a state directory', async () => {
    await everyToolSays(startServer({ env: { TELIC_REPOSITORY_ROOT: repository() } }), 'state_unavailable', [
      'TELIC_STATE_DIR',
      'HOME',
    ]);
  });

  test('lets handshake and lists answer when a folder stands where the ledger should be', async () => {
    const state = temporary('state');
    mkdirSync(join(state, 'ledger.sqlite3'));
    await everyToolSays(startServer({ state }), 'state_unavailable', [state]);
  });

  test.each([
    ['the working directory is the root of the file system', { cwd: '/' }, {}],
    ['the variable names nothing', {}, { TELIC_REPOSITORY_ROOT: '/nowhere/at/all' }],
  ])('lets handshake and lists answer when %s', async (_, options, variables) => {
    const env = { ...variables, TELIC_STATE_DIR: join(temporary('state'), 'state') };
    await everyToolSays(startServer({ ...options, env }), 'repository_not_configured', ['TELIC_REPOSITORY_ROOT']);
  });

  test('lets handshake and lists answer when the working directory is the home directory', async () => {
    const home = temporary('home');
    await everyToolSays(startServer({ cwd: home, env: { HOME: home } }), 'repository_not_configured', [
      'TELIC_REPOSITORY_ROOT',
    ]);
    expect(readdirSync(home)).toEqual([]);
  });

  test('can be mended without a new start', async () => {
    const state = join(temporary('state'), 'file');
    writeFileSync(state, '');
    const server = startServer({ state });
    expect(await server.call('telic_start_run', request)).toMatchObject({ code: 'state_unavailable' });
    rmSync(state);
    expect(await server.call('telic_start_run', request)).toMatchObject({ ok: true });
  });
});

describe('the ledger', () => {
  test('is loaded by the first run and not by the handshake, the lists or wrong arguments', async () => {
    const watch = join(temporary('watch'), 'watch.cjs');
    writeFileSync(
      watch,
      `const Module = require('node:module');
      const load = Module._load;
      Module._load = function (name, ...rest) {
        if (name === 'better-sqlite3') process.stderr.write('the driver is loaded\\n');
        return load.call(this, name, ...rest);
      };`,
    );
    const env = {
      TELIC_REPOSITORY_ROOT: repository(),
      TELIC_STATE_DIR: join(temporary('state'), 'state'),
      NODE_OPTIONS: `--require ${watch}`,
    };
    const server = startServer({ env });
    await server.initialize();
    await server.request('tools/list');
    await server.request('prompts/get', { name: 'telic_workflow' });
    expect(await server.call('telic_start_run', {})).toMatchObject({ code: 'invalid_arguments' });
    expect(await server.call('telic_list_runs')).toEqual({ ok: true, runs: [] });
    expect(server.stderr()).not.toContain('the driver is loaded');
    await server.call('telic_start_run', request);
    expect(server.stderr()).toContain('the driver is loaded');
  });

  test('that another process holds locked does not keep the handshake waiting', async () => {
    const root = repository();
    const state = join(temporary('state'), 'state');
    const first = startServer({ root, state });
    const { run_id } = tokenOf(await first.call('telic_start_run', request));
    first.closeInput();
    await first.exit;
    const db = new Database(join(state, 'ledger.sqlite3'));
    db.pragma('locking_mode = EXCLUSIVE');
    db.exec('BEGIN EXCLUSIVE');
    const second = startServer({ root, state });
    try {
      // Were the ledger opened first, these would wait for the lock, which is given back only after them.
      await second.initialize();
      expect((await second.request('tools/list')).result?.tools).toHaveLength(11);
    } finally {
      db.exec('ROLLBACK');
      db.close();
    }
    expect(await second.call('telic_get_run', { run_id })).toMatchObject({ ok: true, run: { version: 1 } });
  });

  test('and its directory are made by the first run alone', async () => {
    const parent = temporary('state');
    const server = startServer({ state: join(parent, 'a', 'state') });
    await server.initialize();
    for (const [name, args] of calls.filter(([tool]) => tool !== 'telic_start_run'))
      expect(await server.call(name, args)).toHaveProperty('ok');
    expect(readdirSync(parent)).toEqual([]);
    await server.call('telic_start_run', request);
    expect(existsSync(join(parent, 'a', 'state', 'ledger.sqlite3'))).toBe(true);
  });

  test('whose module was built for another Node is told once, with the command that mends it, and in the exit code', async () => {
    const folder = temporary('install');
    cpSync(dirname(bundlePath), folder, { recursive: true });
    const driver = join(folder, 'node_modules', 'better-sqlite3');
    mkdirSync(driver, { recursive: true });
    writeFileSync(
      join(driver, 'index.js'),
      `module.exports = class {
        constructor() {
          throw Object.assign(
            new Error('The module was compiled against a different Node.js version using\\nNODE_MODULE_VERSION 127. This version of Node.js requires\\nNODE_MODULE_VERSION 115.'),
            { code: 'ERR_DLOPEN_FAILED' },
          );
        }
      };`,
    );
    const server = startServer({ bundle: join(folder, 'telic.js') });
    await server.initialize();
    for (let turn = 0; turn < 2; turn += 1)
      expect(await server.call('telic_start_run', request)).toMatchObject({
        code: 'state_unavailable',
        error: expect.stringContaining('Node 22'),
        next_steps: [expect.stringContaining('npm rebuild better-sqlite3')],
      });
    server.closeInput();
    expect((await server.exit).code).toBe(1);
    const told = server
      .stderr()
      .split('\n')
      .filter((line) => line.includes('npm rebuild'));
    expect(told).toEqual([expect.stringContaining(`Node ${process.versions.node}`)]);
  });
});
