import { expect, test } from 'vitest';
import { z } from 'zod';
import { callBody, mcpHeaders, sendRaw } from './raw.ts';
import { connected, served } from './served.ts';

test('W-06 tools/list gives a client of the SDK seven tools, no outputSchema and strict input schemas', async () => {
  const host = await served();
  for (const path of ['/mcp', '/w/home/mcp']) {
    const { client } = await connected(host, host.token, path);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'tilo_ls',
      'tilo_read',
      'tilo_do',
      'tilo_find',
      'tilo_status',
      'tilo',
      'tilo_watch',
    ]);
    for (const tool of tools) {
      expect(tool).not.toHaveProperty('outputSchema');
      expect(tool.inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
    }
    expect(Buffer.byteLength(JSON.stringify({ tools }))).toBeLessThanOrEqual(6144);
    expect(client.getServerVersion()).toMatchObject({ name: 'telic' });
    expect(client.getServerCapabilities()).toEqual({ tools: {} });
    expect(client.getInstructions()).toContain('tilo_ls');
  }
});

const Malformed = z.strictObject({
  content: z.tuple([z.strictObject({ type: z.literal('text'), text: z.string().startsWith('MCP error -32602: ') })]),
  isError: z.literal(true),
});

test.each([
  ['an unknown tool', 'tilo_rm', {}, { structured: true }, 'Tool tilo_rm not found'],
  ['an unknown argument', 'tilo_ls', { depth: 1 }, { structured: true }, 'Unrecognized key: "depth"'],
  ['a wrong type', 'tilo_read', { path: 3 }, { structured: true }, 'expected string, received number at path'],
  ['arguments that are a list', 'tilo_read', [], { structured: true }, 'expected object'],
  ['a missing argument', 'tilo_find', {}, {}, 'expected string, received undefined at query'],
  ['a structured that is a text', 'tilo_ls', {}, { structured: 'true' }, 'at _meta.so.tilo.mcp.structured'],
  ['a run without its title', 'tilo_ls', {}, { structured: true, run: { id: 'x' } }, 'run.title'],
  ['an empty step', 'tilo_ls', {}, { structured: true, step: '' }, 'step'],
])('W-08 %s is told with isError and without structured content', async (_, name, args, meta, told) => {
  const host = await served();
  const sent = { headers: mcpHeaders(host.token), body: callBody(1, name, args, meta) };
  const { status, text } = await sendRaw(host.port, sent);
  expect(status).toBe(200);
  const { result } = z.object({ result: Malformed }).parse(JSON.parse(text));
  expect(result.content[0].text).toContain(told);
});

test('W-08 the client of the SDK hands a malformed call through as an answer', async () => {
  const host = await served();
  const { client } = await connected(host, host.token);
  Malformed.parse(await client.callTool({ name: 'tilo_read', arguments: { path: 3 } }));
});

test('a request that is no call of a tool is an error of the protocol', async () => {
  const host = await served();
  const post = async (body: object) =>
    JSON.parse((await sendRaw(host.port, { headers: mcpHeaders(host.token), body: JSON.stringify(body) })).text);
  expect(await post({ jsonrpc: '2.0', id: 1, method: 'prompts/list' })).toMatchObject({ error: { code: -32_601 } });
  expect(await post({ jsonrpc: '2.0', id: 1, method: 'tools/call' })).toMatchObject({ result: { isError: true } });
  expect(await post({ jsonrpc: '2.0', id: 1, method: 'ping' })).toMatchObject({ result: {} });
});
