import { request } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import { callBody, mcpHeaders, sendRaw } from './raw.ts';
import { served } from './served.ts';

const limit = 4 * 1024 * 1024;

/** A call whose body has exactly so many bytes. */
const bodyOf = (bytes: number): string => {
  const empty = callBody(1, 'tilo_ls', {});
  return `${empty}${' '.repeat(bytes - Buffer.byteLength(empty))}`;
};

const refusal = (text: string): unknown => JSON.parse(text);

describe('what HTTP itself refuses', () => {
  test('W-11 a body of 4 MiB passes, and one byte more is refused with 413 in the shape of JSON-RPC', async () => {
    const host = await served();
    const post = (bytes: number, more: Record<string, string> = {}) =>
      sendRaw(host.port, { headers: { ...mcpHeaders(host.token), ...more }, body: bodyOf(bytes) });
    for (const bytes of [90_000, 110_000, limit - 1, limit]) expect((await post(bytes)).status).toBe(200);
    const chunked = { 'transfer-encoding': 'chunked' };
    expect((await post(limit, chunked)).status).toBe(200);
    for (const answer of [await post(limit + 1), await post(limit + 1, chunked)]) {
      expect(answer.status).toBe(413);
      expect(refusal(answer.text)).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32_000 } });
    }
  });

  test('D-09 a token may have as many large bodies on their way as it may hold calls; one more is refused with 429', async () => {
    const host = await served({ serve: { limits: { heldCalls: 2, callsPerSecond: 1000, patience: 50 } } });
    const stalled = (declares: boolean): Promise<number> =>
      new Promise((resolve, reject) => {
        const length = declares ? { 'content-length': 1_000_000 } : { 'transfer-encoding': 'chunked' };
        const headers = { ...mcpHeaders(host.token), ...length };
        const slow = request({ port: host.port, method: 'POST', path: '/mcp', headers, agent: false });
        onTestFinished(() => {
          slow.destroy();
        });
        slow.on('response', ({ statusCode = 0 }) => resolve(statusCode)).on('error', reject);
        slow.write(bodyOf(400_000));
      });
    for (const declares of [true, false]) {
      const all = [1, 2, 3].map(() => stalled(declares));
      for (const one of all) one.catch(() => {});
      expect(await Promise.race(all)).toBe(429);
      // Short ones still pass, and another token's large ones.
      expect((await sendRaw(host.port, { headers: mcpHeaders(host.token), body: bodyOf(100) })).status).toBe(200);
      const other = host.host.registry.createToken({
        label: 'Other',
        workspace: null,
        max: 'read',
        expires_ms: null,
        run: null,
      });
      expect((await sendRaw(host.port, { headers: mcpHeaders(other.text), body: bodyOf(400_000) })).status).toBe(200);
    }
  });

  test('T15 a body far above the limit is refused as well, and the connection lives on or ends, but nothing hangs', async () => {
    const host = await served();
    const { status } = await sendRaw(host.port, { headers: mcpHeaders(host.token), body: bodyOf(3 * limit) });
    expect(status).toBe(413);
    expect((await sendRaw(host.port, { headers: mcpHeaders(host.token), body: bodyOf(100) })).status).toBe(200);
  });

  test('W-11 another content type is refused with 415', async () => {
    const host = await served();
    for (const type of ['text/plain', 'application/json-seq', 'text/plain; x=application/json', ''])
      expect(
        (await sendRaw(host.port, { headers: { ...mcpHeaders(host.token), 'content-type': type }, body: bodyOf(90) }))
          .status,
      ).toBe(415);
    const headers = { ...mcpHeaders(host.token), 'content-type': 'Application/JSON; charset=utf-8' };
    expect((await sendRaw(host.port, { headers, body: bodyOf(90) })).status).toBe(200);
  });

  test('W-11 an Accept without both forms is refused with 406, and opens no session', async () => {
    const host = await served();
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 0,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
    });
    for (const accept of ['application/json', 'text/event-stream', '*/*']) {
      const answer = await sendRaw(host.port, { headers: { ...mcpHeaders(host.token), accept }, body });
      expect(answer.status).toBe(406);
      expect(answer.headers['mcp-session-id']).toBeUndefined();
      expect(refusal(answer.text)).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32_000 } });
    }
    expect(host.host.store.db.prepare('SELECT count(*) FROM connections').pluck().get()).toBe(0);
  });

  test('W-11 other methods of an endpoint are refused with 405 and told which there are', async () => {
    const host = await served();
    for (const path of ['/mcp', '/w/home/mcp', '/w/nowhere/mcp'])
      for (const method of ['GET', 'PUT', 'HEAD', 'OPTIONS', 'PATCH']) {
        const { status, headers } = await sendRaw(host.port, { method, path, headers: mcpHeaders(host.token) });
        expect([path, method, status, headers.allow]).toEqual([path, method, 405, 'POST, DELETE']);
      }
    const health = await sendRaw(host.port, { path: '/healthz' });
    expect([health.status, health.headers.allow]).toEqual([405, 'GET, HEAD']);
    // Each MCP client asks with GET once: that is no line of the log, what nobody asks for is.
    expect(host.log.filter((line) => line.startsWith('GET'))).toEqual([]);
    expect(host.log).toContain('PUT /mcp 405');
  });

  test('a body that is no JSON, a list of messages and a message that is none are refused with 400', async () => {
    const host = await served();
    const code = async (body: string) => {
      const { status, text } = await sendRaw(host.port, { headers: mcpHeaders(host.token), body });
      expect(status).toBe(400);
      return JSON.parse(text).error.code;
    };
    expect(await code('')).toBe(-32_700);
    expect(await code('{')).toBe(-32_700);
    expect(await code(`[${callBody(1, 'tilo_ls', {})}]`)).toBe(-32_600);
    expect(await code('[]')).toBe(-32_600);
    for (const body of ['3', 'null', '{}', '{"jsonrpc":"1.0","id":1,"method":"ping"}'])
      expect(await code(body)).toBe(-32_700);
  });

  test('a path that nothing is served at is refused with 404, once the page was asked', async () => {
    const asked: string[] = [];
    const host = await served({
      serve: {
        personDoor: async (_, response, url) => {
          asked.push(url.pathname);
          if (url.pathname !== '/w/home/') return false;
          response.writeHead(200, { 'content-type': 'text/plain' }).end('page');
          return true;
        },
      },
    });
    for (const path of ['/', '/mcp/', '/w/home', '/w/home/mcp/', '/w//mcp', '/w/home/mcp/x', '/healthz/'])
      expect([path, (await sendRaw(host.port, { method: 'GET', path })).status]).toEqual([path, 404]);
    expect((await sendRaw(host.port, { method: 'GET', path: '/w/home/' })).text).toBe('page');
    expect(asked).not.toContain('/mcp');
    expect(asked).toContain('/w/home/');
    for (const path of ['//', '/\\x', '/%']) expect((await sendRaw(host.port, { path })).status).toBeOneOf([400, 404]);
    expect(host.log.every((line) => !line.includes('incident'))).toBe(true);
  });

  test('healthz tells the version to everybody and nothing else', async () => {
    const host = await served();
    const { status, text } = await sendRaw(host.port, { method: 'GET', path: '/healthz' });
    expect([status, JSON.parse(text)]).toEqual([200, { ok: true, version: '0.0.0-test' }]);
  });

  test('a door for the page that throws is a fault with a number, whose detail only the log has', async () => {
    const host = await served({
      serve: {
        personDoor: async () => {
          throw new Error('inner detail');
        },
      },
    });
    const { status, text } = await sendRaw(host.port, { method: 'GET', path: '/' });
    expect(status).toBe(500);
    expect(text).toMatch(/incident [a-z0-9]{12}/);
    expect(text).not.toContain('inner');
    expect(host.log.some((line) => line.includes('inner detail') && !line.includes('\n'))).toBe(true);
  });
});

test('a message that is nested far too deep is answered, and the host lives on', async () => {
  const host = await served();
  const deep = `${'{"a":'.repeat(300_000)}1${'}'.repeat(300_000)}`;
  const call = (args: string, meta = '{}') =>
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"tilo_do","arguments":${args},"_meta":${meta}}}`;
  const bodies = [
    call(`{"path":"notes#new-page","args":${deep}}`),
    call(`{"calls":[{"path":"notes#new-page","args":${deep}}]}`),
    call(`{"path":"notes#new-page","args":${JSON.stringify(deep)}}`),
    call(deep),
    call('{}', deep),
    deep,
  ];
  for (const body of bodies) {
    const { status, text } = await sendRaw(host.port, { headers: mcpHeaders(host.token), body });
    expect(status).toBeOneOf([200, 400]);
    expect(JSON.parse(text)).toMatchObject({ jsonrpc: '2.0' });
  }
  expect((await sendRaw(host.port, { headers: mcpHeaders(host.token), body: bodyOf(90) })).status).toBe(200);
  expect(host.log.filter((line) => line.includes('incident'))).toEqual([]);
});
