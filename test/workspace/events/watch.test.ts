import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Watched } from '../../../schemas/wire/answers.ts';
import { cursorOf, sequenceOf } from '../../../schemas/wire/cursor.ts';
import type { Connection } from '../../../src/workspace/caller.ts';
import { createEventLog } from '../../../src/workspace/events/eventLog.ts';
import { createWatch } from '../../../src/workspace/events/watch.ts';
import { failedAnswer } from '../../../src/workspace/failedAnswer.ts';
import type { NotebookPage } from '../../apps/notebook.ts';
import { type Bench, callerOf, failureOf, garden, openBench } from '../history/bench.ts';

const conformance = (name: string): Record<string, unknown> =>
  JSON.parse(readFileSync(new URL(`../../conformance/wire/${name}.json`, import.meta.url), 'utf8')).response.result
    .structuredContent;

const move = { run: { id: 'plan-move', title: 'Plan the house move' } };

const look = (bench: Pick<Bench, 'watch'>, connection: Connection, cursor?: string, path?: string): Promise<Watched> =>
  bench.watch.watch(callerOf(connection), {
    wait_ms: 0,
    ...(cursor !== undefined && { cursor }),
    ...(path !== undefined && { path }),
  });

const failing = async (work: Promise<unknown>): Promise<object> => failedAnswer(await failureOf(work), null);

/** An answer with its samples made equal: ids of runs and changes, times, the cursor. */
const sampled = (answer: object): unknown =>
  JSON.parse(
    JSON.stringify(answer, (key, value) =>
      key === 'time_ms' ? 0 : key === 'change' || key === 'cursor' ? 'c' : key === 'run_id' ? 'mcp:' : value,
    ),
  );

