import { describe, expect, test } from 'vitest';
import { WireTool } from '../../../schemas/wire/vocabulary.ts';
import { listedWireTools } from '../../../src/workspace/tools/listed.ts';

const listed = listedWireTools();

const keysAt = (value: unknown): string[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, item]) => [...(Array.isArray(value) ? [] : [key]), ...keysAt(item)])
    : [];

describe('the list of the seven tools', () => {
  test('names them in the order of the wire', () => {
    expect(listed.map(({ name }) => name)).toEqual(WireTool.options);
    expect(WireTool.options).toEqual([
      'tilo_ls',
      'tilo_read',
      'tilo_do',
      'tilo_find',
      'tilo_status',
      'tilo',
      'tilo_watch',
    ]);
  });

  test('T10 takes at most 6,144 bytes as a result', () => {
    expect(Buffer.byteLength(JSON.stringify({ tools: listed }))).toBeLessThanOrEqual(6144);
  });

  test('T07 holds no reference and no definitions, for hosts that cannot resolve them', () => {
    for (const { inputSchema } of listed)
      for (const key of ['$ref', '$defs', 'definitions', '$schema', '$id'])
        expect(keysAt(inputSchema)).not.toContain(key);
  });

  test('T08 has a flat object without combinators at the root of every schema', () => {
    for (const { inputSchema } of listed) {
      const { type, properties, required, ...rest } = inputSchema;
      expect(type).toBe('object');
      expect(rest).toEqual({ additionalProperties: false });
      expect(Object.keys(properties ?? {})).toEqual(expect.arrayContaining(required ?? []));
      expect(keysAt(inputSchema).filter((key) => ['oneOf', 'anyOf', 'allOf', 'not', 'if'].includes(key))).toEqual([]);
    }
  });

  test('publishes whole numbers as integers with their bounds, and any key within args', () => {
    const properties = Object.fromEntries(listed.map(({ name, inputSchema }) => [name, inputSchema.properties ?? {}]));
    expect(properties.tilo_ls).toMatchObject({ limit: { type: 'integer', minimum: 1, maximum: 200 } });
    for (const name of ['tilo_do', 'tilo_status', 'tilo_watch'])
      expect(properties[name]).toMatchObject({ wait_ms: { type: 'integer', minimum: 0, maximum: 60_000 } });
    expect(properties.tilo_do).toMatchObject({
      args: { type: 'object', additionalProperties: true },
      calls: { type: 'array', items: { type: 'object', required: ['path'], additionalProperties: false } },
    });
  });

  test('says of ls, read, find and watch alone that they only read, and declares no output', () => {
    const reading = listed.filter(({ annotations }) => annotations?.readOnlyHint).map(({ name }) => name);
    expect(reading).toEqual(['tilo_ls', 'tilo_read', 'tilo_find', 'tilo_watch']);
    for (const tool of listed) expect(tool).not.toHaveProperty('outputSchema');
  });

  test('tells models that the watch is for programs', () => {
    expect(listed.find(({ name }) => name === 'tilo_watch')?.description).toMatch(/^For programs:/);
  });

  test('describes in one paragraph each, and every argument by its type', () => {
    for (const { description = '', inputSchema } of listed) {
      expect(description).not.toContain('\n');
      for (const property of Object.values(inputSchema.properties ?? {})) expect(property).toHaveProperty('type');
    }
  });
});
