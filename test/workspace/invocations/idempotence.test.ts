import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DoArguments } from '../../../schemas/wire/arguments.ts';
import type { Caller } from '../../../src/workspace/caller.ts';
import { contents, done, openTable, runEvents, type Table } from './support.ts';

type One = Pick<DoArguments, 'path' | 'args'>;

const word = fc.stringMatching(/^[a-z]{1,6}$/);

/** Calls that end by themselves, in every way in which calls end. */
const calls: fc.Arbitrary<One> = fc.oneof(
  word.map((text) => ({ path: 'notes/Garden#append-paragraph', args: { text } })),
  word.map((title) => ({ path: 'notes#new-page', args: { title } })),
  fc.constant({ path: 'notes/Garden/Water the tomatoes#toggle-checkbox' }),
  word.map((name) => ({ path: 'lab#add-item', args: { name } })),
  word.map((name) => ({ path: 'lab#count', args: { name } })),
  fc.integer({ min: 1, max: 3 }).map((integer) => ({ path: 'lab#everything', args: { integer } })),
  word.map((note) => ({ path: 'lab#send', args: { note } })),
  word.map((note) => ({ path: 'lab#send-and-count', args: { note } })),
  fc.constantFrom<One>(
    { path: 'notes/Garden#undo' },
    { path: 'lab#fail' },
    { path: 'lab#throw' },
    { path: 'lab#throw-outside' },
    { path: 'lab#change-while-reading' },
    { path: 'lab#write-elsewhere' },
    { path: 'lab#count', args: { nome: 'x' } },
    { path: 'lab#unheard-of' },
    { path: 'notes/Nowhere#rename', args: { title: 'x' } },
  ),
);

/** As JSON brings it. */
const sent = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

const call = (table: Table, caller: Caller, { path, args }: One, invocation_id: string): Promise<unknown> =>
  table.host.invocations.do(caller, {
    ...(path !== undefined && { path }),
    ...(args && { args: JSON.parse(JSON.stringify(args)) }),
    invocation_id,
  });

describe('a call that is repeated', () => {
  let once: Table;
  let often: Table;
  beforeEach(async () => {
    [once, often] = await Promise.all([openTable(), openTable()]);
    for (const { host } of [once, often])
      for (const action of ['send', 'send-and-count', 'throw-outside'])
        host.registry.setPreallow('home', 'lab', action, true, 'Mira');
  });
  afterEach(() => Promise.all([once.close(), often.close()]));

  it('W-22 runs once however often and however fast it comes, and is answered alike', async () => {
    let number = 0;
    await fc.assert(
      fc.asyncProperty(calls, fc.integer({ min: 2, max: 5 }), fc.boolean(), async (one, times, atOnce) => {
        number += 1;
        const id = `call-${number}`;
        const [expected] = [await call(once, once.caller(), one, id)];
        const answers: unknown[] = [];
        if (atOnce)
          answers.push(
            ...(await Promise.all(Array.from({ length: times }, () => call(often, often.caller(), one, id)))),
          );
        else for (let time = 0; time < times; time += 1) answers.push(await call(often, often.caller(), one, id));
        expect(answers).toEqual(answers.map(() => expected));
        expect(contents(often)).toEqual(contents(once));
        expect(often.lab.far.arrived('keyless')).toEqual(once.lab.far.arrived('keyless'));
      }),
      { numRuns: 100 },
    );
  });

  it('W-22 repeated by another connection of the token, it keeps the connection, step and run of the first', async () => {
    const first = often.caller('Desk agent', { run: { id: 'plan', title: 'Plan' } });
    const again = often.caller('Night agent', { run: { id: 'other', title: 'Other' } });
    const one = { path: 'lab#count', args: { name: 'a' } };
    const answer = await call(often, first, one, 'c1');
    const before = contents(often);
    expect(await call(often, again, one, 'c1')).toEqual(answer);
    expect(contents(often)).toEqual(before);
    expect(runEvents(often, 'c1')).toEqual(['started c1', 'succeeded c1']);
  });

  it('W-22 repeated at the account endpoint, it is the same invocation, its paths with their workspace', async () => {
    const one = { path: 'lab#add-item', args: { name: 'a' } };
    const here = done(await call(often, often.caller(), one, 'c1'));
    const account = often.caller('Desk agent', { endpoint: null });
    const there = done(await call(often, account, { ...one, path: 'home/lab#add-item' }, 'c1'));
    expect(there).toEqual({
      ...here,
      path: 'home/lab#add-item',
      resources: here.resources?.map((path) => `home/${path}`),
    });
  });
});