describe('a watch', () => {
  it('tells a call in a named run as the wire shows it, and taking it back by the person', async () => {
    const bench = openBench({ pages: garden });
    const desk = bench.connect('Desk agent');
    const { cursor } = await look(bench, desk);
    const how = { meta: move, invocation: '5a77c001' };
    await bench.act(desk, 'notes/Garden/Water the tomatoes#toggle-checkbox', { id: 'a101' }, how);
    const shown = conformance('tilo_watch.events');
    const answer = await look(bench, desk, cursor, 'notes/Garden');
    const withoutPresence = {
      ...shown,
      events: (shown.events as { kind: string }[]).filter(({ kind }) => kind !== 'presence'),
    };
    expect(JSON.stringify(sampled(answer))).toBe(JSON.stringify(sampled(withoutPresence)));

    const change = answer.events.find(({ kind }) => kind === 'change')?.change;
    const undone = await bench.history.byPerson('home', 'undo', { change: String(change) }, 'Mira');
    expect(undone).toEqual({
      done: [{ app: 'notes', undone: [change], resources: ['notes/Garden/a101'] }],
      conflicts: [],
    });
    const after = await look(bench, desk, answer.cursor);
    expect(JSON.stringify(sampled(after))).toBe(JSON.stringify(sampled(conformance('tilo_watch.undone'))));
    expect(after.events[0]).toMatchObject({ change });
  });

  it('names who did it: the connection outside a run and in a bare step, the person in a named run', async () => {
    const bench = openBench({ pages: garden });
    const desk = bench.connect('Desk agent');
    const { cursor } = await look(bench, desk);
    await bench.act(desk, 'notes/Garden#unpin');
    await bench.act(desk, 'notes/Garden#pin', {}, { meta: { step: 'x' } });
    await bench.act(desk, 'notes/Garden#unpin', {}, { meta: move });
    await bench.act(desk, 'notes#undo', {});
    const { events } = await look(bench, desk, cursor);
    expect(events.filter(({ kind }) => kind === 'change').map(({ by, run, undone }) => [by, run, undone])).toEqual([
      ['Desk agent', undefined, false],
      ['Desk agent', undefined, false],
      ['Mira', move.run.title, false],
      ['Desk agent', move.run.title, true],
    ]);
    const runs = events.filter(({ kind }) => kind === 'run');
    expect(runs.map(({ phase, run, run_id }) => [phase, run, typeof run_id])).toEqual([
      ['started', undefined, 'undefined'],
      ['succeeded', undefined, 'undefined'],
      ['started', undefined, 'string'],
      ['succeeded', undefined, 'string'],
      ['started', move.run.title, 'string'],
      ['succeeded', move.run.title, 'string'],
      ['started', undefined, 'undefined'],
      ['succeeded', undefined, 'undefined'],
    ]);
  });

  it('holds until something is there for its caller, and wakes at once', async () => {
    const bench = openBench({ pages: garden });
    const desk = bench.connect('Desk agent');
    const night = bench.connect('Night agent');
    const { cursor } = await look(bench, desk);
    const held = bench.watch.watch(callerOf(desk), { cursor, path: 'notes/Garden' });
    let over = false;
    void held.then(() => {
      over = true;
    });
    await bench.act(night, 'notes/House move#unpin');
    expect(over).toBe(false);
    await bench.act(night, 'notes/Garden#unpin');
    const answer = await held;
    expect(answer.events).toMatchObject([{ kind: 'change', path: 'notes/Garden', by: 'Night agent' }]);
    expect((await look(bench, desk, answer.cursor, 'notes/Garden')).events).toEqual([]);
  });

  it('ends with what it has when its time is up, its caller gives up, or the host stops', async () => {
    const bench = openBench({ pages: garden });
    const desk = bench.connect('Desk agent');
    const { cursor } = await look(bench, desk);
    const quiet = { events: [], cursor };
    expect(await bench.watch.watch(callerOf(desk), { cursor, wait_ms: 20 })).toEqual(quiet);
    const giveUp = new AbortController();
    const given = bench.watch.watch(callerOf(desk, {}, giveUp.signal), { cursor });
    giveUp.abort();
    expect(await given).toEqual(quiet);
    const held = bench.watch.watch(callerOf(desk), {});
    bench.watch.release();
    expect(await held).toEqual(quiet);
    expect(await bench.watch.watch(callerOf(desk), {})).toEqual(quiet);
  });

  it('tells at most 200 events and goes on behind them', async () => {
    const bench = openBench({ pages: garden });
    const desk = bench.connect('Desk agent');
    const { cursor } = await look(bench, desk);
    bench.store.transaction(() => {
      for (let index = 0; index < 450; index += 1)
        bench.events.append({
          workspace: 'home',
          connection: null,
          kind: 'change',
          ref: 'notes',
          time_ms: 1,
          body: (seq) => ({
            kind: 'change',
            path: 'notes',
            change: cursorOf(seq),
            sentence: String(index),
            by: 'x',
            time_ms: 1,
            undone: false,
          }),
        });
    });
    const counts: number[] = [];
    for (
      let answer = await look(bench, desk, cursor);
      answer.events.length > 0;
      answer = await look(bench, desk, answer.cursor)
    )
      counts.push(answer.events.length);
    expect(counts).toEqual([200, 200, 50]);
  });

  it('W-38 takes the id of a change as a cursor, and refuses one that is not of this host', async () => {
    const bench = openBench({ pages: garden });
    const desk = bench.connect('Desk agent');
    const { cursor } = await look(bench, desk);
    await bench.act(desk, 'notes/Garden#unpin');
    await bench.act(desk, 'notes/Garden#rename', { title: 'Orchard' });
    const { events, cursor: end } = await look(bench, desk, cursor);
    const first = events.findIndex(({ kind }) => kind === 'change');
    expect((await look(bench, desk, String(events[first]?.change))).events).toEqual(events.slice(first + 1));

    expect(await failing(look(bench, desk, 'hello'))).toEqual(conformance('tilo_watch.bad-cursor'));
    for (const wrong of ['', 'c', 'C1', 'c01', 'c-1', '1', cursorOf((sequenceOf(end) ?? 0) + 1), 'czzzzzzzzzzzz'])
      expect(await failing(look(bench, desk, wrong))).toMatchObject({ error: { code: 'invalid_cursor' } });
  });

  it('W-38 refuses a cursor older than what is kept, and takes the oldest that misses nothing', async () => {
    let now = 1000;
    const clock = { now: () => now };
    const bench = openBench({ pages: garden, clock });
    const desk = bench.connect('Desk agent');
    const events = createEventLog({ store: bench.store, clock }, { milliseconds: 100, rows: 5 });
    const watch = createWatch({ store: bench.store, events, world: () => bench.world });
    const append = (): number =>
      events.append({ workspace: 'home', connection: null, kind: 'ask', ref: null, body: () => ({}), time_ms: now });
    for (let count = 0; count < 13; count += 1) append();
    events.trim();
    expect(events.oldest()).toBe(0);
    now += 101;
    events.trim();
    // Of 13 the newest five are kept however old they are: c9 is the first of them.
    expect(events.oldest()).toBe(8);
    expect(await failing(look({ watch }, desk, 'c1'))).toEqual(conformance('tilo_watch.old-cursor'));
    expect(await failing(look({ watch }, desk, 'c7'))).toMatchObject({ error: { code: 'cursor_expired' } });
    expect((await look({ watch }, desk, 'c8')).cursor).toBe('cd');
    for (let count = 0; count < 20; count += 1) append();
    events.trim();
    // Of the 33 those are kept that are young.
    expect(events.oldest()).toBe(13);
  });

  it('refuses a path that names nothing, and watches a workspace at the account endpoint', async () => {
    const bench = openBench({ pages: garden });
    const desk = bench.connect('Desk agent');
    const account = bench.connect('Desk agent', { endpoint: null });
    expect(await failing(look(bench, desk, undefined, 'notes/Nowhere'))).toMatchObject({
      error: { code: 'unknown_path' },
    });
    const { cursor } = await look(bench, account, undefined, 'home');
    await bench.act(account, 'studio/notes#new-page', { title: 'Sketches' });
    await bench.act(account, 'home/notes/Garden#unpin');
    const paths = async (path?: string): Promise<unknown[]> =>
      (await look(bench, account, cursor, path)).events
        .filter(({ kind }) => kind === 'change')
        .map(({ path: of }) => of);
    expect(await paths()).toEqual(['studio/notes/Sketches', 'home/notes/Garden']);
    expect(await paths('home')).toEqual(['home/notes/Garden']);
    expect(await paths('studio')).toEqual(['studio/notes/Sketches']);
    expect(await paths('home/notes/House move')).toEqual([]);
    // A token of one workspace sees that one, at the account endpoint too.
    const studio = bench.connect('Painter', { endpoint: null, token: 'Painter', only: 'studio' });
    const seen = (await look(bench, studio, cursor)).events.filter(({ kind }) => kind === 'change');
    expect(seen.map(({ path }) => path)).toEqual(['studio/notes/Sketches']);
    expect(await failing(look(bench, studio, cursor, 'home'))).toMatchObject({ status: 'failed' });
    // At the endpoint of a workspace nothing is told of another.
    const { events } = await look(bench, desk, cursor);
    expect(JSON.stringify(events)).not.toContain('Sketches');
  });
});

