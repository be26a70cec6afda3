import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { WireTool } from '../../../schemas/wire/vocabulary.ts';
import { parseCallMeta } from '../../../src/workspace/tools/callMeta.ts';
import { malformedCall, unknownTool } from '../../../src/workspace/tools/malformed.ts';
import { parseWireArguments } from '../../../src/workspace/tools/parseArguments.ts';

const accepted = (tool: WireTool, sent: unknown): unknown => {
  const parsed = parseWireArguments(tool, sent);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return parsed.value;
};

const refused = (tool: WireTool, sent: unknown): string => {
  const parsed = parseWireArguments(tool, sent);
  if (parsed.ok) throw new Error(`accepted as ${JSON.stringify(parsed.value)}`);
  const [content] = malformedCall(tool, parsed.problems).content;
  return content?.type === 'text' ? content.text : '';
};

const wrong = (tool: WireTool): string =>
  `MCP error -32602: Input validation error: Invalid arguments for tool ${tool}: `;

describe('the arguments of a call', () => {
  test('may be absent or null where none is needed', () => {
    expect(accepted('tilo_ls', undefined)).toEqual({});
    expect(accepted('tilo_ls', null)).toEqual({});
    expect(accepted('tilo_watch', {})).toEqual({});
  });

  test('T06 null for an optional argument is absent, also within calls, and never for one that is needed', () => {
    expect(accepted('tilo_ls', { path: null, limit: null, cursor: null, kind: null })).toEqual({});
    expect(accepted('tilo_do', { path: null, calls: [{ path: 'notes#x', args: null, invocation_id: null }] })).toEqual({
      calls: [{ path: 'notes#x' }],
    });
    expect(refused('tilo_read', { path: null })).toBe(
      `${wrong('tilo_read')}Invalid input: expected string, received null at path`,
    );
  });

  test('T03 a plain string of digits passes for a whole number, and nothing that only looks like one', () => {
    expect(accepted('tilo_ls', { limit: '50' })).toEqual({ limit: 50 });
    expect(accepted('tilo_do', { path: 'a#b', wait_ms: '0' })).toEqual({ path: 'a#b', wait_ms: 0 });
    for (const text of ['', '1e1', '12px', '0x10', '-1', '+1', ' 1', '1.0', '١', '99999999999999999'])
      expect(refused('tilo_ls', { limit: text })).toContain('at limit');
    expect(refused('tilo_ls', { limit: '201' })).toContain('at limit');
    expect(refused('tilo_ls', { limit: true })).toContain('at limit');
  });

  test('a text argument stays a text however it looks', () => {
    expect(accepted('tilo_find', { query: '12' })).toEqual({ query: '12' });
    expect(accepted('tilo_ls', { cursor: '50' })).toEqual({ cursor: '50' });
    expect(refused('tilo_find', { query: 12 })).toContain('at query');
    expect(refused('tilo_status', { invocation_id: 'x', cancel: 'true' })).toContain('at cancel');
  });

  test('T04 args and calls pass as JSON text of their type, and of no other', () => {
    expect(accepted('tilo_do', { path: 'a#b', args: '{"text":"x"}' })).toEqual({ path: 'a#b', args: { text: 'x' } });
    expect(accepted('tilo_do', { calls: '[{"path":"a#b","args":"{\\"n\\":1}"}]' })).toEqual({
      calls: [{ path: 'a#b', args: { n: 1 } }],
    });
    for (const text of ['', 'x', '[]', 'null', '3', '"{}"'])
      expect(refused('tilo_do', { path: 'a#b', args: text })).toContain('at args');
    for (const text of ['', '{}', 'null']) expect(refused('tilo_do', { calls: text })).toContain('at calls');
  });

  test('nothing inside args is coerced', () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.string().filter((key) => key !== '__proto__'),
          fc.jsonValue(),
        ),
        (args) => {
          const sent = { path: 'a#b', args: { ...args, n: '1', none: null, list: '[]' } };
          expect(accepted('tilo_do', structuredClone(sent))).toEqual(sent);
        },
      ),
      { numRuns: 200 },
    );
  });

  test('unknown ones are refused by name, together with every other problem, one a line', () => {
    expect(refused('tilo_ls', { depth: 2 })).toBe(`${wrong('tilo_ls')}Unrecognized key: "depth"`);
    expect(refused('tilo_do', { calls: [{ path: 3, note: 'x' }], wait_ms: 60_001 }).split('\n')).toEqual([
      `${wrong('tilo_do')}Too big: expected number to be <=60000 at wait_ms`,
      'Invalid input: expected string, received number at calls[0].path',
      'Unrecognized key: "note" at calls[0]',
    ]);
  });

  test('a key called __proto__ is refused where it would vanish', () => {
    expect(refused('tilo_ls', JSON.parse('{"__proto__":1}'))).toBe(`${wrong('tilo_ls')}Unrecognized key: "__proto__"`);
    expect(refused('tilo_do', { path: 'a#b', args: JSON.parse('{"__proto__":1}') })).toContain('at args');
    expect(refused('tilo_do', { calls: [{ path: 'a#b', args: '{"__proto__":1}' }] })).toContain('at calls[0].args');
  });

  test.each([[3], ['{}'], [[]], [true]])('%j in place of the arguments is malformed', (sent) => {
    expect(refused('tilo_ls', sent)).toMatch(/Invalid input: expected object, received \w+$/);
  });

  test('bounds count bytes for paths and programs', () => {
    expect(accepted('tilo_ls', { path: 'é'.repeat(1024) })).toEqual({ path: 'é'.repeat(1024) });
    expect(refused('tilo_ls', { path: 'é'.repeat(1025) })).toContain('at path');
    expect(refused('tilo', { program: 'é'.repeat(8193) })).toContain('at program');
    expect(refused('tilo_do', { calls: Array.from({ length: 51 }, () => ({ path: 'a#b' })) })).toContain('at calls');
  });

  test('a malformed call is answered as the conformance file has it', () => {
    const file = join(import.meta.dirname, '..', '..', 'conformance', 'wire', 'malformed.call.json');
    const { request, response } = z
      .object({
        request: z.object({ params: z.object({ arguments: z.unknown() }) }),
        response: z.object({ result: z.unknown() }),
      })
      .parse(JSON.parse(readFileSync(file, 'utf8')));
    const parsed = parseWireArguments('tilo_read', request.params.arguments);
    expect(parsed.ok ? null : malformedCall('tilo_read', parsed.problems)).toEqual(response.result);
  });

  test('a tool that is not there is answered as a malformed call, a long name cut short', () => {
    expect(unknownTool('tilo_rm')).toEqual({
      content: [{ type: 'text', text: 'MCP error -32602: Tool tilo_rm not found' }],
      isError: true,
    });
    expect(JSON.stringify(unknownTool('x'.repeat(10_000))).length).toBeLessThan(300);
  });
});

