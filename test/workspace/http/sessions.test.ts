import { describe, expect, test } from 'vitest';
import { callBody, mcpHeaders, sendRaw } from './raw.ts';
import { connected, type Served, served, temporary } from './served.ts';

const initialize = (client: object = { name: 'Desk agent', version: '1' }): string =>
  JSON.stringify({
    jsonrpc: '2.0',
    id: 0,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: client },
  });

const post = (
  host: Served,
  body: string,
  session?: string,
  path = '/w/home/mcp',
  token = host.token,
  method = 'POST',
) =>
  sendRaw(host.port, {
    path,
    method,
    body,
    headers: { ...mcpHeaders(token), ...(session !== undefined && { 'mcp-session-id': session }) },
  });

const open = async (host: Served, session?: string, path?: string, client?: object): Promise<string> => {
  const { status, headers } = await post(host, initialize(client), session, path);
  const opened = headers['mcp-session-id'];
  expect([status, typeof opened]).toEqual([200, 'string']);
  return String(opened);
};

const ls = callBody(1, 'tilo_ls', {});

const labels = (host: Served): unknown[] =>
  host.host.store.db.prepare('SELECT label FROM connections ORDER BY rowid').pluck().all();

describe('sessions', () => {
  test('W-12 a session of another token or another endpoint is not found', async () => {
    const host = await served();
    host.host.registry.createWorkspace('studio', 'Studio', ['notes']);
    const other = host.host.registry.createToken({
      label: 'Other',
      workspace: null,
      max: 'outside',
      expires_ms: null,
      run: null,
    }).text;
    const session = await open(host);
    expect((await post(host, ls, session)).status).toBe(200);
    const refused = [
      await post(host, ls, session, '/w/home/mcp', other),
      await post(host, ls, session, '/w/studio/mcp'),
      await post(host, ls, session, '/mcp'),
      await post(host, ls, 'f'.repeat(32)),
      await post(host, ls, ''),
      await post(host, '', session, '/mcp', host.token, 'DELETE'),
      await post(host, '', session, '/w/home/mcp', other, 'DELETE'),
    ];
    for (const { status, text } of refused) {
      expect(status).toBe(404);
      expect(JSON.parse(text)).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32_001 } });
    }
    expect((await post(host, ls, session)).status).toBe(200);
  });

  test('T12 W-12 after a restart of the host an old session still works, and initialize with a stale one opens a new one', async () => {
    const data = temporary();
    const first = await served({ data });
    const session = await open(first);
    await first.stop();
    const second = await served({ data });
    expect((await post({ ...second, token: first.token }, ls, session)).status).toBe(200);
    const again = await open({ ...second, token: first.token }, session);
    expect(again).not.toBe(session);
    expect(await open({ ...second, token: first.token }, 'stale')).not.toBe(again);
    expect((await post({ ...second, token: first.token }, ls, 'stale')).status).toBe(404);
  });

  test('W-12 DELETE ends a session once; without one it says what is missing', async () => {
    const host = await served();
    const session = await open(host);
    const end = () => post(host, '', session, '/w/home/mcp', host.token, 'DELETE');
    expect((await end()).status).toBe(200);
    expect((await end()).status).toBe(404);
    expect((await post(host, ls, session)).status).toBe(404);
    expect((await post(host, '', undefined, '/w/home/mcp', host.token, 'DELETE')).status).toBe(400);
  });

  test('W-12 an initialize that is wrong opens no session', async () => {
    const host = await served();
    const { headers, text } = await post(
      host,
      JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: {} }),
    );
    expect(headers['mcp-session-id']).toBeUndefined();
    expect(JSON.parse(text)).toHaveProperty('error');
    expect(labels(host)).toEqual([]);
  });

  test('a client is called by its title, else its name, else its token, and no longer than people read', async () => {
    const host = await served();
    await open(host, undefined, undefined, { name: 'desk', title: 'Desk agent', version: '1' });
    await open(host, undefined, undefined, { name: 'desk', version: '1' });
    await open(host, undefined, undefined, { name: '  ', version: '1' });
    await open(host, undefined, undefined, { name: 'x'.repeat(5000), version: '1' });
    expect(labels(host)).toEqual(['Desk agent', 'desk', 'Test token', 'x'.repeat(200)]);
  });

  test('an agent is here from initialize until DELETE', async () => {
    const host = await served();
    const session = await open(host);
    const here = () => host.host.roster.here('home').map(({ name }) => name);
    expect(here()).toEqual(['Desk agent']);
    await post(host, '', session, '/w/home/mcp', host.token, 'DELETE');
    expect(here()).toEqual([]);
  });

  test('at the account endpoint an agent is seen in the workspaces that its calls name', async () => {
    const host = await served();
    host.host.registry.createWorkspace('studio', 'Studio', ['notes']);
    const session = await open(host, undefined, '/mcp');
    const here = (name: string) => host.host.roster.here(name).map((one) => one.name);
    expect(here('home')).toEqual([]);
    await post(host, callBody(1, 'tilo_ls', { path: 'home/notes' }), session, '/mcp');
    expect([here('home'), here('studio')]).toEqual([['Desk agent'], []]);
  });

  test('W-14 a plain POST without a session works and groups under the default connection of its token', async () => {
    const host = await served();
    const add = (title: string, id: number, step: string) =>
      post(host, callBody(id, 'tilo_do', { path: 'notes#new-page', args: { title } }, { structured: true, step }));
    for (const [index, title] of ['One', 'Two'].entries()) {
      const { status, headers, text } = await add(title, index, 'both');
      expect([status, headers['mcp-session-id']]).toEqual([200, undefined]);
      expect(JSON.parse(text).result.structuredContent.status).toBe('ok');
    }
    await add('Three', 2, 'alone');
    expect(labels(host)).toEqual(['Test token']);
    const activity = host.host.history.activity('home');
    expect(activity.steps.map(({ by, changes }) => [by, changes.length])).toEqual([
      ['Test token', 1],
      ['Test token', 2],
    ]);
  });
});

