import { describe, expect, it } from 'vitest';
import { startServer, ToolResult, tokenOf } from '../mcp/rawServer.ts';

const begun = async () => {
  const server = startServer();
  await server.initialize();
  const started = await server.call('telic_start_run', { original_request: 'Plan it.', mode: 'plan_only' });
  return { server, token: tokenOf(started) };
};

/** Objects or lists in each other, as text: JSON.parse makes them, JSON.stringify of a walker would overflow. */
const nested = (levels: number, open: string, close: string): string =>
  `${open.repeat(levels)}1${close.repeat(levels)}`;

describe('a body', () => {
  it.each([
    ['objects', '{"a":', '}'],
    ['lists', '[', ']'],
  ])(
    'of 2,000 levels of %s is refused in words, sent as an object and as text, and the server lives',
    async (_, open, close) => {
      const { server, token } = await begun();
      const inner = nested(2000, open, close);
      const deep = `{"id":"deep","runId":"${token.run_id}","schemaVersion":"1.0","goal":${inner}}`;
      const named = `"name":"telic_submit_artifact","arguments":{"run_id":"${token.run_id}","action_id":"${token.action_id}","expected_run_version":${token.expected_run_version},"artifact_type":"ClarificationRequest"`;
      for (const [id, body] of [
        ['object', `"body":${deep}`],
        ['text', `"body_json":${JSON.stringify(deep)}`],
      ]) {
        server.sendLine(`{"jsonrpc":"2.0","id":"${id}","method":"tools/call","params":{${named},${body}}}}`);
        const { structuredContent } = ToolResult.parse((await server.answerTo(id ?? '')).result);
        expect(structuredContent).toMatchObject({ ok: false, kind: 'bad_input', issues: expect.any(Array) });
      }
      expect(await server.call('telic_get_next_action', { run_id: token.run_id })).toMatchObject({
        nextAction: { id: token.action_id },
      });
      expect(server.noise).toEqual([]);
    },
  );

  it('in a line of 11 MB is refused with the limit, and nothing is kept of it', async () => {
    const { server, token } = await begun();
    const body_json = JSON.stringify({ id: 'big', runId: token.run_id, goal: 'x'.repeat(11_000_000) });
    const answer = await server.call('telic_submit_artifact', { ...token, artifact_type: 'ProblemFrame', body_json });
    expect(answer).toMatchObject({ ok: false, kind: 'bad_input' });
    expect(JSON.stringify(answer).length).toBeLessThan(5000);
    const body = { id: 'big', runId: token.run_id, goal: 'x'.repeat(11_000_000) };
    expect(await server.call('telic_submit_artifact', { ...token, artifact_type: 'ProblemFrame', body })).toMatchObject(
      {
        ok: false,
      },
    );
    expect(await server.call('telic_get_run', { run_id: token.run_id })).toMatchObject({ ok: true, artifactCount: 2 });
  });

  it('in a line of 40 MB is answered as too long a line, and the server lives', async () => {
    const { server, token } = await begun();
    const args = { ...token, artifact_type: 'ProblemFrame', body_json: 'x'.repeat(40_000_000) };
    server.sendLine(
      JSON.stringify({
        jsonrpc: '2.0',
        id: 4,
        method: 'tools/call',
        params: { name: 'telic_submit_artifact', arguments: args },
      }),
    );
    expect((await server.answerTo(4)).error).toMatchObject({ code: -32600, message: expect.stringContaining('16') });
    expect(await server.call('telic_get_next_action', { run_id: token.run_id })).toMatchObject({ ok: true });
  });
});

describe('the life of a session', () => {
  it('answers a ping before the handshake, and calls that come before its end', async () => {
    const server = startServer();
    expect((await server.request('ping')).result).toEqual({});
    const { result } = await server.request('tools/call', { name: 'telic_list_runs', arguments: {} });
    expect(ToolResult.parse(result).structuredContent).toMatchObject({ ok: true, runs: [] });
  });

  it('goes on after a second handshake, which may ask for another version', async () => {
    const server = startServer();
    await server.initialize('2025-06-18');
    const again = await server.initialize('2024-11-05');
    expect(again.result).toMatchObject({ protocolVersion: '2024-11-05' });
    const { result } = await server.request('tools/call', { name: 'telic_list_runs', arguments: {} });
    expect(ToolResult.parse(result).structuredContent).toBeUndefined();
  });

  it('answers a version that nobody knows with the newest that it speaks', async () => {
    const server = startServer();
    const { result } = await server.initialize('1999-01-01');
    expect(result).toMatchObject({ protocolVersion: '2025-11-25' });
  });

  it.each([
    ['an unknown method', 'tools/delete', {}, -32601],
    ['a method of another server', 'sampling/createMessage', {}, -32601],
    ['a call without a name', 'tools/call', { arguments: {} }, -32602],
    ['a call without anything', 'tools/call', undefined, -32602],
    ['an unknown prompt', 'prompts/get', { name: 'other' }, -32602],
  ])('answers %s with an error of the protocol', async (_, method, params, code) => {
    const server = startServer();
    await server.initialize();
    expect((await server.request(method, params)).error).toMatchObject({ code });
    expect((await server.request('ping')).result).toEqual({});
  });

  it('lets unknown notifications and answers to questions that it never asked go by', async () => {
    const server = startServer();
    await server.initialize();
    server.notify('notifications/unheard');
    server.notify('notifications/progress', { progressToken: 'none', progress: 1 });
    server.sendLine('{"jsonrpc":"2.0","id":99,"result":{}}');
    server.sendLine('{"jsonrpc":"2.0","id":98,"error":{"code":-1,"message":"no"}}');
    expect((await server.request('ping')).result).toEqual({});
    expect(server.messages.filter(({ error }) => error)).toEqual([]);
  });

  it('answers each of two calls that carry one id', async () => {
    const server = startServer();
    await server.initialize();
    const line = '{"jsonrpc":"2.0","id":"twin","method":"ping"}';
    server.sendLine(`${line}\n${line}`);
    await server.until(() => server.messages.filter(({ id }) => id === 'twin').length === 2);
    expect((await server.request('ping')).result).toEqual({});
  });
});
