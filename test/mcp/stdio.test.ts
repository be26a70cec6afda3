import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { lineLimit } from '../../src/mcp/stdio.ts';
import { repository, request, startServer, ToolResult, temporary, tokenOf } from './rawServer.ts';

/** A folder for PATH in which `git` is this program of Node. */
const gitOf = (program: string): string => {
  const folder = temporary('path');
  const git = join(folder, 'git');
  writeFileSync(git, `#!${process.execPath}\n${program}\n`);
  chmodSync(git, 0o755);
  return folder;
};

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

const envWith = (root: string, more: Readonly<Record<string, string>>): Record<string, string> => ({
  TELIC_REPOSITORY_ROOT: root,
  TELIC_STATE_DIR: join(temporary('state'), 'state'),
  ...more,
});

describe('standard output', () => {
  test('holds protocol messages alone while git fails, libraries print, warnings are raised and a signal arrives', async () => {
    const root = repository();
    mkdirSync(join(root, '.git'));
    writeFileSync(join(root, '.git', 'config'), '[core\n\tbroken = yes');
    const noisy = join(temporary('noise'), 'noise.cjs');
    writeFileSync(
      noisy,
      // From the moment on in which the server takes its output for itself; before it, none of its code runs.
      `const { log } = console;
      setInterval(() => {
        if (console.log === log) return;
        console.log('log noise'); console.info('info noise'); console.debug('debug noise'); console.table([{ noise: 1 }]);
        process.stdout.write('raw noise\\n');
        process.emitWarning('warning noise', 'DeprecationWarning');
      }, 5);`,
    );
    const server = startServer({
      root,
      env: envWith(root, {
        PATH: gitOf("console.log('git noise'); console.error('git noise'); process.exit(128)"),
        NODE_OPTIONS: `--require ${noisy}`,
      }),
    });
    await server.initialize();
    const started = await server.call('telic_start_run', request);
    const grounded = await server.call('telic_ground_context', tokenOf(started));
    // Git was asked, and its failure told in the manifest.
    expect(grounded).toMatchObject({ ok: true, manifest: { inventorySource: 'filesystem' } });
    await server.call('telic_get_run', { run_id: 'no-such-run' });
    await server.until(() => server.stderr().includes('raw noise'));
    server.child.kill('SIGTERM');
    expect(await server.exit).toEqual({ code: 0, signal: null });
    expect(server.noise).toEqual([]);
    for (const noise of ['log noise', 'info noise', 'debug noise', 'warning noise', 'raw noise'])
      expect(server.stderr()).toContain(noise);
    expect(server.stderr()).not.toContain('git noise');
  });

  test('gets one line on standard error that the server is ready, and never its environment', async () => {
    const root = repository();
    const server = startServer({ root, env: envWith(root, { API_KEY: 'sk-very-secret' }) });
    await server.initialize();
    await server.call('telic_get_run', { run_id: 'no-such-run' });
    server.closeInput();
    await server.exit;
    expect(server.stderr().trimEnd().split('\n')).toEqual([expect.stringMatching(/^telic: .* is ready for /)]);
    expect(server.stderr()).not.toContain('sk-very-secret');
  });

  test('waits for a host that reads late, and loses no answer', async () => {
    const server = startServer();
    await server.initialize();
    server.child.stdout?.pause();
    const count = 3000;
    for (let id = 1; id <= count; id += 1)
      server.sendLine(JSON.stringify({ jsonrpc: '2.0', id: `late-${id}`, method: 'tools/list' }));
    await new Promise((resolve) => setTimeout(resolve, 300));
    server.child.stdout?.resume();
    await server.answerTo(`late-${count}`);
    expect(server.messages.filter(({ id }) => String(id).startsWith('late-'))).toHaveLength(count);
    expect(server.noise).toEqual([]);
  });
});

