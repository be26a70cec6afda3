import { describe, expect, test } from 'vitest';
import { callBody, mcpHeaders, sendRaw } from './raw.ts';
import { connected, type Served, served } from './served.ts';

const typed = { 'so.tilo.mcp': { structured: true } };

const call = (host: Served, token: string, id: number, name = 'tilo_ls', args: object = {}) =>
  sendRaw(host.port, { headers: mcpHeaders(token), body: callBody(id, name, args) });

const newToken = ({ host }: Served): string =>
  host.registry.createToken({ label: 'Other', workspace: null, max: 'outside', expires_ms: null, run: null }).text;

describe('many clients at once', () => {
  test('T14 fifty clients with equal JSON-RPC ids at once: each answer reaches its asker', async () => {
    const host = await served();
    const clients = await Promise.all(
      Array.from({ length: 50 }, (_, index) => connected(host, host.token, '/w/home/mcp', `Client ${index}`)),
    );
    const answers = await Promise.all(
      clients.map(({ client }, index) =>
        client.callTool({ name: 'tilo_find', arguments: { query: `word${index}` }, _meta: typed }),
      ),
    );
    expect(answers.map(({ structuredContent }) => structuredContent)).toEqual(
      clients.map((_, index) => ({ hits: [], query: `word${index}` })),
    );
  });

  test('T14 fifty posts without a session and with one id, among them changes: each answer reaches its asker', async () => {
    const host = await served();
    const titles = Array.from({ length: 50 }, (_, index) => `Page ${index}`);
    const answers = await Promise.all(
      titles.map((title) => call(host, host.token, 0, 'tilo_do', { path: 'notes#new-page', args: { title } })),
    );
    for (const [index, { status, text }] of answers.entries()) {
      expect(status).toBe(200);
      expect(text).toContain(`Page ${index}`);
    }
    expect(new Set(answers.map(({ text }) => text)).size).toBe(50);
  });
});

describe('a client that asks too much', () => {
  test('a call beyond 32 held ones of its token is told 429 and when to come again, while others of another token pass', async () => {
    const host = await served({ serve: { limits: { callsPerSecond: 100_000, patience: 20 } } });
    const leaving = Array.from({ length: 32 }, () => new AbortController());
    const held = leaving.map(({ signal }, id) =>
      sendRaw(host.port, {
        // Where no presence ends a watch.
        path: '/mcp',
        headers: mcpHeaders(host.token),
        body: callBody(id, 'tilo_watch', { wait_ms: 60_000 }),
        signal,
        // Given up at the end of the test: what it would have answered is no matter.
      }).catch(() => null),
    );
    let refused = await call(host, host.token, 99);
    // Calls of the probe itself are short; they pass until all the watches have come.
    while (refused.status === 200) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      refused = await call(host, host.token, 99);
    }
    expect(refused.status).toBe(429);
    expect(refused.headers['retry-after']).toMatch(/^[1-9]\d*$/);
    expect(JSON.parse(refused.text)).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32_000 } });
    expect((await call(host, newToken(host), 1)).status).toBe(200);
    // The person's page and the probe of a supervisor are not calls.
    expect((await sendRaw(host.port, { method: 'GET', path: '/healthz' })).status).toBe(200);
    for (const gone of leaving) gone.abort();
    await Promise.all(held);
    while ((await call(host, host.token, 1)).status !== 200) await new Promise((resolve) => setTimeout(resolve, 50));
  });

  test('a call beyond 50 of its token in a second is told 429, and the next second is a new one', async () => {
    let now = 0;
    const host = await served({ serve: { now: () => now } });
    const other = newToken(host);
    for (let id = 0; id < 50; id += 1) expect((await call(host, host.token, id)).status).toBe(200);
    const refused = await call(host, host.token, 50);
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '1']);
    expect((await call(host, other, 0)).status).toBe(200);
    // What is no call is not counted: a client can open a session and list the tools.
    const { client } = await connected(host, host.token);
    expect((await client.listTools()).tools).toHaveLength(7);
    now += 1000;
    expect((await call(host, host.token, 51)).status).toBe(200);
  });
});
