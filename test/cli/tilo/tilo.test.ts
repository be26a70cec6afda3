import { execFile } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { argsOfWords } from '../../../src/cli/tilo/actionArgs.ts';
import { commands } from '../../../src/cli/tilo/commands.ts';
import { client, decide, served } from '../../sdk/workspace/bench.ts';
import { tilo } from './console.ts';

const bench = async () => {
  const host = await served();
  const env = { TILO_TOKEN: host.token, TILO_URL: host.address };
  const at = (...argv: string[]) => tilo(argv, { env });
  return { ...host, env, at, atBench: (...argv: string[]) => at(...argv, '--workspace', 'bench') };
};

const usage = async (...argv: string[]): Promise<string> => {
  const { exit, out, err } = await tilo(argv, { env: { TILO_TOKEN: 't' } });
  expect([exit, out]).toEqual([2, '']);
  return err;
};

describe('tilo', () => {
  it('prints what agents read: lists, reads, finds, runs actions and takes them back', async () => {
    const { at } = await bench();
    expect(await at('do', 'notes#new-page', 'title=Garden', '--id', 'p1')).toEqual({
      exit: 0,
      out: 'ok notes#new-page p1\nresult: {"page":"0001"}\ntouched: notes/Garden\n',
      err: '',
    });
    expect((await at('ls')).out).toBe('apps apps\n- notes app running + "Notes"\n');
    expect((await at('ls', 'notes', '--kind', 'notes.Page', '--limit', '5')).out).toMatch(
      /^notes notes\n- notes\/Garden notes\.Page \+ "Garden"\n/,
    );
    expect((await at('read', 'notes', '--item', '0001')).out).toBe(
      'notes/Garden notes.Page\ntitle: "Garden"\npinned: false\n',
    );
    expect((await at('find', 'garden', 'shed')).out).toBe('0 for "garden shed"\n');
    expect((await at('find', 'garden', '--limit', '1')).out).toBe(
      '1 for "garden"\n- notes/Garden notes.Page "Garden"\n',
    );
    expect((await at('status', 'p1')).out).toMatch(/^ok notes#new-page p1\n/);
    expect((await at('do', 'notes#undo')).exit).toBe(0);
    expect((await at('ls', 'notes')).out).not.toContain('Garden');
  });

  it('prints the typed answer on one line where that is asked for, before or behind the command', async () => {
    const { at, host, token, address } = await bench();
    const home = (await client({ token }, address)).workspace('home');
    const listing = await home.ls();
    expect((await at('--json', 'ls')).out).toBe(`${JSON.stringify(listing)}\n`);
    expect((await at('ls', '--json')).out).toBe(`${JSON.stringify(listing)}\n`);
    const failed = await at('read', 'notes/Gardn', '--json');
    expect(failed.exit).toBe(1);
    expect(JSON.parse(failed.out)).toMatchObject({ status: 'failed', error: { code: 'unknown_path' } });
    expect(host.registry.tokens()).toHaveLength(1);
  });

  it('works in the workspace that is named, or in all of them', async () => {
    const { at } = await bench();
    expect((await at('ls', '--account')).out).toBe(
      'workspaces workspaces\n- home workspace running + "Home"\n- bench workspace running + "Bench"\n',
    );
    expect((await at('--workspace', 'bench', 'ls')).out).toContain('- lab app running + "Lab"\n');
    expect((await at('do', 'bench/lab#count', 'name=a', '--account')).out).toMatch(/^ok bench\/lab#count /);
  });

  it('ends with 1 and the failure when the host refuses', async () => {
    const { at } = await bench();
    expect(await at('do', 'notes#new-page', 'name=Garden', '--id', 'x')).toEqual({
      exit: 1,
      out: [
        'failed notes#new-page x invalid_arguments',
        'new-page needs title and has no parameter name.',
        'next: tilo_ls notes#new-page lists its parameters',
        'takes: #new-page(title: text!) undoable "New page"',
        '',
      ].join('\n'),
      err: '',
    });
    const program = await at('run', 'notes.notebook');
    expect(program.exit).toBe(1);
    expect(program.out).toMatch(/^failed not_available\n/);
  });

  it('reads a program from standard input', async () => {
    const { env } = await bench();
    expect((await tilo(['run', '-', '--json'], { env, input: 'notes' })).out).toMatch(/"not_available"/);
  });

  it('ends with 3 while an action waits for its person, and runs it when it is called again', async () => {
    const { atBench, host, lab } = await bench();
    const call = ['do', 'lab#send', 'note=hello', '--id', 's1'];
    const asked = await atBench(...call, '--wait', '0');
    expect(asked.exit).toBe(3);
    expect(asked.out).toMatch(/^pending lab#send s1\nwaiting for the person at http/);
    expect((await atBench('status', 's1')).exit).toBe(3);
    await decide(host, { decision: 'allow' });
    expect(await atBench(...call)).toMatchObject({
      exit: 0,
      out: 'ok lab#send s1\nresult: {"sent":"hello"}\ntouched: lab\n',
    });
    expect(lab.far.arrived('keyless')).toEqual(['hello']);
  });

  it('ends with 3 while an action still runs, and cancels it', async () => {
    const { atBench } = await bench();
    const running = await atBench('do', 'lab#wait', 'gate=g', '--id', 'w1', '--wait', '0');
    expect(running).toMatchObject({ exit: 3, out: 'pending lab#wait w1\nstill running; tilo_status follows it\n' });
    const cancelled = await atBench('status', 'w1', '--cancel');
    expect(cancelled.exit).toBe(0);
    expect(cancelled.out).toMatch(/^failed lab#wait w1 cancelled\n/);
  });

  it('sends what an action takes: numbers as numbers, texts that look like numbers as texts', async () => {
    const { atBench } = await bench();
    const words = [
      'text=5',
      'integer=2',
      'number=1.5',
      'boolean=true',
      'object={"size":3}',
      'array=["a"]',
      'datetime=2026-03-02T09:00:00Z',
    ];
    const { out, exit } = await atBench('do', 'lab#everything', ...words, '--json');
    expect(exit).toBe(0);
    expect(JSON.parse(out).result).toEqual({
      text: '5',
      integer: 2,
      number: 1.5,
      boolean: true,
      object: { size: 3 },
      array: ['a'],
      datetime: '2026-03-02T09:00:00Z',
    });
    const given = await atBench('do', 'lab#everything', '--args', '{"text":"a=b","integer":1}', '--json');
    expect(JSON.parse(given.out).result).toEqual({ text: 'a=b', integer: 1 });
    // The action itself says what is wrong.
    expect((await atBench('do', 'lab#everything', 'integer=much')).out).toContain('invalid_arguments');
    expect((await atBench('do', 'lab#nothing', 'a=1')).out).toContain('unknown_action');
  });

  it('takes a text as it stands, whatever it looks like', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string(), fc.json()), async (text) => {
        const param = { name: 'a', ty: 'text', required: true };
        expect(await argsOfWords([`a=${text}`], async () => [param])).toEqual({ a: text });
        expect(await argsOfWords([`a=${text}`], async () => [])).toEqual({ a: text });
      }),
      { numRuns: 200 },
    );
  });

  it('shows what happened since a cursor, and what happens until it is ended', async () => {
    const { at, env, host } = await bench();
    const { cursor } = JSON.parse((await at('watch', '--wait', '0', '--json')).out);
    await at('do', 'notes#new-page', 'title=Garden', '--id', 'p1');
    const seen = await at('watch', '--cursor', cursor, '--path', 'notes/Garden');
    expect(seen.exit).toBe(0);
    expect(seen.out).toMatch(
      /^run started notes#new-page p1\nchange c\w+ notes\/Garden "added \\"Garden\\"" by "test"\n/,
    );

    const following = { out: '', arrived: (): void => {} };
    const arrived = new Promise<void>((resolve) => {
      following.arrived = resolve;
    });
    const ended = tilo(['watch', '--follow', '--cursor', cursor], {
      env,
      onOut: (text) => {
        following.out += text;
        if (following.out.includes('"added \\"Greenhouse\\""')) following.arrived();
      },
    });
    await at('do', 'notes#new-page', 'title=Greenhouse', '--id', 'p2');
    await arrived;
    expect(following.out).not.toMatch(/^cursor/m);
    expect(following.out.match(/^run started/gm)).toHaveLength(2);
    // What is kept no longer cannot be followed: the token is taken back.
    const [token] = host.registry.tokens();
    host.registry.revokeToken(token?.id ?? '');
    await host.release();
    const { exit, err } = await ended;
    expect([exit, err]).toEqual([1, expect.stringMatching(/^tilo: The host answered 401/)]);
    expect(err).toMatch(/ With --cursor c\w+ it goes on from there\.\n$/);
  });

  it('ends with 1 and a line when the host cannot be reached or does not take the token', async () => {
    const { address } = await bench();
    const wrong = await tilo(['ls', '--url', address], { env: { TILO_TOKEN: 'tlo_wrong' } });
    expect(wrong).toMatchObject({ exit: 1, out: '' });
    expect(wrong.err).toMatch(/^tilo: The host answered 401: A valid token is needed.*\n$/);
    expect(wrong.err).not.toContain('tlo_wrong');
  });

  it('works in the workspace of TILO_WORKSPACE unless one is named', async () => {
    const { at, env } = await bench();
    await at('do', 'notes#new-page', 'title=Garden', '--workspace', 'bench');
    const inBench = { env: { ...env, TILO_WORKSPACE: 'bench' } };
    expect((await tilo(['find', 'Garden'], inBench)).out).toMatch(/^1 for /);
    expect((await tilo(['find', 'Garden', '--workspace', 'home'], inBench)).out).toMatch(/^0 for /);
    expect((await tilo(['ls', '--account'], inBench)).out).toMatch(/^- home /m);
    expect((await tilo(['find', 'Garden'], { env: { ...env, TILO_WORKSPACE: '' } })).out).toMatch(/^0 for /);
  });

  it('says of a workspace that is not there how to name another, in words and not in JSON', async () => {
    const { at } = await bench();
    const { exit, out, err } = await at('ls', '--workspace', 'nowhere');
    expect([exit, out]).toEqual([1, '']);
    expect(err).toMatch(/^tilo: The host answered 404: Nothing is served at this path\. .*--account ls.*\n$/);
    expect(err).not.toContain('{');
  });

  it('ends with 2 and a line when it cannot tell what is meant', async () => {
    expect(await usage('nosuch')).toMatch(/^tilo: unknown command/);
    expect(await usage('ls', '--nosuch')).toMatch(/^tilo: unknown option/);
    expect(await usage('ls', 'a', 'b')).toMatch(/^tilo: too many arguments/);
    expect(await usage('read')).toMatch(/^tilo: missing required argument/);
    expect(await usage('ls', '--limit', '201')).toMatch(
      /^tilo: option '--limit <n>' argument '201' is invalid.*from 1 to 200/,
    );
    expect(await usage('do', 'a#b', '--wait', '60001')).toContain('--wait <ms>');
    expect(await usage('do', 'a#b', '--wait', 'long')).toContain('--wait <ms>');
    expect(await usage('do', 'a#b', '--id', 'a b')).toContain('--id <id>');
    expect(await usage('do', 'a#b', 'text')).toContain('key=value');
    expect(await usage('do', 'a#b', '=text')).toContain('key=value');
    expect(await usage('do', 'a#b', 'a=1', 'a=2')).toContain('given twice');
    expect(await usage('do', 'a#b', 'a=1', '--args', '{}')).toContain('not both');
    expect(await usage('do', 'a#b', '--args', '[1]')).toContain('--args takes one JSON object');
    expect(await usage('status', 'i', '--wait', '1', '--cancel')).toContain('not both');
    expect(await usage('ls', '--account', '--workspace', 'home')).toContain('not both');
    expect(await usage('ls', '--url', 'nowhere')).toContain('no address');
    expect(await usage('help', 'nosuch')).toContain('no such command');
    const { exit, err } = await tilo(['ls']);
    expect([exit, err]).toEqual([2, 'tilo: TILO_TOKEN is not set: it holds the token that the host takes.\n']);
  });

  it('helps from its table: every command, its options with their bounds, and the exit codes', async () => {
    const { exit, out } = await tilo([]);
    expect(exit).toBe(0);
    expect((await tilo(['--help'])).out).toBe(out);
    for (const { name } of commands) expect(out).toMatch(new RegExp(`^  ${name} `, 'm'));
    expect(out).toMatch(/^ {2}3 {2}pending: .*--confirm$/m);
    const help = (await tilo(['help', 'do'])).out;
    expect(help).toContain('(0 to 60000)');
    for (const flags of ['--args <json>', '--wait <ms>', '--id <id>', '--workspace <name>'])
      expect(help).toContain(flags);
    expect((await tilo(['--version'])).out).toBe('0.0.0-test\n');
  });

  it('runs as a program of its own and ends by itself', async () => {
    const { env } = await bench();
    const project = join(import.meta.dirname, '..', '..', '..');
    const folder = join(project, 'node_modules', '.cache', `tilo-test-${process.pid}`);
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    await build({
      absWorkingDir: project,
      entryPoints: { tilo: 'src/tilo.ts' },
      outdir: folder,
      bundle: true,
      splitting: true,
      platform: 'node',
      format: 'esm',
      target: 'node20.19',
      define: { TELIC_VERSION: JSON.stringify('0.0.0-test') },
      logLevel: 'error',
      banner: { js: "import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);" },
    });
    const run = (argv: readonly string[]) =>
      new Promise<readonly [number, string, string]>((resolve) => {
        execFile(process.execPath, [join(folder, 'tilo.js'), ...argv], { env }, (error, out, err) =>
          resolve([typeof error?.code === 'number' ? error.code : 0, out, err]),
        );
      });
    expect(await run(['ls'])).toEqual([0, 'apps apps\n- notes app running + "Notes"\n', '']);
    expect((await run(['read', 'nothing']))[0]).toBe(1);
    expect((await run(['nosuch']))[0]).toBe(2);
  });
});
