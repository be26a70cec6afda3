import { describe, expect, it } from 'vitest';
import type { Outcome } from '../../../src/workspace/apps/app.ts';
import type { Connection } from '../../../src/workspace/caller.ts';
import type { Prepared } from '../../../src/workspace/history/history.ts';
import { authorOf, type Bench, callerOf, garden, openBench } from './bench.ts';
import { openLabBench } from './lab.ts';

const move = { run: { id: 'plan-move', title: 'Plan the house move' } };

const page = { title: 'New', pinned: false, order: 'y' };

/** Records an outcome as that of an action; gives what was prepared. */
const record = async (
  bench: Bench,
  connection: Connection,
  path: string,
  outcome: Outcome,
  options: Readonly<{ effect?: boolean; counter?: number | null; commit?: boolean }> = {},
): Promise<Prepared> => {
  const at = await bench.world.locateAction(callerOf(connection), path);
  const prepared = await bench.history.prepareChange(at, outcome, authorOf(connection, 'i1'), {
    effect: options.effect ?? false,
    counter: options.counter ?? null,
  });
  if (options.commit !== false) bench.store.transaction(() => prepared.commit(5));
  return prepared;
};

const rows = ({ store }: Bench, table: string): Record<string, unknown>[] =>
  store.db.prepare<[], Record<string, unknown>>(`SELECT * FROM ${table} ORDER BY rowid`).all();
const ops = ({ store }: Bench): Record<string, unknown>[] =>
  store.db.prepare<[], Record<string, unknown>>('SELECT * FROM ops ORDER BY change, ordinal').all();

