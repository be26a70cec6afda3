import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { type GatePorts, gate, longestInput } from '../../src/gate/gate.ts';
import { openDatabase } from '../../src/ledger/sqlite/driver.ts';
import { cli, telic } from '../cli/console.ts';
import { sampleFiles, type World } from '../sdk/world.ts';
import { bundlePath } from '../support/bundle.ts';
import { driveTo, gateWorld, serverOf, stateOf } from './bed.ts';

const write = '{"hook_event_name":"BeforeTool","tool_name":"write_file","tool_input":{"file_path":"src/parser.ts"}}';

const refused = { decision: 'deny', reason: expect.stringContaining('Telic refuses') };

async function* pieces(...texts: readonly string[]): AsyncIterable<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}

/** A gate in this process whose judging thread is the module with this text. */
const gateOver = (world: World, judge: string, over: Partial<GatePorts> = {}) => {
  const file = join(dirname(world.root), 'judge.mjs');
  writeFileSync(file, judge);
  return gate(['--host', 'gemini'], {
    env: world.env,
    cwd: world.root,
    input: pieces(write),
    entry: pathToFileURL(file),
    patience: 20_000,
    ...over,
  });
};

/** A world with a run that permits writing, and everything closed. */
const running = async (): Promise<World> => {
  const world = gateWorld(sampleFiles, 'commit');
  const server = serverOf(world);
  await driveTo(world, server, 'WorkResult');
  server.close();
  return world;
};

const asked = (world: World, input: string | Uint8Array, ...words: readonly string[]) =>
  telic(['broker-gate', '--host', 'gemini', ...words], { cwd: world.root, env: world.env, input });

