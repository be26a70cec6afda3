import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ParamType } from '../../../schemas/wire/vocabulary.ts';
import type { Params } from '../../../src/workspace/apps/app.ts';
import { argsTooLarge, type CheckedArgs, checkArgs } from '../../../src/workspace/apps/args.ts';
import { p } from '../../../src/workspace/apps/defineApp.ts';
import { spoken } from '../../../src/workspace/failure.ts';

const path = 'notes/Garden#append-paragraph';

const check = (
  params: Params,
  args: Readonly<Record<string, unknown>>,
  id = 'append-paragraph',
): Promise<CheckedArgs> =>
  checkArgs({ id, params }, args, { path, item: 'a101', resolves: async (where) => where === 'notes/Garden' });

const messageOf = async (params: Params, args: Readonly<Record<string, unknown>>): Promise<string> => {
  const checked = await check(params, args);
  return checked.ok ? 'ok' : spoken(checked.failure.message, null);
};

const appended: Params = { text: p.text({ required: true }), after: p.text() };

/** Of each type, values that are of it and values that are not. */
const types: Readonly<Record<ParamType, Readonly<{ of: readonly unknown[]; notOf: readonly unknown[] }>>> = {
  text: { of: ['', 'a', '\u0000', '7'], notOf: [7, true, null, ['a'], { text: 'a' }] },
  secret: { of: ['', 's3cret'], notOf: [7, null, { secret: true }] },
  integer: { of: [0, -1, 2 ** 53 - 1, 1.0], notOf: [1.5, 2 ** 53, '1', true, null, [1]] },
  number: { of: [0, -1.5, 1e300, 2 ** 60], notOf: ['1', null, false, Number.NaN, Number.POSITIVE_INFINITY] },
  boolean: { of: [true, false], notOf: [0, 1, 'true', null, []] },
  object: { of: [{}, { a: { b: null } }], notOf: [[], '{}', null, 1] },
  array: { of: [[], [1, 'a', null]], notOf: [{}, '[]', null, { length: 0 }] },
  resource: {
    of: ['notes/Garden'],
    notOf: ['notes/Gardn', 'notes/Garden#pin', '/notes', '', 'notes/%zz', 7, null],
  },
  datetime: {
    of: ['2026-03-02T09:14:05Z', '2026-03-02T09:14:05.5+02:00'],
    notOf: ['2026-03-02', '2026-03-02T09:14:05', 1772442845000, null],
  },
};