/** The same value, its keys in another order and its numbers spelled otherwise, as JSON text. */
const respelled = (value: unknown, random: () => number): string => {
  if (typeof value === 'number' && Number.isInteger(value) && value !== 0 && Math.abs(value) < 1e9)
    return [`${value}`, `${value}.0`, `${value}e0`, `${value}0e-1`][Math.floor(random() * 4)] ?? '';
  if (Array.isArray(value)) return `[${value.map((item) => respelled(item, random)).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}: ${respelled(member, random)}`);
  return `{${members.sort(() => random() - 0.5).join(', ')}}`;
};

const everythingArgs = fc.record(
  {
    text: fc.string(),
    integer: fc.constantFrom(1, 2, 3),
    number: fc.oneof(fc.integer({ min: -9999, max: 9999 }), fc.double({ noNaN: true, noDefaultInfinity: true })),
    boolean: fc.boolean(),
    object: fc.record({ size: fc.integer({ min: 1, max: 99 }) }),
    array: fc.array(fc.string(), { maxLength: 3 }),
    secret: fc.string({ minLength: 1 }),
  },
  { requiredKeys: [] },
);

describe('an id that is bound', () => {
  let table: Table;
  beforeEach(async () => {
    table = await openTable();
  });
  afterEach(() => table.close());

  it('W-23 stands for its action and arguments, however those are spelled, and for nothing else', async () => {
    let number = 0;
    await fc.assert(
      fc.asyncProperty(
        everythingArgs,
        everythingArgs,
        fc.infiniteStream(fc.nat({ max: 999 })),
        async (args, other, stream) => {
          number += 1;
          const id = `bound-${number}`;
          const path = 'lab#everything';
          const first = await call(table, table.caller(), { path, args }, id);
          expect(first).toMatchObject({ status: 'ok' });
          const before = contents(table);

          const random = (): number => Number(stream.next().value) / 1000;
          const same = JSON.parse(respelled(args, random));
          expect(await call(table, table.caller(), { path, args: same }, id)).toEqual(first);

          const differs = !isDeepStrictEqual(sent(args), sent(other));
          const answer = await call(table, table.caller(), { path, args: other }, id);
          if (differs) expect(answer).toMatchObject({ status: 'failed', error: { code: 'invocation_mismatch' } });
          else expect(answer).toEqual(first);
          for (const elsewhere of ['lab#count', 'notes/Garden#unpin', 'nowhere#at-all', 'lab', 'no path//'])
            expect(await call(table, table.caller(), { path: elsewhere, args }, id)).toMatchObject({
              status: 'failed',
              error: { code: 'invocation_mismatch' },
              invocation_id: id,
            });
          expect(contents(table)).toEqual(before);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('W-23 is found by its path as written, by names and by keys, and by no other', async () => {
    const args = { text: 'Net the berries' };
    const as = (path: string, caller = table.caller()): Promise<unknown> => call(table, caller, { path, args }, 'p1');
    const first = await as('notes/0a01#append-paragraph');
    expect(first).toMatchObject({ status: 'ok', path: 'notes/Garden#append-paragraph' });
    expect(await as('notes/0a01#append-paragraph')).toEqual(first);
    expect(await as('notes/Garden#append-paragraph')).toEqual(first);
    const elsewhere = await as('notes/House move#append-paragraph');
    expect(elsewhere).toMatchObject({
      status: 'failed',
      path: 'notes/House move#append-paragraph',
      error: {
        code: 'invocation_mismatch',
        next_steps: [
          'tilo_status p1 tells what became of notes/Garden#append-paragraph',
          'tilo_do notes/House move#append-paragraph with a new invocation_id runs this one',
        ],
      },
      action: { id: 'append-paragraph' },
    });
    // In another workspace it stands for something that is not shown there.
    const studio = done(await as('notes/Garden#append-paragraph', table.caller('Desk agent', { endpoint: 'studio' })));
    expect(studio.error?.code).toBe('invocation_mismatch');
    expect(studio.error?.next_steps).toEqual([
      'tilo_do notes/Garden#append-paragraph with a new invocation_id runs this one',
    ]);
    // Of another token the id is free.
    const other = table.caller('Desk agent', { token: table.token('other') });
    expect(await as('notes/Garden#append-paragraph', other)).toMatchObject({ status: 'ok' });
  });

  it('W-23 answers as it did when the page that it was for has another name since', async () => {
    const one = { path: 'notes/Garden#append-paragraph', args: { text: 'Net the berries' } };
    const first = await call(table, table.caller(), one, 'p1');
    await call(table, table.caller(), { path: 'notes/Garden#rename', args: { title: 'Orchard' } }, 'p2');
    expect(await call(table, table.caller(), one, 'p1')).toEqual(first);
  });
});

describe('a call that fails before it is admitted', () => {
  let table: Table;
  beforeEach(async () => {
    table = await openTable();
  });
  afterEach(() => table.close());

  const wrong: readonly Readonly<{ what: string; one: One; code: string; caller?: (table: Table) => Caller }>[] = [
    {
      what: 'nothing is there',
      one: { path: 'notes/Gardn#append-paragraph', args: { text: 'x' } },
      code: 'unknown_path',
    },
    { what: 'no such action', one: { path: 'notes/Garden#water', args: {} }, code: 'unknown_action' },
    { what: 'an action that cannot be tried now', one: { path: 'notes/Garden#pin', args: {} }, code: 'unknown_action' },
    { what: 'no such app', one: { path: 'maps#find', args: {} }, code: 'unknown_app' },
    { what: 'an app that does not run', one: { path: 'attic#look', args: {} }, code: 'app_stopped' },
    {
      what: 'wrong arguments',
      one: { path: 'notes/Garden#append-paragraph', args: { txt: 'x' } },
      code: 'invalid_arguments',
    },
    {
      what: 'no path of a resource',
      one: { path: 'lab#everything', args: { resource: 'notes/Nowhere' } },
      code: 'invalid_arguments',
    },
    { what: 'too many steps', one: { path: 'notes#undo', args: { steps: 101 } }, code: 'invalid_arguments' },
    {
      what: 'both ways of undo',
      one: { path: 'notes#undo', args: { steps: 1, change: 'c1' } },
      code: 'invalid_arguments',
    },
    {
      what: 'arguments that nest too deep',
      one: { path: 'lab#everything', args: { object: JSON.parse(`${'{"a":'.repeat(60)}1${'}'.repeat(60)}`) } },
      code: 'limit_exceeded',
    },
    {
      what: 'a token that may only read',
      one: { path: 'lab#count', args: { name: 'x' } },
      code: 'not_granted',
      caller: (of) => of.caller('Reader', { token: of.token('reader', 'read') }),
    },
    {
      what: 'an outside action by a token that may not',
      one: { path: 'lab#send', args: { note: 'x' } },
      code: 'not_granted',
      caller: (of) => of.caller('Editor', { token: of.token('editor', 'undoable') }),
    },
  ];

  it.each(wrong)('W-24 leaves its id free: $what', async ({ one, code, caller }) => {
    const by = caller?.(table) ?? table.caller();
    const before = contents(table);
    const failed = done(await call(table, by, one, 'free'));
    expect(failed).toMatchObject({ status: 'failed', error: { code }, invocation_id: 'free', path: one.path });
    expect(contents(table)).toEqual(before);
    // The row of the action stands in the answer where there is one, so that the caller sees what it takes.
    expect('action' in failed).toBe(!['unknown_path', 'unknown_action', 'unknown_app', 'app_stopped'].includes(code));
    const next = await call(table, by, { path: 'lab#everything', args: {} }, 'free');
    expect(next).toMatchObject({ status: 'ok', invocation_id: 'free' });
    expect(runEvents(table)).toEqual(['started free', 'succeeded free']);
  });

  it('W-24 carries an id of the host where the caller gave none', async () => {
    const { host } = table;
    const failed = done(await host.invocations.do(table.caller(), { path: 'notes/Gardn#pin' }));
    expect(failed.invocation_id).toMatch(/^[0-9a-f]{32}$/);
    expect(failed.path).toBe('notes/Gardn#pin');
  });

  it('takes one action or several, and of several no id twice', async () => {
    const { host } = table;
    const one = { path: 'lab#count', args: { name: 'x' } };
    const bad = [
      {},
      { ...one, calls: [one] },
      { calls: [one], args: {} },
      { calls: [one], invocation_id: 'x' },
      {
        calls: [
          { ...one, invocation_id: 'x' },
          { ...one, invocation_id: 'x' },
        ],
      },
    ];
    for (const args of bad)
      expect(await host.call('tilo_do', args, table.caller())).toMatchObject({
        status: 'failed',
        error: { code: 'invalid_arguments' },
      });
    expect(runEvents(table)).toEqual([]);
  });
});
