import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { toolArguments } from '../../schemas/tools.ts';
import { listedTools } from '../../src/mcp/listedTools.ts';

const keysAt = (value: unknown): string[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, item]) => [...(Array.isArray(value) ? [] : [key]), ...keysAt(item)])
    : [];

const listed = listedTools();
const named = (name: string) => {
  const tool = listed.find((one) => one.name === name);
  if (!tool) throw new Error(`${name} is not listed`);
  return tool;
};

describe('the tool list', () => {
  test('is the golden one', () => {
    const golden: unknown = JSON.parse(readFileSync(join(import.meta.dirname, 'golden', 'toolList.json'), 'utf8'));
    expect(JSON.parse(JSON.stringify(listed))).toEqual(golden);
  });

  test('names the eleven tools of the argument schemas, once each, in their order', () => {
    expect(listed.map(({ name }) => name)).toEqual(Object.keys(toolArguments));
    expect(listed).toHaveLength(11);
  });

  test('takes at most 10,240 bytes as a result', () => {
    expect(Buffer.byteLength(JSON.stringify({ tools: listed }))).toBeLessThanOrEqual(10_240);
  });

  test('holds no reference and no definitions, for hosts that cannot resolve them', () => {
    for (const { inputSchema } of listed) {
      const keys = keysAt(inputSchema);
      for (const key of ['$ref', '$defs', 'definitions', '$schema', '$id']) expect(keys).not.toContain(key);
    }
  });

  test('has a flat object without combinators at the root of every schema', () => {
    for (const { inputSchema } of listed) {
      const { type, properties, required, ...rest } = inputSchema;
      expect(type).toBe('object');
      expect(rest).toEqual({ additionalProperties: false });
      expect(Object.keys(properties ?? {})).toEqual(expect.arrayContaining(required ?? []));
      expect(keysAt(inputSchema).filter((key) => ['oneOf', 'anyOf', 'allOf', 'not', 'if'].includes(key))).toEqual([]);
    }
  });

  test('says the type of every argument', () => {
    for (const { inputSchema } of listed)
      for (const property of Object.values(inputSchema.properties ?? {})) expect(property).toHaveProperty('type');
  });

  test('says no destruction and no open world of any tool, and that the check writes', () => {
    for (const { annotations } of listed) {
      expect(annotations).toMatchObject({ destructiveHint: false, openWorldHint: false });
      expect(Object.keys(annotations ?? {})).toHaveLength(4);
    }
    const readOnly = listed.filter(({ annotations }) => annotations?.readOnlyHint).map(({ name }) => name);
    expect(readOnly).toEqual([
      'telic_get_next_action',
      'telic_list_runs',
      'telic_get_run',
      'telic_get_artifact',
      'telic_get_trace',
      'telic_replay_run',
    ]);
    for (const { annotations } of listed) expect(annotations?.idempotentHint).toBe(annotations?.readOnlyHint);
  });

  test('lets the words that a user searches for stand in the first 160 characters of the descriptions', () => {
    const heads = listed.map(({ description = '' }) => description.slice(0, 160).toLowerCase()).join(' ');
    for (const word of ['run', 'phase', 'contract', 'plan', 'evidence', 'permission', 'report'])
      expect(heads).toContain(word);
    for (const { description = '' } of listed) expect(description).not.toContain('\n');
  });

  test('keeps names that every host takes with its prefix', () => {
    for (const { name } of listed) expect(`mcp__telic__${name}`.length).toBeLessThanOrEqual(63);
  });

  test('asks Claude Code to list four tools at once and to show long bodies and traces', () => {
    const meta = z.record(z.string(), z.unknown());
    const always = listed.filter(({ _meta }) => meta.safeParse(_meta).data?.['anthropic/alwaysLoad'] === true);
    expect(always.map(({ name }) => name)).toEqual([
      'telic_start_run',
      'telic_get_next_action',
      'telic_submit_artifact',
      'telic_check_tool_action',
    ]);
    for (const name of ['telic_get_artifact', 'telic_get_trace'])
      expect(named(name)._meta).toEqual({ 'anthropic/maxResultSizeChars': 300_000 });
  });

  test('says that a body may hold any key, and which types a host may send', () => {
    const { properties } = named('telic_submit_artifact').inputSchema;
    expect(properties).toMatchObject({
      body: { type: 'object', additionalProperties: true },
      artifact_type: { enum: expect.not.arrayContaining(['RunEnvelope', 'ContextManifest', 'ReceiptAudit']) },
    });
  });
});