describe('arguments of a call', () => {
  it.each(ParamType.options)(
    'of the type %s are taken as they are, and nothing else is made into one',
    async (type) => {
      const { of, notOf } = types[type];
      const params: Params = { it: { type, required: false } };
      for (const value of of)
        expect(await check(params, { it: value }), JSON.stringify(value)).toEqual({
          ok: true,
          args: { it: value },
        });
      for (const value of notOf) {
        const checked = await check(params, { it: value });
        expect(checked, JSON.stringify(value)).toMatchObject({
          ok: false,
          failure: { code: 'invalid_arguments' },
          messages: { it: expect.stringMatching(/^it must be .*\.$/) },
        });
      }
    },
  );

  it('come back whole, in the order of the parameters, without those that were left out', async () => {
    const checked = await check({ one: p.text(), two: p.integer(), three: p.boolean() }, { three: false, one: 'a' });
    expect(checked.ok && JSON.stringify(checked.args)).toBe('{"one":"a","three":false}');
  });

  it('that are missing, unknown or of another type are told in one sentence and one each', async () => {
    expect(await check(appended, { txt: 'Net the berries' })).toEqual({
      ok: false,
      failure: {
        code: 'invalid_arguments',
        message: ['append-paragraph needs text and has no parameter txt.'],
        next: [['tilo_ls ', { path }, ' lists its parameters']],
      },
      messages: { text: 'text is needed.', txt: 'There is no parameter txt.' },
    });
    expect(await messageOf(appended, {})).toBe('append-paragraph needs text.');
    expect(await messageOf(appended, { text: 'a', b: 1, c: 2 })).toBe('append-paragraph has no parameters b and c.');
    expect(await messageOf(appended, { text: 3 })).toBe('append-paragraph takes text only as a text.');
    expect(await messageOf({ ...appended, to: p.text({ required: true }) }, { after: null, x: 1 })).toBe(
      'append-paragraph needs text and to, has no parameter x and takes after only as a text.',
    );
  });

  it('do not count null as left out', async () => {
    expect(await messageOf(appended, { text: 'a', after: null })).toBe('append-paragraph takes after only as a text.');
  });

  it('must be among the choices', async () => {
    const access: Params = { access: p.text({ choices: ['read', 'write'] }), size: p.integer({ choices: [1, 2] }) };
    expect(await messageOf(access, { access: 'write', size: 2 })).toBe('ok');
    expect(await check(access, { access: 'Read', size: 3 })).toMatchObject({
      failure: {
        message: ['append-paragraph takes access only as read or write and takes size only as 1 or 2.'],
      },
      messages: { access: 'access must be read or write.', size: 'size must be 1 or 2.' },
    });
  });

  it('satisfy the JSON Schema of their parameter', async () => {
    const params: Params = {
      box: p.object({
        schema: {
          type: 'object',
          properties: { size: { type: 'integer', minimum: 1 }, tags: { type: 'array', items: { type: 'string' } } },
          required: ['size'],
          additionalProperties: false,
        },
      }),
      word: p.text({ schema: { maxLength: 3 } }),
    };
    expect(await messageOf(params, { box: { size: 1, tags: ['a'] }, word: 'abc' })).toBe('ok');
    for (const box of [{}, { size: 0 }, { size: '1' }, { size: 1, more: true }])
      expect(await messageOf(params, { box }), JSON.stringify(box)).toMatch(/takes box only as what its schema allows/);
    expect(await messageOf(params, { box: { size: 1, tags: ['a', 2] } })).toMatch(/not so at tags\.1/);
    expect(await messageOf(params, { word: 'abcd' })).toMatch(/takes word only as what its schema allows/);
  });

  it('that come from the item are filled in, may be repeated and may not differ', async () => {
    const params: Params = { id: p.text({ required: true, fromItem: true }), text: p.text({ required: true }) };
    const filled = { ok: true, args: { id: 'a101', text: 'x' } };
    expect(await check(params, { text: 'x' })).toEqual(filled);
    expect(await check(params, { id: 'a101', text: 'x' })).toEqual(filled);
    expect(await messageOf(params, { id: 'a102', text: 'x' })).toBe(
      'append-paragraph takes id only as a101, the item it is called at.',
    );
  });

  it('may bear the names that every object has', async () => {
    const args: Record<string, unknown> = JSON.parse('{"text":"a","__proto__":1,"constructor":2}');
    expect(await messageOf(appended, args)).toBe('append-paragraph has no parameters __proto__ and constructor.');
    expect(await messageOf(appended, {})).toBe('append-paragraph needs text.');
  });

  it('are never told in a message, and names only as far as one can read them', async () => {
    const secret = 'hunter2-hunter2';
    const checked = await check(
      { password: p.secret({ schema: { maxLength: 3 } }), pin: p.integer() },
      { password: secret, pin: secret, ['x'.repeat(500)]: secret, 'a\u202eb': secret },
    );
    expect(checked.ok).toBe(false);
    expect(JSON.stringify(checked)).not.toContain(secret);
    expect(checked.ok || spoken(checked.failure.message, null).length).toBeLessThan(400);
  });

  it('of whatever names and number make a message of bounded length', async () => {
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`name${index}`, index]));
    expect(await messageOf(appended, many)).toBe(
      `append-paragraph needs text and has no parameters ${Array.from({ length: 8 }, (_, index) => `name${index}`).join(', ')} and 4992 more.`,
    );
  });

  it('have at most 256 KiB as JSON', async () => {
    const text = 'x'.repeat(256 * 1024 - '{"text":""}'.length);
    expect((await check(appended, { text })).ok).toBe(true);
    expect(await check(appended, { text: `${text}x` })).toMatchObject({
      ok: false,
      failure: { code: 'limit_exceeded' },
    });
    expect((await check(appended, { text: 'ä'.repeat(128 * 1024) })).ok).toBe(false);
  });

  it('nest at most 32 deep, and may nest however deep to be told so', async () => {
    const deep = (depth: number): unknown => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`);
    expect((await check({ list: p.array() }, { list: deep(31) })).ok).toBe(true);
    expect(await check({ list: p.array() }, { list: deep(32) })).toMatchObject({ failure: { code: 'limit_exceeded' } });
    expect(argsTooLarge({ list: deep(100_000) }, path)).toMatchObject({ code: 'limit_exceeded' });
  });

  it('that are taken are exactly those that were sent', async () => {
    const params: Params = {
      text: p.text(),
      number: p.number(),
      object: p.object(),
      array: p.array(),
      flag: p.boolean(),
    };
    const sent = fc.record(
      {
        text: fc.string(),
        number: fc.double({ noNaN: true, noDefaultInfinity: true }),
        object: fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })),
        array: fc.array(fc.jsonValue({ maxDepth: 3 })),
        flag: fc.boolean(),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(sent, async (args) => {
        expect(await check(params, args)).toEqual({ ok: true, args });
      }),
      { numRuns: 200 },
    );
  });

  it('are taken or refused with a sentence, whatever they are', async () => {
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string(), fc.jsonValue()), async (args) => {
        const checked = await check(appended, args);
        if (checked.ok) return;
        expect(spoken(checked.failure.message, null)).toMatch(/^append-paragraph .*\.$/u);
        expect(Object.keys(checked.messages).length).toBeGreaterThan(0);
      }),
      { numRuns: 300 },
    );
  });
});