describe('a gate that fails', () => {
  it.each<[string, string]>([
    ['throws', 'throw new Error("broken")'],
    ['ends the thread', 'process.exit(0)'],
    ['ends it with a code', 'process.exit(7)'],
    [
      'tells nothing that is a verdict',
      'import { parentPort } from "node:worker_threads"; parentPort.postMessage("yes")',
    ],
    ['tells of a fault', 'import { parentPort } from "node:worker_threads"; parentPort.postMessage({ fault: "busy" })'],
    ['cannot be parsed', 'this is no module'],
  ])('refuses where the judging thread %s', async (_how, judge) => {
    const answer = await gateOver(gateWorld({}, 'folder'), judge);
    expect(answer.exit).toBe(0);
    expect(JSON.parse(answer.out)).toEqual(refused);
  });

  it('refuses where the judging thread hangs past the deadline', async () => {
    // An endless loop would outlive this test; the thread ends by itself a little later.
    const hang = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2000)';
    const answer = await gateOver(gateWorld({}, 'folder'), hang, { patience: 50 });
    expect(JSON.parse(answer.out)).toEqual({ decision: 'deny', reason: expect.stringContaining('in time') });
  });

  it('refuses where the input breaks off with an error', async () => {
    async function* broken(): AsyncIterable<Uint8Array> {
      yield Buffer.from('{');
      throw new Error('read failed');
    }
    const answer = await gateOver(gateWorld({}, 'folder'), '', { input: broken() });
    expect(JSON.parse(answer.out)).toEqual(refused);
  });

  it('refuses where standard input never ends', async () => {
    const world = gateWorld({}, 'folder');
    const child = spawn(process.execPath, [bundlePath, 'broker-gate', '--host', 'gemini'], {
      cwd: world.root,
      env: {},
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    child.stdin.write('{"hook_event_name":');
    let out = '';
    child.stdout.on('data', (piece) => {
      out += piece;
    });
    const exit = await new Promise((resolve) => child.once('close', resolve));
    child.stdin.destroy();
    expect(JSON.parse(out)).toEqual({ decision: 'deny', reason: expect.stringContaining('in time') });
    expect(exit).toBe(0);
  });

  it('refuses a document that is longer than it reads, in every mode', async () => {
    const long = Buffer.alloc(longestInput + 1, ' ');
    for (const words of [[], ['--strict']]) {
      const said = await asked(gateWorld({}, 'folder'), long, ...words);
      expect(JSON.parse(said.out)).toEqual(refused);
    }
  });

  it('reads a document of megabytes', async () => {
    const world = await running();
    const big = JSON.parse(write);
    big.tool_input.content = 'x'.repeat(4 * 1024 * 1024);
    expect(JSON.parse((await asked(world, JSON.stringify(big), '--strict')).out)).toEqual({});
  });

  it.each(['', '{not json', '[]', 'null', '7', '"Write"', '\u0000\u0001', '{"tool_name":"Write"'])(
    'refuses %j where it is strict, and says elsewhere that it did not check',
    async (input) => {
      const world = gateWorld({}, 'folder');
      expect(JSON.parse((await asked(world, input, '--strict')).out)).toEqual(refused);
      const said = await asked(world, input);
      expect(said).toMatchObject({ exit: 0, out: '{}\n', err: expect.stringContaining('did not check') });
    },
  );

  it('refuses where another process holds the ledger, in every mode', async () => {
    const world = await running();
    const db = openDatabase(stateOf(world).database, { readOnly: false, busyMilliseconds: 0 });
    try {
      db.exec('BEGIN EXCLUSIVE');
      for (const words of [[], ['--strict']])
        expect(JSON.parse((await asked(world, write, ...words)).out)).toEqual(refused);
    } finally {
      db.close();
    }
    expect(JSON.parse((await asked(world, write, '--strict')).out)).toEqual({});
  });

  it('refuses where the ledger is damaged, in every mode', async () => {
    const world = await running();
    writeFileSync(stateOf(world).database, 'no database at all, but long enough to be looked into'.repeat(40));
    for (const words of [[], ['--strict']])
      expect(JSON.parse((await asked(world, write, ...words)).out)).toEqual(refused);
  });

  it('refuses words that it does not know, and a command that does not begin with its name', async () => {
    for (const words of [
      ['broker-gate', '--bogus'],
      ['broker-gate', '--host', 'nobody'],
      ['broker-gate', '--host'],
      ['--json', 'broker-gate'],
      ['broker-gate', '||', 'exit', '2'],
    ])
      expect(await telic(words, { input: write })).toMatchObject({ exit: 2, err: expect.stringContaining('refuse') });
  });

  it('shows its help and no decision when it is asked how it is used', async () => {
    for (const words of [
      ['broker-gate', '--help'],
      ['help', 'broker-gate'],
    ]) {
      const said = await cli(words);
      expect(said).toMatchObject({ exit: 0, out: expect.stringContaining('--host') });
    }
  });
});

describe('a gate without a run', () => {
  it('makes nothing on disk', async () => {
    const world = gateWorld({}, 'folder');
    await asked(world, write, '--strict');
    expect(readdirSync(dirname(world.root))).toEqual(['sample']);
  });

  it.each<[string, Readonly<Record<string, string>>, string]>([
    ['no place for the state', { TELIC_STATE_DIR: '' }, 'no place for the state'],
    ['a repository that is not there', { TELIC_REPOSITORY_ROOT: '/no/such/folder' }, 'no repository'],
  ])('refuses where it is strict and there is %s', async (_what, env, why) => {
    const world = gateWorld({}, 'folder');
    const said = await telic(['broker-gate', '--host', 'gemini', '--strict'], {
      cwd: world.root,
      env: { ...world.env, ...env },
      input: write,
    });
    expect(JSON.parse(said.out)).toEqual({ decision: 'deny', reason: expect.stringContaining(why) });
  });

  it('follows no link in place of the session file', async () => {
    const world = await running();
    const real = `${stateOf(world).session}.real`;
    renameSync(stateOf(world).session, real);
    symlinkSync(real, stateOf(world).session);
    const said = await asked(world, write, '--strict');
    expect(JSON.parse(said.out).reason).toMatch(/session|link/);
    expect(JSON.parse(said.out).decision).toBe('deny');
  });

  it('lets the tools of the product pass, so that a run can be started', async () => {
    const input = '{"hook_event_name":"BeforeTool","tool_name":"mcp_telic_telic_start_run","tool_input":{}}';
    expect(JSON.parse((await asked(gateWorld({}, 'folder'), input, '--strict')).out)).toEqual({});
  });
});

describe('a gate in a folder of the repository', () => {
  const inFolder = (world: World, path: string, cwd?: string) => {
    const document = JSON.parse(write);
    document.tool_input.file_path = path;
    if (cwd !== undefined) document.cwd = cwd;
    return telic(['broker-gate', '--host', 'gemini', '--strict'], {
      cwd: cwd ?? world.root,
      env: world.env,
      input: JSON.stringify(document),
    });
  };

  it('finds the run of the repository, and takes relative paths from where the host is', async () => {
    const world = await running();
    const folder = join(world.root, 'src');
    expect(JSON.parse((await inFolder(world, 'parser.ts', folder)).out)).toEqual({});
    expect(JSON.parse((await inFolder(world, '../README.md', folder)).out)).toEqual({});
    expect(JSON.parse((await inFolder(world, '../../outside.ts', folder)).out)).toEqual(refused);
    // The same words in the root lead out of it.
    expect(JSON.parse((await inFolder(world, '../README.md')).out)).toEqual(refused);
    const { events } = await serverOf(world).trace((await serverOf(world).listRuns(1)).runs[0]?.runId ?? '', 0, 500);
    const scopes = events.flatMap(({ permissionDecision }) => permissionDecision?.scope ?? []);
    expect(scopes).toContain('src/parser.ts');
  });

  it('refuses a command that would run outside, though it is listed', async () => {
    const world = await running();
    const said = (directory: string) =>
      asked(
        world,
        JSON.stringify({
          hook_event_name: 'BeforeTool',
          tool_name: 'run_shell_command',
          tool_input: { command: 'npm test', directory },
        }),
        '--strict',
      );
    expect(JSON.parse((await said('src')).out)).toEqual({});
    expect(JSON.parse((await said('/tmp')).out)).toEqual(refused);
  });

  it('notes who asked, privately, and works where the note cannot be written', async () => {
    const world = await running();
    const note = join(stateOf(world).path, 'gate-calls.json');
    await asked(world, write, '--strict');
    expect(existsSync(note)).toBe(true);
    rmSync(note);
    mkdirSync(note);
    expect(JSON.parse((await asked(world, write, '--strict')).out)).toEqual({});
  });
});