describe('the end of a session', () => {
  test('comes with the end of input when nothing runs', async () => {
    const server = startServer();
    await server.initialize();
    server.closeInput();
    expect(await server.exit).toEqual({ code: 0, signal: null });
  });

  test('comes with the end of input before anything was said', async () => {
    const server = startServer();
    server.closeInput();
    expect(await server.exit).toEqual({ code: 0, signal: null });
    expect(server.messages).toEqual([]);
  });

  test('comes at once when the input is /dev/null', async () => {
    expect(await startServer({ stdin: 'ignore' }).exit).toEqual({ code: 0, signal: null });
  });

  test('answers what was asked before the end of input, the last line without its end included', async () => {
    const root = repository();
    const state = join(temporary('state'), 'state');
    const server = startServer({ root, state });
    const call = (id: number): string =>
      JSON.stringify({
        jsonrpc: '2.0',
        id,
        method: 'tools/call',
        params: { name: 'telic_start_run', arguments: request },
      });
    // The first call loads what all need, which may take longer than a host that has left is waited for.
    server.sendLine(call(1));
    await server.answerTo(1);
    server.child.stdin?.end(`${call(2)}\n${call(3)}`);
    expect(await server.exit).toEqual({ code: 0, signal: null });
    expect(server.messages.map(({ id }) => id)).toEqual([1, 2, 3]);
    // They are durable: another process reads them.
    const next = startServer({ root, state });
    expect((await next.call('telic_list_runs')).runs).toHaveLength(3);
  });

  test('does not wait for a grounding that hangs, and leaves the run where it was', async () => {
    const root = repository();
    mkdirSync(join(root, '.git'));
    const state = join(temporary('state'), 'state');
    const hanging = { PATH: gitOf('setInterval(() => {}, 1000)'), TELIC_REPOSITORY_ROOT: root, TELIC_STATE_DIR: state };
    const server = startServer({ root, env: hanging });
    const started = await server.call('telic_start_run', request);
    server.sendLine(
      JSON.stringify({
        jsonrpc: '2.0',
        id: 'ground',
        method: 'tools/call',
        params: { name: 'telic_ground_context', arguments: tokenOf(started) },
      }),
    );
    server.closeInput();
    expect(await server.exit).toEqual({ code: 0, signal: null });
    const next = startServer({ root, state });
    const { run_id } = tokenOf(started);
    expect(await next.call('telic_get_run', { run_id })).toMatchObject({ run: { version: 1 } });
  });

  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('comes with %s', async (signal) => {
    const server = startServer();
    await server.initialize();
    await server.call('telic_start_run', request);
    server.child.kill(signal);
    expect(await server.exit).toEqual({ code: 0, signal: null });
  });

  test('comes with a closed output', async () => {
    const server = startServer();
    await server.initialize();
    server.child.stdout?.destroy();
    server.sendLine(JSON.stringify({ jsonrpc: '2.0', id: 9, method: 'tools/list' }));
    expect(await server.exit).toEqual({ code: 0, signal: null });
  });

  test('does not come with a closed standard error', async () => {
    const server = startServer();
    await server.initialize();
    server.child.stderr?.destroy();
    server.sendLine('this is not JSON and wants to be reported');
    server.sendLine('neither is this');
    expect((await server.request('ping')).result).toEqual({});
  });
});

