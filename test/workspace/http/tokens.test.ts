import { expect, test } from 'vitest';
import { callBody, mcpHeaders, sendRaw } from './raw.ts';
import { connected, served } from './served.ts';

test('W-09 a token that is missing, wrong, expired or revoked is refused alike, and stands in no log', async () => {
  const clock = { now: () => time };
  let time = 1_800_000_000_000;
  const host = await served({ options: { clock } });
  const { registry } = host.host;
  const make = (expires_ms: number | null) =>
    registry.createToken({ label: 'T', workspace: null, max: 'outside', expires_ms, run: null });
  const [expired, revoked] = [make(time + 1000), make(null)];
  const body = callBody(1, 'tilo_ls', {});
  const ask = (authorization: string | undefined, path = '/w/home/mcp', method = 'POST') => {
    const { authorization: _, ...headers } = mcpHeaders('');
    return sendRaw(host.port, { method, path, body, headers: { ...headers, ...(authorization && { authorization }) } });
  };
  for (const { text } of [expired, revoked]) expect((await ask(`Bearer ${text}`)).status).toBe(200);
  time += 1000;
  registry.revokeToken(revoked.id);

  const wrong = `tlo_${'x'.repeat(43)}`;
  const sent = [
    undefined,
    `Bearer ${wrong}`,
    `Bearer ${expired.text}`,
    `Bearer ${revoked.text}`,
    `Basic ${host.token}`,
    host.token,
    'Bearer ',
    `Bearer ${host.token} x`,
  ];
  const bodies = new Set<string>();
  for (const authorization of sent)
    for (const [path, method] of [['/w/home/mcp'], ['/mcp'], ['/w/nowhere/mcp'], ['/w/home/mcp', 'DELETE']]) {
      const { status, headers, text } = await ask(authorization, path, method);
      expect([authorization, status, headers['www-authenticate']]).toEqual([
        authorization,
        401,
        'Bearer realm="workspaces"',
      ]);
      expect(JSON.parse(text)).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32_000 } });
      bodies.add(text);
    }
  expect(bodies.size).toBe(1);
  // A token in the address opens nothing, and is not told to the log either.
  expect((await ask(undefined, `/mcp?token=${host.token}`)).status).toBe(401);
  expect((await ask(`Bearer ${host.token}`, `/${host.token}`)).status).toBe(404);
  expect((await ask(`bearer ${host.token}`)).status).toBe(200);

  const log = host.log.join('\n');
  expect(log).toContain('POST /mcp 401');
  for (const text of [wrong, expired.text, revoked.text, host.token, 'tlo_']) expect(log).not.toContain(text);
});

test('W-09 revoking a token ends the sessions that were opened with it', async () => {
  const host = await served();
  const made = host.host.registry.createToken({
    label: 'T',
    workspace: null,
    max: 'outside',
    expires_ms: null,
    run: null,
  });
  const { client } = await connected(host, made.text);
  await client.listTools();
  host.host.registry.revokeToken(made.id);
  await expect(client.callTool({ name: 'tilo_ls', arguments: {} })).rejects.toThrow();
});

test('a token of one workspace sees no other: not at its endpoint, and not through the account', async () => {
  const host = await served();
  const { registry } = host.host;
  registry.createWorkspace('studio', 'Studio', ['notes']);
  const token = registry.createToken({
    label: 'T',
    workspace: 'studio',
    max: 'outside',
    expires_ms: null,
    run: null,
  }).text;
  const ask = async (path: string, args: object) => {
    const { status, text } = await sendRaw(host.port, {
      path,
      headers: mcpHeaders(token),
      body: callBody(1, 'tilo_ls', args, { structured: true }),
    });
    return { status, result: JSON.parse(text).result?.structuredContent };
  };
  expect((await ask('/w/studio/mcp', {})).status).toBe(200);
  expect((await ask('/w/home/mcp', {})).status).toBe(404);
  expect((await ask('/w/nowhere/mcp', {})).status).toBe(404);
  expect((await ask('/mcp', {})).result.rows.map(({ path }: { path: string }) => path)).toEqual(['studio']);
  for (const path of ['home', 'home/notes'])
    expect((await ask('/mcp', { path })).result.error.code).toBe('unknown_workspace');
});