describe('a change', () => {
  it('notes what stood before and stands after, and stores nothing before it is committed', async () => {
    const bench = openBench({ pages: garden });
    const desk = bench.connect('Desk agent');
    const before = bench.docs();
    const outcome: Outcome = {
      ops: [
        { key: 'page/0a01', value: { title: 'Orchard', pinned: true, order: 'x' } },
        { key: 'block/0a01/a103', value: null },
        { key: 'page/new', value: page },
      ],
      result: { made: 'it' },
    };
    const prepared = await record(bench, desk, 'notes/Garden#rename', outcome, { commit: false });
    expect([bench.docs(), rows(bench, 'changes'), rows(bench, 'steps'), bench.events.last()]).toEqual([
      before,
      [],
      [],
      0,
    ]);
    bench.store.transaction(() => prepared.commit(5));
    expect(prepared.result).toEqual({ made: 'it' });
    expect(ops(bench).map(({ key, before: was, after }) => [key, was, after])).toEqual([
      ['page/0a01', before.get('page/0a01'), bench.docs().get('page/0a01')],
      ['block/0a01/a103', before.get('block/0a01/a103'), null],
      ['page/new', null, bench.docs().get('page/new')],
    ]);
    expect(bench.docs().has('block/0a01/a103')).toBe(false);
  });

  it('leaves out writes that change nothing, and is none when nothing is left', async () => {
    const bench = openBench({ pages: garden });
    const desk = bench.connect('Desk agent');
    const same = JSON.parse(bench.docs().get('page/0a01') ?? '');
    const writes = [
      { key: 'page/0a01', value: { order: same.order, title: same.title, pinned: same.pinned } },
      { key: 'page/gone', value: null },
    ];
    const version = bench.store.stateVersion('home', 'notes');
    const { resources } = await record(bench, desk, 'notes/Garden#rename', { ops: writes }, { counter: 77 });
    expect(resources).toEqual(['notes/Garden']);
    expect([rows(bench, 'changes'), bench.events.last(), bench.store.stateVersion('home', 'notes')]).toEqual([
      [],
      0,
      version,
    ]);
    // The numbers of items are used up all the same.
    expect(bench.store.counter('home', 'notes')).toBe(77);
    await record(bench, desk, 'notes/Garden#rename', { ops: [...writes, { key: 'page/b', value: page }] });
    expect(ops(bench).map(({ key }) => key)).toEqual(['page/b']);
  });

  it('is one for each resource that was touched; the operations stand at the first', async () => {
    const bench = openBench({ pages: garden });
    const desk = bench.connect('Desk agent');
    const { resources } = await record(bench, desk, 'notes/Garden#rename', {
      ops: [
        { key: 'block/0a01/a103', value: { type: 'paragraph', text: 'x', done: null, order: 'z' } },
        { key: 'page/0c03', value: null },
      ],
      touches: [
        { resource: 'notes/0a01/a103', sentence: 'edited "x"' },
        { resource: 'notes/0c03', sentence: 'removed it' },
        { resource: 'notes/0a01/a103', sentence: 'moved it' },
      ],
    });
    // What is gone is told by the path it had; what has lists by its name, anything else by its key.
    expect(resources).toEqual(['notes/Garden/a103', 'notes/House move']);
    const changes = rows(bench, 'changes');
    expect(changes.map(({ ref, path, sentence }) => [ref, path, sentence])).toEqual([
      ['notes/0a01/a103', 'notes/Garden/a103', 'edited "x"; moved it'],
      ['notes/0c03', 'notes/House move', 'removed it'],
    ]);
    expect(new Set(ops(bench).map(({ change }) => change))).toEqual(new Set([changes[0]?.seq]));
    expect(bench.events.after(0, 10).map(({ seq, ref, kind }) => [seq, ref, kind])).toEqual(
      changes.map(({ seq, ref }) => [seq, ref, 'change']),
    );
  });

  it('tells paths as they are after it', async () => {
    const bench = openBench({ pages: garden });
    const desk = bench.connect('Desk agent');
    expect((await bench.act(desk, 'notes/Garden#rename', { title: 'Orchard' })).resources).toEqual(['notes/Orchard']);
    const { result, resources } = await bench.act(desk, 'notes#new-page', { title: 'Packing' });
    expect(resources).toEqual(['notes/Packing']);
    // A second page of that name: both are told by their keys from then on.
    const twin = await bench.act(desk, 'notes#new-page', { title: 'Packing' });
    expect(twin.resources).toEqual([`notes/${(twin.result as { page: string }).page}`]);
    expect(
      bench.events
        .after(0, 100)
        .filter(({ kind }) => kind === 'change')
        .map(({ body }) => body.path),
    ).toEqual(['notes/Orchard', 'notes/Packing', ...twin.resources]);
    expect(result).toHaveProperty('page');
  });

  it('is also what reached outside without operations; a read is none', async () => {
    const bench = openBench({ pages: garden });
    const desk = bench.connect('Desk agent');
    await record(bench, desk, 'notes/Garden#share', { result: { link: 'x' } }, { effect: true });
    expect(rows(bench, 'changes')).toMatchObject([
      {
        sentence: 'Share',
        effect: 1,
        action: 'share',
        action_path: 'notes/Garden#share',
        invocation: 'i1',
        time_ms: 5,
      },
    ]);
    const { bench: lab } = openLabBench();
    const clerk = lab.connect('Clerk');
    expect((await lab.act(clerk, 'lab#everything', { text: 'x' })).resources).toEqual([]);
    expect(rows(lab, 'changes')).toEqual([]);
  });

  it('of an effect with operations is taken back as far as they go', async () => {
    const bench = openBench({ pages: garden });
    const desk = bench.connect('Desk agent');
    const before = bench.docs();
    const touches = [
      { resource: 'notes/0a01', sentence: 'shared it' },
      { resource: 'notes/0b02', sentence: 'noted it' },
    ];
    await record(
      bench,
      desk,
      'notes/Garden#share',
      { ops: [{ key: 'page/b', value: page }], touches },
      { effect: true },
    );
    const { result } = await bench.act(desk, 'notes#undo');
    expect(result).toMatchObject({ steps: 1, not_undone: ['notes/Garden#share'] });
    expect((result as { undone: string[] }).undone).toHaveLength(2);
    expect(bench.docs()).toEqual(before);
    expect(rows(bench, 'changes').every(({ undone }) => Number(undone) > 0)).toBe(true);
  });

  it('belongs to one step with all of its run, numbered per connection and named by the last title', async () => {
    const bench = openBench({ pages: garden });
    const desk = bench.connect('Desk agent');
    const night = bench.connect('Night agent');
    await bench.act(desk, 'notes/Garden#unpin', {}, { meta: move });
    await bench.act(night, 'notes/Garden#pin');
    await bench.act(desk, 'notes/Garden#unpin', {}, { invocation: 'alone' });
    await bench.act(desk, 'notes/Garden#pin', {}, { meta: { run: { id: 'plan-move', title: 'Move house' } } });
    await bench.act(desk, 'notes/Garden#unpin', {}, { meta: { step: 'plan-move' } });
    expect(
      rows(bench, 'steps').map(({ connection, number, key, run_title }) => [connection, number, key, run_title]),
    ).toEqual([
      [desk.id, 1, expect.stringMatching(/^mcp:[0-9a-f]{16}$/), 'Move house'],
      [night.id, 1, expect.any(String), null],
      [desk.id, 2, 'alone', null],
    ]);
    // A number that was given is not given again.
    await bench.act(desk, 'notes#undo');
    await bench.act(desk, 'notes/Garden#rename', { title: 'x' });
    expect(rows(bench, 'steps').at(-1)).toMatchObject({ number: 3 });
  });

  it('tells what changed last for the search, and goes with the transaction that it was committed in', async () => {
    const bench = openBench({ pages: garden });
    const desk = bench.connect('Desk agent');
    await bench.act(desk, 'notes/Garden#unpin');
    await bench.act(desk, 'notes/House move#unpin');
    await bench.act(desk, 'notes/Garden#pin');
    const last = bench.history.lastChanges('home', 'notes');
    expect([...last.keys()].sort()).toEqual(['notes/0a01', 'notes/0c03']);
    expect(last.get('notes/0a01')).toBeGreaterThan(last.get('notes/0c03') ?? Number.NaN);
    expect(bench.history.lastChanges('studio', 'notes').size).toBe(0);

    const before = [bench.docs(), rows(bench, 'changes'), rows(bench, 'steps'), rows(bench, 'events')];
    const prepared = await record(
      bench,
      desk,
      'notes/Garden#rename',
      { ops: [{ key: 'page/x', value: page }] },
      { commit: false },
    );
    expect(() =>
      bench.store.transaction(() => {
        prepared.commit(9);
        throw new Error('back');
      }),
    ).toThrow('back');
    expect([bench.docs(), rows(bench, 'changes'), rows(bench, 'steps'), rows(bench, 'events')]).toEqual(before);
  });
});
