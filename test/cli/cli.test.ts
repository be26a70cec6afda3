import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { diagramNames } from '../../machines/diagrams/index.ts';
import { digestOfText } from '../../schemas/canonical.ts';
import { CheckableType } from '../../schemas/issues.ts';
import { ArtifactType } from '../../schemas/vocabulary.ts';
import { commands } from '../../src/cli/commands.ts';
import { controllerOf, newWorld, sampleFiles } from '../sdk/world.ts';
import { bundlePath } from '../support/bundle.ts';
import { cli, telic } from './console.ts';
import { general, recorded, runId } from './recorded.ts';

describe('the commands that read a run', () => {
  it.each([
    ['runs', []],
    ['status', [runId]],
    ['trace', [runId]],
    ['artifact', [runId, runId]],
    ['replay', [runId]],
  ] as const)('%s prints what its golden file holds, and the same in one line with --json', async (command, args) => {
    const world = await recorded();
    const said = await cli([command, ...args, '--repo', world.root], world);
    expect(said).toMatchObject({ exit: 0, err: '' });
    await expect(general(said.out, world)).toMatchFileSnapshot(`golden/${command}.txt`);

    const compact = await cli(['--json', command, ...args], { env: world.env, cwd: world.root });
    expect(compact.out).toBe(`${JSON.stringify(JSON.parse(said.out))}\n`);
  });

  it.each([
    [
      'a run that is not there',
      ['status', 'no-such-run'],
      'The ledger of this repository has no run no-such-run. See telic runs.',
    ],
    [
      'no run for a trace',
      ['trace', 'no-such-run'],
      'The ledger of this repository has no run no-such-run. See telic runs.',
    ],
    [
      'no run for a replay',
      ['replay', 'no-such-run'],
      'The ledger of this repository has no run no-such-run. See telic runs.',
    ],
    [
      'an artifact that is not there',
      ['artifact', runId, 'frame-01'],
      `Run ${runId} has no artifact frame-01. See telic status ${runId}.`,
    ],
    ['a limit of none', ['runs', '--limit', '0'], '--limit takes a whole number from 1 to 100, not "0".'],
    ['a limit too large', ['runs', '--limit', '101'], '--limit takes a whole number from 1 to 100, not "101".'],
    ['a limit that is no number', ['runs', '--limit', '2.0'], '--limit takes a whole number from 1 to 100, not "2.0".'],
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

  it.each([['runs'], ['status', runId], ['trace', runId], ['artifact', runId, runId], ['replay', runId]])(
    '%s says that there is no ledger, and makes none',
    async (...argv) => {
      const world = newWorld({}, 'folder');
      const said = await cli([...argv, '--repo', world.root], world);
      expect(said).toMatchObject({ exit: 1, out: '' });
      expect(said.err).toMatch(/^telic: There is no ledger for the repository .*\n$/);
      expect((await cli(['doctor', '--repo', world.root], world)).out).toContain('"exists": false');
    },
  );

  it('names the option that names no repository', async () => {
    const { root, env } = newWorld({}, 'folder');
    const missing = await cli(['status', runId, '--repo', `${root}/none`], { env });
    expect(missing.err).toBe(
      `telic: --repo is ${root}/none, which is not a directory that can be read. No repository is configured.\n`,
    );
    const nowhere = await cli(['status', runId], { env, cwd: '/' });
    // A variable that is not set must not turn into another repository.
    const empty = await cli(['status', runId, '--repo', ''], {
      env: { ...env, TELIC_REPOSITORY_ROOT: root },
      cwd: root,
    });
    expect(empty).toEqual({
      exit: 1,
      out: '',
      err: 'telic: --repo is empty: give it a directory, or leave it out for the working directory.\n',
    });
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

  it('lists as many runs as --limit says, the newest change first', async () => {
    const world = await recorded();
    const controller = controllerOf(world);
    for (const originalRequest of ['One.', 'Two.']) await controller.start({ originalRequest, mode: 'report_only' });
    const ask = async (...options: readonly string[]): Promise<unknown> =>
      JSON.parse((await cli(['runs', ...options, '--repo', world.root], world)).out);
    const { runs } = await controller.listRuns(20);
    expect(runs).toHaveLength(3);
    expect(await ask()).toEqual({ runs });
    expect(await ask('--limit', '2')).toEqual({ runs: runs.slice(0, 2) });
  });

  it('replays what the tool reports, without its wrapper', async () => {
    const world = newWorld(sampleFiles, 'commit');
    const at = { env: world.env, cwd: world.root };
    const { runId: toured } = z
      .object({ runId: z.string() })
      .parse(JSON.parse((await telic(['tour', '--json'], at)).out));
    const { report } = await controllerOf(world).replay(toured);
    expect(report.steps.length).toBeGreaterThan(10);
    expect(JSON.parse((await cli(['replay', toured], at)).out)).toEqual(report);
  });
});

describe('a command that reads', () => {
  const reading = [
    ['doctor'],
    ['runs'],
    ['status', runId],
    ['trace', runId],
    ['artifact', runId, runId],
    ['replay', runId],
  ];

  /** Every file with its content and the moment it was last changed. */
  const held = (path: string): readonly string[] =>
    readdirSync(path).map((name) => {
      const file = join(path, name);
      return `${name} ${statSync(file).mtimeMs} ${digestOfText(readFileSync(file, 'latin1'))}`;
    });

  it.each(reading)('%s leaves the state directory of a resting ledger as it was', async (...argv) => {
    const world = await recorded();
    const before = held(world.env.TELIC_STATE_DIR ?? '');
    expect(before.length).toBe(1);
    expect((await cli([...argv, '--repo', world.root], world)).exit).toBe(0);
    expect(held(world.env.TELIC_STATE_DIR ?? '')).toEqual(before);
  });

  it.each(reading)('%s reads beside a server that has the ledger open, and changes no row', async (...argv) => {
    const world = await recorded();
    const controller = controllerOf(world);
    await controller.start({ originalRequest: 'Look again.', mode: 'plan_only' });
    // The index of the log, which every reader shares, is none of the content.
    const rows = (): readonly string[] =>
      held(world.env.TELIC_STATE_DIR ?? '').filter((line) => !line.startsWith('ledger.sqlite3-shm'));
    const before = rows();
    expect(before.some((line) => line.startsWith('ledger.sqlite3-wal'))).toBe(true);
    expect((await telic([...argv, '--repo', world.root], world)).exit).toBe(0);
    expect(rows()).toEqual(before);
  });

  it('sees what a server has just written', async () => {
    const world = await recorded();
    const { run } = await controllerOf(world).start({ originalRequest: 'Look again.', mode: 'plan_only' });
    const said = await cli(['status', run.runId, '--repo', world.root], world);
    expect(JSON.parse(said.out)).toMatchObject({ run: { runId: run.runId, version: 1 } });
  });
});

describe('usage', () => {
  it.each([[], ['help'], ['--help'], ['-h'], ['--json'], ['--repo', '/srv']])(
    'is printed with exit 0 by telic %s',
    async (...argv) => {
      const said = await cli(argv.filter((word) => word !== undefined));
      expect(said).toMatchObject({ exit: 0, err: '' });
      expect(said.out).toMatch(/^Usage: telic /);
      for (const { name } of commands) expect(said.out).toMatch(new RegExp(`^  ${name}\\b`, 'm'));
    },
  );

  it.each([
    [['bogus']],
    [['help', 'bogus']],
    [['--bogus']],
    [['doctor', '--bogus']],
    [['doctor', 'extra']],
    [['status', 'a', 'b']],
    [['doctor', '--request', 'text']],
    [['--repo']],
    [['runs', '--limit']],
    [['runs', 'extra']],
    [['diagram', '--format']],
    [['diagram', 'run', 'frame']],
    [['schema', 'Evidence', '--format', 'svg']],
  ])('goes to standard error with exit 2 after %j', async (argv) => {
    const said = await cli(argv);
    expect(said).toMatchObject({ exit: 2, out: '' });
    expect(said.err).toMatch(/^telic: [^\n]+\n\nUsage: telic [^\n]+\n$/);
  });

  it.each([
    [['ground', '--bogus'], "unknown option '--bogus'", 'telic ground [options] [PATHS...] (see telic ground --help)'],
    [
      ['ground', '--explain'],
      "option '--explain <request>' argument missing",
      'telic ground [options] [PATHS...] (see telic ground --help)',
    ],
    [
      ['ground', '--explian', 'x'],
      "unknown option '--explian' (Did you mean --explain?)",
      'telic ground [options] [PATHS...] (see telic ground --help)',
    ],
    [['bogus'], "unknown command 'bogus'", 'telic [options] [command] (see telic --help)'],
  ])('of the command that was meant is told in one line after %j', async (argv, message, usage) => {
    expect(await cli(argv)).toEqual({ exit: 2, out: '', err: `telic: ${message}\n\nUsage: ${usage}\n` });
  });

  it.each([...commands.map(({ name }) => [name]), []])('fits a narrow terminal: help %s', async (...name) => {
    const { out } = await cli(['help', ...name.filter((word) => word !== undefined)], { columns: 40 });
    // How a command or an option is written stays whole.
    const prose = out.split('\n').filter((line) => !/^(Usage:| {2}\S)/.test(line));
    expect(prose.filter((line) => line.length > 40)).toEqual([]);
    expect(out.split('\n').filter((line) => /^ {2}-.* {2}/.test(line))).toEqual([]);
  });

  it('is made from the table of commands', async () => {
    const said = await cli(['help']);
    await expect(said.out).toMatchFileSnapshot('golden/help.txt');
    for (const { summary } of commands) expect(said.out.replaceAll(/\s+/g, ' ')).toContain(summary);
  });

  it.each(commands.map(({ name }) => name))('of %s is the same by help and by --help', async (name) => {
    const [by, ...others] = await Promise.all([
      cli(['help', name]),
      cli([name, '--help']),
      cli([name, '-h']),
      cli(['--json', name, '--help']),
    ]);
    expect(by).toMatchObject({ exit: 0, err: '' });
    for (const other of others) expect(other).toEqual(by);
    expect(by?.out).toMatch(new RegExp(`^Usage: telic ${name}\\b`));
    expect(by?.out).toContain('--repo');
    expect(by?.out).toContain('--json');
  });

  it.each([
    ['schema', ArtifactType.options],
    ['check', CheckableType.options],
    ['diagram', diagramNames],
  ])('of %s lists what it takes', async (name, words) => {
    const { out } = await cli(['help', name]);
    const listed = new Set(out.slice(out.search(/^(Types|Machines):/m)).match(/\w+/g));
    for (const word of words) expect(listed).toContain(word);
    await expect(out).toMatchFileSnapshot(`golden/help-${name}.txt`);
  });

  it('prints the version', async () => {
    expect(await cli(['--version'])).toEqual({ exit: 0, out: '0.0.0-test\n', err: '' });
  });
});

describe('the executable', () => {
  it.each(['status', 'trace', 'help'])('ends quietly when the reader of %s goes away', async (command) => {
    const world = await recorded();
    const argv = command === 'help' ? [command] : [command, runId, '--repo', world.root];
    const child = spawn(process.execPath, [bundlePath, ...argv], {
      env: { PATH: process.env.PATH ?? '', ...world.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let err = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      err += text;
    });
    // Closed before a byte can be written.
    child.stdout.destroy();
    const [exit] = await once(child, 'close');
    expect({ exit, err }).toEqual({ exit: 0, err: '' });
  });

  it.runIf(existsSync('/dev/full'))('says that its output cannot be written, with exit 1', async () => {
    const full = openSync('/dev/full', 'w');
    try {
      const child = spawn(process.execPath, [bundlePath, 'help'], { stdio: ['ignore', full, 'pipe'] });
      let err = '';
      child.stderr?.setEncoding('utf8').on('data', (text: string) => {
        err += text;
      });
      const [exit] = await once(child, 'close');
      expect(exit).toBe(1);
      expect(err).toMatch(/^telic: Standard output cannot be written: [^\n]*ENOSPC[^\n]*\n$/);
    } finally {
      closeSync(full);
    }
  });

  it('loads for usage nothing of what commands need', async () => {
    const { metafile } = await build({
      absWorkingDir: join(import.meta.dirname, '..', '..'),
      entryPoints: ['src/cli/cli.ts'],
      outdir: 'nowhere',
      write: false,
      bundle: true,
      splitting: true,
      metafile: true,
      platform: 'node',
      format: 'esm',
      external: ['better-sqlite3'],
    });
    const atStart = new Set<string>();
    const follow = (path: string): void => {
      if (atStart.has(path)) return;
      atStart.add(path);
      for (const { path: next, kind } of metafile.outputs[path]?.imports ?? [])
        if (kind === 'import-statement' && next in metafile.outputs) follow(next);
    };
    follow('nowhere/cli.js');
    const inputs = [...atStart].flatMap((path) => Object.keys(metafile.outputs[path]?.inputs ?? {}));
    const outside = inputs.map((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? path);
    expect([...new Set(outside)].toSorted()).toEqual([
      'commander',
      'src/cli/cli.ts',
      'src/cli/commands.ts',
      'src/cli/narrowHelp.ts',
      'src/cli/terminal.ts',
      'src/cli/wrapLine.ts',
    ]);
  });

  it('ends with the exit code of its command', async () => {
    const ends = await Promise.all([telic([]), telic(['doctor']), telic(['status', 'x']), telic(['bogus'])]);
    expect(ends.map(({ exit }) => exit)).toEqual([0, 0, 1, 2]);
  });
});