test('W-13 two workspaces in one process never show each other their paths, ids or events', async () => {
  const host = await served();
  host.host.registry.createWorkspace('studio', 'Studio', ['notes']);
  const home = (await connected(host, host.token, '/w/home/mcp', 'At home')).client;
  const studio = (await connected(host, host.token, '/w/studio/mcp', 'At work')).client;
  const call = async (client: typeof home, name: string, args: Record<string, unknown>) => {
    const _meta = { 'so.tilo.mcp': { structured: true } };
    const { structuredContent } = await client.callTool({ name, arguments: args, _meta });
    return JSON.stringify(structuredContent);
  };
  const start = JSON.parse(await call(studio, 'tilo_watch', { wait_ms: 0 }));
  const done = JSON.parse(
    await call(home, 'tilo_do', { path: 'notes#new-page', args: { title: 'Secret garden' }, invocation_id: 'mine' }),
  );
  expect(done.status).toBe('ok');
  expect(await call(home, 'tilo_ls', { path: 'notes' })).toContain('Secret garden');

  const seen = [
    await call(studio, 'tilo_ls', { path: 'notes' }),
    await call(studio, 'tilo_find', { query: 'secret' }),
    await call(studio, 'tilo_read', { path: 'notes' }),
    await call(studio, 'tilo_ls', {}),
  ];
  for (const text of seen) expect(text).not.toContain('Secret');
  expect(JSON.parse(await call(studio, 'tilo_read', { path: 'notes/Secret garden' })).error.code).toBe('unknown_path');
  expect(JSON.parse(await call(studio, 'tilo_ls', { path: 'home/notes' })).error.code).toBe('unknown_app');
  // Only the page, in the other workspace, has this change.
  const watched = JSON.parse(await call(studio, 'tilo_watch', { cursor: start.cursor, wait_ms: 0 }));
  expect(watched.events.filter(({ kind }: { kind: string }) => kind !== 'presence')).toEqual([]);
  const presence = watched.events.flatMap(({ here }: { here?: readonly { name: string }[] }) => here ?? []);
  expect(presence.map(({ name }: { name: string }) => name)).not.toContain('At home');
  expect(JSON.parse(await call(studio, 'tilo_do', { path: 'notes#undo' })).error.code).toBe('nothing_to_undo');
});
