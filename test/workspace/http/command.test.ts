import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { openerOf } from '../../../src/workspace/command/browser.ts';
import { dataDirectory } from '../../../src/workspace/command/dataDirectory.ts';
import { runWorkspace } from '../../../src/workspace/command/runWorkspace.ts';
import { bundlePath } from '../../support/bundle.ts';
import { start, workspace } from './program.ts';
import { callBody, mcpHeaders, sendRaw } from './raw.ts';
import { temporary } from './served.ts';

interface Said {
  readonly exit: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a command in this process, as in a terminal without a screen. */
const run = async (data: string, words: readonly string[], env: Record<string, string> = {}): Promise<Said> => {
  let out = '';
  let err = '';
  const exit = await runWorkspace(words, {
    env: { TELIC_WORKSPACE_DATA: data, ...env },
    cwd: data,
    platform: 'linux',
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
  });
  return { exit, out, err };
};

const json = async (data: string, words: readonly string[]) => {
  const { exit, out, err } = await run(data, [...words, '--json']);
  expect([exit, err]).toEqual([0, '']);
  expect(out).toMatch(/^[^\n]+\n$/);
  return JSON.parse(out);
};

describe('workspaces', () => {
  test('are made under a name and listed in order, home first', async () => {
    const data = temporary();
    expect(await json(data, ['create', 'studio', '--label', 'The studio'])).toEqual({
      name: 'studio',
      label: 'The studio',
    });
    expect(await json(data, ['create', 'attic'])).toEqual({ name: 'attic', label: 'Attic' });
    expect(await json(data, ['list'])).toEqual({
      workspaces: [
        { name: 'home', label: 'Home', apps: ['notes'] },
        { name: 'studio', label: 'The studio', apps: ['notes'] },
        { name: 'attic', label: 'Attic', apps: ['notes'] },
      ],
    });
    expect((await run(data, ['list'])).out.split('\n')[1]).toBe('studio  The studio  notes');
    for (const name of ['studio', 'workspaces', 'Big', '', 'a b'])
      expect(await run(data, ['create', name])).toMatchObject({ exit: 1, out: '' });
  });

  test('are written into a new file that only its owner reads, or to standard output', async () => {
    const data = temporary();
    const { file } = await json(data, ['export', 'home']);
    expect(file).toBe(join(data, 'home.json'));
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const { out } = await run(data, ['export', 'home', '--out', '-']);
    expect(readFileSync(file, 'utf8')).toBe(out);
    expect(JSON.parse(out)).toMatchObject({ format: 1, workspace: 'home' });
    expect(await run(data, ['export', 'home'])).toMatchObject({ exit: 1, out: '' });
    expect(await run(data, ['export', 'nowhere', '--out', 'x.json'])).toMatchObject({ exit: 1, out: '' });
    expect(existsSync(join(data, 'x.json'))).toBe(false);
    expect(await run(data, ['export', 'home', '--out', 'no/such/x.json'])).toMatchObject({ exit: 1, out: '' });
  });
});

describe('tokens', () => {
  test('are shown once, listed without their text, and revoked once', async () => {
    const data = temporary();
    const made = await json(data, [
      ...['token', 'create', '--label', 'Desk', '--workspace', 'home'],
      ...['--max', 'read', '--expires', '30d'],
    ]);
    expect(made).toMatchObject({ label: 'Desk', workspace: 'home', max: 'read' });
    expect(made.token).toMatch(/^tlo_[A-Za-z0-9_-]{43}$/);
    expect(made.expires_ms - Date.now()).toBeGreaterThan(29 * 86_400_000);
    const shown = await run(data, ['token', 'create', '--label', 'Other']);
    expect(shown.out).toMatch(/^tlo_\S{43}\n/);
    const { tokens } = await json(data, ['token', 'list']);
    expect(tokens.map(({ label, max }: { label: string; max: string }) => [label, max])).toEqual([
      ['Desk', 'read'],
      ['Other', 'outside'],
    ]);
    const list = await run(data, ['token', 'list']);
    expect(JSON.stringify(tokens) + list.out).not.toContain('tlo_');
    expect(await json(data, ['token', 'revoke', made.id])).toEqual({ id: made.id, revoked: true });
    expect(await run(data, ['token', 'revoke', made.id])).toMatchObject({ exit: 1, out: '' });
    expect((await run(data, ['token', 'list'])).out).toContain('revoked');
  });

  test.each([
    [['--max', 'write'], 2, '--max'],
    [['--expires', 'soon'], 2, '--expires'],
    [['--expires', '0d'], 2, '--expires'],
    [['--workspace', 'nowhere'], 1, 'nowhere'],
    [['--run', '7f3a'], 1, 'not available in this version'],
  ])('with %j are refused', async (words, exit, told) => {
    const data = temporary();
    const said = await run(data, ['token', 'create', '--label', 'Desk', ...words]);
    expect(said).toMatchObject({ exit, out: '' });
    expect(said.err.split('\n')[0]).toContain(told);
    expect((await json(data, ['token', 'list'])).tokens).toEqual([]);
  });

  test('need a label', async () => {
    expect(await run(temporary(), ['token', 'create'])).toMatchObject({ exit: 2, out: '' });
  });
});

describe('the link to the page', () => {
  test('is always printed, and leads to the host that serves the data', async () => {
    const data = temporary();
    const alone = await run(data, ['open']);
    expect(alone.exit).toBe(0);
    expect(alone.out).toMatch(/^http:\/\/127\.0\.0\.1:4747\/enter\?code=[\w-]{22}\n$/);
    expect(alone.err).toContain('telic workspace serve');
    expect(await run(data, ['open', 'nowhere'])).toMatchObject({ exit: 1, out: '' });

    const host = await start(data);
    const said = await json(data, ['open', 'home']);
    expect(said).toMatchObject({ workspace: 'home', opened: false });
    expect(said.link.startsWith(`${host.address}/enter?code=`)).toBe(true);
    const { pathname, search } = new URL(said.link);
    const enter = () => sendRaw(host.port, { method: 'GET', path: `${pathname}${search}` });
    expect(await enter()).toMatchObject({ status: 303, headers: { location: '/w/home/' } });
    expect((await enter()).status).toBe(410);
  });

  test('is opened where there is a browser and a screen', async () => {
    const bin = join(temporary(), 'bin');
    mkdirSync(bin);
    const opener = join(bin, 'xdg-open');
    writeFileSync(opener, '#!/bin/sh\nprintf %s "$1" > "$(dirname "$0")/opened"\n');
    const env = { PATH: bin };
    const place = temporary();
    const linux = (more: Record<string, string>) =>
      openerOf({ platform: 'linux', cwd: place, env: { ...env, ...more } });
    expect(linux({ DISPLAY: ':0' })).toBeNull();
    chmodSync(opener, 0o755);
    expect(linux({})).toBeNull();
    expect(linux({ DISPLAY: '' })).toBeNull();
    expect(linux({ DISPLAY: ':0' })).toEqual([opener]);
    expect(linux({ WAYLAND_DISPLAY: 'wayland-0' })).toEqual([opener]);
    // One that the folder brings along is not started.
    expect(openerOf({ platform: 'linux', cwd: dirname(bin), env: { ...env, DISPLAY: ':0' } })).toBeNull();
    expect(openerOf({ platform: 'darwin', cwd: place, env: {} })).toEqual(['/usr/bin/open']);

    const data = temporary();
    await start(data);
    const path = { PATH: `${bin}:${process.env.PATH}`, DISPLAY: ':0' };
    const closed = await run(data, ['open', '--no-browser', '--json'], path);
    expect(JSON.parse(closed.out).opened).toBe(false);
    const { link, opened } = JSON.parse((await run(data, ['open', '--json'], path)).out);
    expect(opened).toBe(true);
    const told = join(bin, 'opened');
    while (!existsSync(told) || readFileSync(told, 'utf8') === '')
      await new Promise((resolve) => setTimeout(resolve, 10));
    expect(readFileSync(told, 'utf8')).toBe(link);
  });
});

describe('serving', () => {
  test('a sample gives a workspace with pages, a token for it and a link, and makes it once', async () => {
    const data = temporary();
    const read = async (words: readonly string[]) => {
      const { started, port, child, ended } = await start(data, words);
      const { workspace: name, token, link } = Object(started.sample);
      expect(link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/enter\?code=[\w-]{22}$/);
      const { text } = await sendRaw(port, {
        path: `/w/${name}/mcp`,
        headers: mcpHeaders(token),
        body: callBody(1, 'tilo_ls', { path: 'notes' }, { structured: true }),
      });
      child.kill('SIGTERM');
      const { exit, err } = await ended;
      expect(exit).toBe(0);
      expect(err).not.toContain(token);
      for (const line of err.trimEnd().split('\n')) expect(line).toMatch(/^telic: /);
      return JSON.parse(text).result.structuredContent.rows.map((row: { name: string }) => row.name);
    };
    const pages = await read(['--sample']);
    expect(pages).toEqual(['Welcome', 'Garden', 'Reading list']);
    expect(await read(['--sample'])).toEqual(pages);
    const { workspaces } = await json(data, ['list']);
    expect(workspaces.map(({ name }: { name: string }) => name)).toEqual(['home', 'sample']);
  });

  test('tells people where it serves, where all lies, and the token and the link or how to get them', async () => {
    const data = temporary();
    const told = async (...words: string[]): Promise<string> => {
      const child = spawn(
        process.execPath,
        [bundlePath, 'workspace', 'serve', '--port', '0', '--data', data, ...words],
        {
          stdio: ['ignore', 'pipe', 'ignore'],
        },
      );
      onTestFinished(() => void child.kill('SIGKILL'));
      let out = '';
      // All is told at once, when the doors are open; the host ends when it is told to, and with it its output.
      for await (const text of child.stdout.setEncoding('utf8')) {
        out += text;
        child.kill('SIGTERM');
      }
      return out;
    };
    const plain = await told();
    expect(plain).toMatch(/^Workspaces are served at http:\/\/127\.0\.0\.1:\d+\n/);
    expect(plain).toContain(`\nEverything lies in ${data}\n`);
    expect(plain).toMatch(/telic workspace token create; .*telic workspace open\n$/);
    const sample = await told('--sample');
    expect(sample).toContain(`\nEverything lies in ${data}\n`);
    expect(sample).toMatch(/\nToken .*: tlo_\S{43}\nYour page, .*: http:\S+\/enter\?code=[\w-]{22}\n$/);
  });

  test('opens the link of a sample where there is a browser, and with --no-browser only prints it', async () => {
    const bin = temporary();
    const opened = join(bin, 'opened');
    // A program of the system's name in the place of the browser: it notes what it is asked to open.
    writeFileSync(
      join(bin, 'xdg-open'),
      `#!/bin/sh\nprintf %s "$1" > '${opened}.part' && mv '${opened}.part' '${opened}'\n`,
      {
        mode: 0o755,
      },
    );
    const env = { ...process.env, PATH: `${bin}:${process.env.PATH}`, DISPLAY: ':0' };
    const linkOf = async (...words: string[]): Promise<string> => {
      const child = spawn(
        process.execPath,
        [bundlePath, 'workspace', 'serve', '--sample', '--port', '0', '--data', temporary(), ...words],
        { stdio: ['ignore', 'pipe', 'ignore'], env },
      );
      onTestFinished(() => void child.kill('SIGKILL'));
      let out = '';
      for await (const text of child.stdout.setEncoding('utf8')) {
        out += text;
        if (words.length === 0) await vi.waitFor(() => expect(existsSync(opened)).toBe(true), { timeout: 20_000 });
        child.kill('SIGTERM');
      }
      return /http:\S+\/enter\?code=\S+/.exec(out)?.[0] ?? '';
    };
    const link = await linkOf();
    expect(readFileSync(opened, 'utf8')).toBe(link);
    rmSync(opened);
    expect(await linkOf('--no-browser')).toMatch(/enter/);
    expect(existsSync(opened)).toBe(false);
  });

  test.each([
    [['serve', '--repo', '.'], 1, 'not available in this version'],
    [['serve', '--port', '70000'], 2, '--port'],
    [['serve', '--port', 'x'], 2, '--port'],
    [['serve', '--ask-hours', '0'], 2, '--ask-hours'],
    [['serve', '--ask-hours', '169'], 2, '--ask-hours'],
    [['serve', '--bind', '0.0.0.0'], 2, '--allow-host'],
    [['serve', '--bind', '0.0.0.0', '--port', '0', '--allow-host', 'ws.example'], 1, 'token'],
    [['serve', '--allow-host', 'http://x', '--port', '0'], 1, 'http://x'],
    [['serve', '--bind', '192.0.2.1', '--port', '0', '--allow-host', 'ws.example'], 1, '192.0.2.1'],
  ])('%j is refused, and leaves the data free', async (words, exit, told) => {
    const data = temporary();
    const said = await run(data, words);
    expect(said).toMatchObject({ exit, out: '' });
    expect(said.err.split('\n').findLast((line) => line.startsWith('telic: '))).toContain(told);
    const { servedAt } = await import('../../../src/workspace/store/lock.ts');
    expect(servedAt(data)).toBeNull();
  });
});

describe('usage', () => {
  test.each([[[]], [['help']], [['--help']]])('is printed with exit 0 for %j', async (words) => {
    const said = await run(temporary(), words);
    expect(said).toMatchObject({ exit: 0, err: '' });
    for (const name of ['serve', 'create', 'list', 'open', 'export', 'token'])
      expect(said.out).toMatch(new RegExp(`^  ${name}\\b`, 'm'));
  });

  test.each([
    [['bogus'], /^Usage: telic workspace /m],
    [['list', 'extra'], /^Usage: telic workspace list/m],
    [['create'], /^Usage: telic workspace create/m],
    [['token'], /^Usage: telic workspace token/m],
    [['token', 'bogus'], /^Usage: telic workspace token/m],
    [['token', 'revoke'], /^Usage: telic workspace token revoke/m],
    [['serve', '--bogus'], /^Usage: telic workspace serve/m],
    [['--data'], /^Usage: telic workspace /m],
  ])('goes to standard error with exit 2 after %j', async (words, usage) => {
    const said = await run(temporary(), words);
    expect(said).toMatchObject({ exit: 2, out: '' });
    expect(said.err).toMatch(/^telic: [^\n]+\n\nUsage: /);
    expect(said.err).toMatch(usage);
  });

  test('tells the options of each command', async () => {
    const data = temporary();
    const { out } = await run(data, ['help', 'serve']);
    for (const option of ['--bind', '--port', '--data', '--allow-host', '--repo', '--person', '--ask-hours', '--json'])
      expect(out).toContain(option);
    expect((await run(data, ['token', 'create', '--help'])).out).toContain('--expires');
  });

  test('is reached from the executable', async () => {
    const said = await workspace(temporary(), ['list', '--json']);
    expect(said).toMatchObject({ exit: 0, err: '' });
    expect(JSON.parse(said.out).workspaces).toHaveLength(1);
  });
});

describe('the data directory', () => {
  test('is the option, else the variable, else that of the user', () => {
    const cwd = '/work';
    const at = (env: Record<string, string>, option?: string) => dataDirectory({ env, cwd }, option);
    expect(at({ TELIC_WORKSPACE_DATA: '/a' }, 'here')).toBe('/work/here');
    expect(at({ TELIC_WORKSPACE_DATA: '/a', HOME: '/h' })).toBe('/a');
    expect(at({ XDG_DATA_HOME: '/x', HOME: '/h' })).toBe('/x/telic/workspaces');
    expect(at({ XDG_DATA_HOME: 'x', HOME: '/h', TELIC_WORKSPACE_DATA: '' })).toBe('/h/.local/share/telic/workspaces');
    expect(() => at({})).toThrow(/--data/);
  });

  test('is private to its owner', async () => {
    const data = join(temporary(), 'new');
    await json(data, ['list', '--data', data]);
    expect(statSync(data).mode & 0o777).toBe(0o700);
  });
});