describe('what a call says of itself', () => {
  const meta = (value: unknown) => parseCallMeta({ 'so.tilo.mcp': value, progressToken: 7 });

  test('may be nothing, and has keys of others beside it', () => {
    expect(parseCallMeta(undefined)).toEqual({ ok: true, value: {} });
    expect(parseCallMeta({ progressToken: 1 })).toEqual({ ok: true, value: {} });
    expect(meta({ structured: true, colour: 'red' })).toEqual({ ok: true, value: { structured: true } });
    expect(meta({ run: { id: 'a.b:c_d-1', title: 'Fill in', more: 1 }, step: 's' })).toEqual({
      ok: true,
      value: { run: { id: 'a.b:c_d-1', title: 'Fill in' }, step: 's' },
    });
  });

  test.each([
    [{ structured: 'true' }],
    [{ structured: null }],
    [{ run: 'x' }],
    [{ run: { id: 'a' } }],
    [{ run: { id: 'a b', title: 't' } }],
    [{ run: { id: '', title: 't' } }],
    [{ run: { id: 'a', title: '' } }],
    [{ run: { id: 'a', title: 'x'.repeat(201) } }],
    [{ run: { id: 'x'.repeat(129), title: 't' } }],
    [{ step: '' }],
    [{ step: 3 }],
    [[]],
    ['x'],
    [null],
  ])('is malformed with a known key of the wrong type: %j', (value) => {
    const parsed = meta(value);
    expect(parsed.ok).toBe(false);
    if (!parsed.ok) expect(parsed.problems[0]?.path.slice(0, 2)).toEqual(['_meta', 'so.tilo.mcp']);
  });
});
