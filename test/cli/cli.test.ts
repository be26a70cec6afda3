import { describe, expect, it } from 'vitest';
import { commands } from '../../src/cli/commands.ts';
import { createController } from '../../src/controller/controller.ts';
import { openLedger } from '../../src/ledger/sqlite/sqliteLedger.ts';
import { locateStateDirectory } from '../../src/ledger/stateDirectory.ts';
import { newWorld, sampleFiles, type World } from '../sdk/world.ts';
import { cli, telic } from './console.ts';

const runId = '3f0e7c7e-7a3c-4a5b-9a63-0d7f6d8a1c01';

/** A ledger with one run in its first phase: every time and id in it is known. */
const recorded = async (): Promise<World> => {
  const world = newWorld(sampleFiles, 'folder');
  const ledger = openLedger(locateStateDirectory(world.env, world.root));
  const ids = [runId, '9d1c3b1e-52a4-4a5e-8a53-6f1c2f0c7a02'];
  const controller = createController({
    ledger: () => ledger,
    clock: { now: () => '2026-03-02T09:00:00.000Z' },
    ids: { uuid: () => ids.shift() ?? 'spent' },
    repositoryRoot: world.root,
    excludedRoots: [],
    brokerScope: 'envelope',
    close: () => ledger.close(),
  });
  await controller.start({ originalRequest: 'Look at the sample.', mode: 'plan_only', hostName: 'test-host' });
  controller.close();
  return world;
};

/** What differs from machine to machine taken out: the root, and the digests of bodies that hold it. */
const general = (text: string, { root }: World): string =>
  text.replaceAll(root, '/srv/sample').replaceAll(/sha256:[0-9a-f]{64}/g, 'sha256:<digest>');

describe('the commands that read a run', () => {
  it.each([
    ['status', [runId]],
    ['trace', [runId]],
    ['artifact', [runId, runId]],
  ] as const)('%s prints what its golden file holds, and the same in one line with --json', async (command, args) => {
    const world = await recorded();
    const said = await cli([command, ...args, '--repo', world.root], world);
    expect(said).toMatchObject({ exit: 0, err: '' });
    await expect(general(said.out, world)).toMatchFileSnapshot(`golden/${command}.txt`);

    const compact = await cli(['--json', command, ...args], { env: world.env, cwd: world.root });
    expect(compact.out).toBe(`${JSON.stringify(JSON.parse(said.out))}\n`);
  });

  it.each([
    ['a run that is not there', ['status', 'no-such-run'], 'The ledger of this repository has no run no-such-run.'],
    ['no run for a trace', ['trace', 'no-such-run'], 'The ledger of this repository has no run no-such-run.'],
    ['an artifact that is not there', ['artifact', runId, 'frame-01'], `Run ${runId} has no artifact frame-01.`],
    ['a missing argument', ['artifact', runId], "missing required argument 'ARTIFACT_ID'"],
    [
      'the server in the wrong place',
      ['mcp'],
      'mcp has to be the first word: telic mcp. The server takes TELIC_REPOSITORY_ROOT, not --repo.',
    ],
  ])('answers %s with one line on standard error and exit 1', async (_, argv, message) => {
    const world = await recorded();
    expect(await cli(argv, { env: world.env, cwd: world.root })).toEqual({
      exit: 1,
      out: '',
      err: `telic: ${message}\n`,
    });
  });

  it('says that there is no ledger, and makes none', async () => {
    const world = newWorld({}, 'folder');
    const said = await cli(['status', runId, '--repo', world.root], world);
    expect(said).toMatchObject({ exit: 1, out: '' });
    expect(said.err).toMatch(/^telic: There is no ledger for the repository .*\n$/);
    expect((await cli(['doctor', '--repo', world.root], world)).out).toContain('"exists": false');
  });

  it('names the option that names no repository', async () => {
    const { root, env } = newWorld({}, 'folder');
    const missing = await cli(['status', runId, '--repo', `${root}/none`], { env });
    expect(missing.err).toBe(
      `telic: --repo is ${root}/none, which is not a directory that can be read. No repository is configured.\n`,
    );
    const nowhere = await cli(['status', runId], { env, cwd: '/' });
    expect(nowhere.err).toBe(
      'telic: The working directory is /, the whole file system. No repository is configured. Name it with --repo PATH.\n',
    );
  });

  it('keeps a message to one line of at most 800 characters', async () => {
    const world = await recorded();
    const said = await cli(['status', `x\n\u001b[31m${'y'.repeat(2000)}`], { env: world.env, cwd: world.root });
    expect(said.exit).toBe(1);
    expect(said.err).toMatch(/^telic: [^\n\u001b]+\n$/);
    expect(said.err.length).toBe('telic: '.length + 800 + 1);
  });
});

describe('usage', () => {
  it.each([[], ['help'], ['--help'], ['-h']])('is printed with exit 0 by telic %s', async (...argv) => {
    const said = await cli(argv.filter((word) => word !== undefined));
    expect(said).toMatchObject({ exit: 0, err: '' });
    expect(said.out).toMatch(/^Usage: telic /);
    for (const { name } of commands) expect(said.out).toMatch(new RegExp(`^  ${name}\\b`, 'm'));
  });

  it.each([
    [['bogus']],
    [['help', 'bogus']],
    [['--bogus']],
    [['doctor', '--bogus']],
    [['doctor', 'extra']],
    [['status', 'a', 'b']],
    [['doctor', '--request', 'text']],
    [['--repo']],
  ])('goes to standard error with exit 2 after %j', async (argv) => {
    const said = await cli(argv);
    expect(said).toMatchObject({ exit: 2, out: '' });
    expect(said.err).toMatch(/^telic: [^\n]+\n\nUsage: telic /);
  });

  it('of one command names its arguments and the options of all', async () => {
    for (const argv of [
      ['artifact', '--help'],
      ['help', 'artifact'],
    ]) {
      const said = await cli(argv);
      expect(said.exit).toBe(0);
      expect(said.out).toMatch(/^Usage: telic artifact \[options\] <RUN_ID> <ARTIFACT_ID>/);
      expect(said.out).toContain('--repo');
    }
  });

  it('prints the version', async () => {
    expect(await cli(['--version'])).toEqual({ exit: 0, out: '0.0.0-test\n', err: '' });
  });
});

describe('the executable', () => {
  it('ends with the exit code of its command', async () => {
    const ends = await Promise.all([telic([]), telic(['doctor']), telic(['status', 'x']), telic(['bogus'])]);
    expect(ends.map(({ exit }) => exit)).toEqual([0, 0, 1, 2]);
  });
});