describe('lines that are no message', () => {
  test.each([
    ['half an object', '{"jsonrpc":"2.0","id":41,"method":"ping"'],
    ['words', 'tok_secret'],
    ['a batch', '[{"jsonrpc":"2.0","id":41,"method":"ping"}]'],
    ['another protocol', '{"id_":41,"tok_secret":1}'],
    ['bytes that are no UTF-8', Buffer.from([0x22, 0xff, 0xfe, 0x22])],
  ])('%s are told on standard error and skipped', async (_, line) => {
    const server = startServer();
    await server.initialize();
    server.sendLine(line);
    expect((await server.request('ping', undefined, 'after')).result).toEqual({});
    expect(server.messages.map(({ id }) => id)).not.toContain(41);
    // Standard error is a stream of its own: what it tells may arrive after the answer.
    await server.until(() => server.stderr().includes(`a line of ${Buffer.byteLength(line)} bytes`));
    expect(server.stderr()).not.toContain('tok_secret');
  });

  test('with an id and a method are answered, so that nobody waits', async () => {
    const server = startServer();
    await server.initialize();
    expect((await server.request('ping', undefined, 'ok')).result).toEqual({});
    server.sendLine('{"jsonrpc":"2.0","id":42,"method":"ping","params":[1]}');
    expect((await server.answerTo(42)).error).toMatchObject({ code: -32600 });
  });

  test('of more than the limit are answered once, under their id, and the server lives', async () => {
    const server = startServer();
    await server.initialize();
    const message = (id: number | undefined, bytes: number): string => {
      const shell = JSON.stringify({
        method: 'ping',
        params: { fill: '' },
        jsonrpc: '2.0',
        ...(id !== undefined && { id }),
      });
      return shell.replace('"fill":""', `"fill":"${'x'.repeat(bytes - shell.length)}"`);
    };
    server.sendLine(message(51, lineLimit));
    expect((await server.answerTo(51)).result).toEqual({});
    server.sendLine(message(52, lineLimit + 1));
    expect((await server.answerTo(52)).error).toMatchObject({ code: -32600 });
    server.sendLine(message(undefined, lineLimit * 2));
    expect((await server.answerTo(null)).error).toMatchObject({ code: -32600 });
    expect((await server.request('ping', undefined, 'after')).result).toEqual({});
    expect(server.messages.filter(({ error }) => error)).toHaveLength(2);
  });

  test('do not include a call with 2 MiB of escaped JSON text', async () => {
    const server = startServer();
    const body = `{${' '.repeat(2_097_150)}}`.replaceAll(' ', '\\u0020');
    server.sendLine(
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"telic_submit_artifact","arguments":{"run_id":"r","action_id":"a","expected_run_version":1,"artifact_type":"ProblemFrame","body_json":"${body}"}}}`,
    );
    const { structuredContent } = ToolResult.parse((await server.answerTo(1)).result);
    expect(structuredContent).toMatchObject({ rule: 'ADM-TR-01' });
  });
});

describe('requests', () => {
  test('for server/discover before initialize are answered at once as unknown', async () => {
    const server = startServer();
    const discover = await server.request('server/discover', {
      _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' },
    });
    expect(discover.error).toMatchObject({ code: -32601 });
    expect((await server.initialize()).result).toMatchObject({ serverInfo: { name: 'telic', version: '0.0.0-test' } });
  });

  test('that were cancelled after their end trouble nobody', async () => {
    const server = startServer();
    await server.initialize();
    await server.request('tools/list', {}, 77);
    server.notify('notifications/cancelled', { requestId: 77 });
    server.notify('notifications/cancelled', { requestId: 'never-made' });
    expect((await server.request('ping')).result).toEqual({});
  });

  test('to ground that are cancelled get no answer, change nothing and leave no Git running', async () => {
    const root = repository();
    mkdirSync(join(root, '.git'));
    const marker = join(temporary('marker'), 'started');
    const PATH = gitOf(
      `require('node:fs').appendFileSync(${JSON.stringify(marker)}, process.pid + ' '); setInterval(() => {}, 1000)`,
    );
    const server = startServer({ root, env: envWith(root, { PATH }) });
    await server.initialize();
    const token = tokenOf(await server.call('telic_start_run', request));
    const ground = { name: 'telic_ground_context', arguments: token };
    server.sendLine(JSON.stringify({ jsonrpc: '2.0', id: 'ground', method: 'tools/call', params: ground }));
    await vi.waitFor(() => expect(existsSync(marker)).toBe(true), { timeout: 30_000 });
    server.notify('notifications/cancelled', { requestId: 'ground' });
    expect(await server.call('telic_get_next_action', { run_id: token.run_id })).toMatchObject({
      nextAction: { id: token.action_id },
    });
    expect(server.messages.map(({ id }) => id)).not.toContain('ground');
    const started = readFileSync(marker, 'utf8').trim().split(' ').map(Number);
    expect(started.length).toBeGreaterThan(0);
    // Long before the time limit of a command, which would end them as well.
    await vi.waitFor(() => expect(started.filter(isRunning)).toEqual([]), { timeout: 5000 });
    server.closeInput();
    expect(await server.exit).toEqual({ code: 0, signal: null });
    expect(server.stderr()).not.toContain('fault');
  });

  test('to ground tell their progress when they are asked to, growing and before the answer', async () => {
    const server = startServer();
    await server.initialize();
    const token = tokenOf(await server.call('telic_start_run', request));
    const ground = {
      name: 'telic_ground_context',
      arguments: token,
      _meta: { progressToken: 'p-1', other: 'ignored' },
    };
    await server.request('tools/call', ground, 'ground');
    const told = server.messages.filter(({ method }) => method === 'notifications/progress');
    expect(told.length).toBeGreaterThan(0);
    const numbers = told.map(({ params }) => Number(params?.progress));
    expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
    for (const { params } of told) expect(params).toMatchObject({ progressToken: 'p-1', total: 4 });
    expect(server.messages.at(-1)?.id).toBe('ground');
  });
});