describe('narrowing', () => {
  // Keys and titles that begin alike, and a title that is another page's key.
  const pages: readonly NotebookPage[] = [
    ['0a', 'Todo'],
    ['0a0', 'Todo2'],
    ['0a01', 'Todo/2'],
    ['0a012', '0a'],
    ['0b', 'To'],
  ].map(([item = '', title = '']) => ({
    item,
    title,
    pinned: false,
    blocks: [
      { item: 'x', type: 'checkbox', text: title, done: false },
      { item: 'x1', type: 'checkbox', text: item, done: false },
    ],
  }));

  const acts = fc.array(
    fc.record({
      page: fc.nat(pages.length - 1),
      block: fc.constantFrom(null, 'x', 'x1'),
      title: fc.constantFrom('Todo', 'Todo2', 'To', 'T', '0a', '0a0', 'Todo/x', 'x'),
    }),
    { minLength: 1, maxLength: 10 },
  );

  it('W-37 a watch of a path tells exactly what happens at or under the resource, also after renames', async () => {
    await fc.assert(
      fc.asyncProperty(acts, async (script) => {
        const bench = openBench({ pages });
        const writer = bench.connect('Writer');
        const reader = bench.connect('Reader');
        const { cursor } = await look(bench, reader);
        const done: string[] = [];
        for (const { page, block, title } of script) {
          const item = pages[page]?.item ?? '';
          const ref = block === null ? `notes/${item}` : `notes/${item}/${block}`;
          const before = bench.events.last();
          if (block === null) await bench.act(writer, `${ref}#rename`, { title });
          else await bench.act(writer, `${ref}#toggle-checkbox`, { id: block });
          // A rename to the same title changes nothing.
          if (bench.events.after(before, 10).some(({ kind }) => kind === 'change')) done.push(ref);
        }
        const targets = [
          'notes',
          ...pages.flatMap(({ item }) => [`notes/${item}`, `notes/${item}/x`, `notes/${item}/x1`]),
        ];
        for (const target of targets) {
          const { events } = await look(bench, reader, cursor, target);
          const segments = target.split('/');
          const expected = done.filter((ref) => segments.every((segment, index) => ref.split('/')[index] === segment));
          expect(events).toHaveLength(expected.length);
          // Each path leads to the resource that changed, where the name that it was told by still stands.
          for (const [index, { path }] of events.entries())
            if (expected[index]?.split('/').length === 3)
              expect(String(path).split('/').at(-1)).toBe(expected[index]?.split('/')[2]);
        }
      }),
      { numRuns: 40 },
    );
  });

  it('W-37 a page that is renamed while it is watched stays watched, and its namesake is not', async () => {
    const bench = openBench({ pages });
    const writer = bench.connect('Writer');
    const reader = bench.connect('Reader');
    const { cursor } = await look(bench, reader);
    const held = bench.watch.watch(callerOf(reader), { cursor, path: 'notes/Todo' });
    await bench.act(writer, 'notes/Todo2#append-paragraph', { text: 'no' });
    await bench.act(writer, 'notes/0b#rename', { title: 'Todo' });
    await bench.act(writer, 'notes/0a/x1#toggle-checkbox', { id: 'x1' });
    const { events, cursor: next } = await held;
    expect(events).toMatchObject([{ kind: 'change', sentence: 'ticked "0a"' }]);
    await bench.act(writer, 'notes/0a/x#toggle-checkbox', { id: 'x' });
    expect((await look(bench, reader, next, 'notes/0a')).events).toHaveLength(1);
    expect((await look(bench, reader, cursor, 'notes/0a')).events).toHaveLength(2);
  });
});
