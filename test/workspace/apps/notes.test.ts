import { beforeEach, describe, expect, it } from 'vitest';
import { notes } from '../../../src/workspace/apps/notes/notes.ts';
import { notebookWrites } from '../../apps/notebook.ts';
import { AppFailure, type Bench, createBench } from './bench.ts';

let bench: Bench;

beforeEach(() => {
  bench = createBench(notes);
  bench.state.write(
    notebookWrites([
      {
        item: '0a01',
        title: 'Garden',
        pinned: true,
        blocks: [
          { item: 'a101', type: 'checkbox', text: 'Water the tomatoes', done: false },
          { item: 'a102', type: 'checkbox', text: 'Order seeds', done: true },
          { item: 'a103', type: 'paragraph', text: 'Compost is ready in May' },
        ],
      },
      { item: '0b02', title: 'Reading list', pinned: false, blocks: [] },
    ]),
  );
});

const blocks = async (page = '0a01'): Promise<string[]> => (await bench.list('blocks', page)).map(({ item }) => item);

const failure = async (run: Promise<unknown>): Promise<AppFailure> => {
  try {
    await run;
  } catch (error) {
    if (error instanceof AppFailure) return error;
    throw error;
  }
  throw new Error('it did not fail');
};

describe('a notebook', () => {
  it('reads as its pages, and a page as its blocks', async () => {
    expect(await bench.read()).toEqual({ pages: 2 });
    expect(await bench.list('notes')).toEqual([
      { item: '0a01', name: 'Garden' },
      { item: '0b02', name: 'Reading list' },
    ]);
    expect(JSON.stringify(await bench.read('0a01'))).toBe('{"title":"Garden","pinned":true}');
    expect(JSON.stringify(await bench.read('0a01', 'a102'))).toBe(
      '{"type":"checkbox","text":"Order seeds","done":true}',
    );
    expect(await bench.read('0a01', 'a103')).toEqual({
      type: 'paragraph',
      text: 'Compost is ready in May',
      done: null,
    });
  });

  it('tells a search each resource by its own text', async () => {
    const page = notes.kinds['notes.Page']?.find(await bench.at('0a01'));
    expect(page).toEqual({ label: 'Garden', content: 'Garden', action: null });
    expect(notes.kinds['notes.Block']?.find(await bench.at('0a01', 'a103'))).toEqual({
      label: 'Compost is ready in May',
      content: 'Compost is ready in May',
      action: null,
    });
    expect(notes.kinds.notes?.find(await bench.at())).toEqual({ label: 'Notes', content: '', action: null });
  });

  it('adds a page at its end, which the outcome names as made', async () => {
    const { outcome, writes } = await bench.run([], 'new-page', { title: 'Packing' });
    expect(outcome).toMatchObject({
      result: { page: '0001' },
      made: 'notes/0001',
      touches: [{ resource: 'notes/0001', sentence: 'added "Packing"' }],
    });
    expect(writes.map(({ key }) => key)).toEqual(['page/0001']);
    expect((await bench.list('notes')).at(-1)).toEqual({ item: '0001', name: 'Packing' });
    expect(await bench.read('0001')).toEqual({ title: 'Packing', pinned: false });
  });
});

describe('a page', () => {
  it.each([
    ['append-paragraph', { text: 'x' }, { type: 'paragraph', text: 'x', done: null }],
    ['append-checkbox', { text: 'x' }, { type: 'checkbox', text: 'x', done: false }],
    ['append-checkbox', { text: 'x', done: true }, { type: 'checkbox', text: 'x', done: true }],
    ['append-heading', { text: 'x' }, { type: 'heading', text: 'x', done: null }],
  ])('%s with %j adds a block at the end and writes its key alone', async (action, args, fields) => {
    const { outcome, writes } = await bench.run(['0a01'], action, args);
    expect(outcome.result).toEqual({ appended: '0001' });
    expect(outcome).not.toHaveProperty('made');
    expect(outcome.touches).toEqual([{ resource: 'notes/0a01', sentence: 'added "x"' }]);
    expect(writes.map(({ key }) => key)).toEqual(['block/0a01/0001']);
    expect(await blocks()).toEqual(['a101', 'a102', 'a103', '0001']);
    expect(await bench.read('0a01', '0001')).toEqual(fields);
  });

  it('adds a block behind another', async () => {
    await bench.run(['0a01'], 'append-paragraph', { text: 'x', after: 'a101' });
    await bench.run(['0a01'], 'append-checkbox', { text: 'y', after: 'a103' });
    expect(await blocks()).toEqual(['a101', '0001', 'a102', 'a103', '0002']);
  });

  it('is renamed', async () => {
    const { outcome } = await bench.run(['0a01'], 'rename', { title: 'Orchard' });
    expect(outcome).toMatchObject({ touches: [{ resource: 'notes/0a01', sentence: 'renamed to "Orchard"' }] });
    expect(outcome).not.toHaveProperty('result');
    expect((await bench.at('0a01')).label).toBe('Orchard');
  });

  it('is pinned and taken off the pins, each only when it can be', async () => {
    const off = await bench.run(['0a01'], 'unpin');
    expect(off.outcome.touches).toEqual([{ resource: 'notes/0a01', sentence: 'unpinned "Garden"' }]);
    expect(await bench.read('0a01')).toMatchObject({ pinned: false });
    const on = await bench.run(['0a01'], 'pin');
    expect(on.outcome.touches).toEqual([{ resource: 'notes/0a01', sentence: 'pinned "Garden"' }]);
    expect(await bench.read('0a01')).toMatchObject({ pinned: true });
  });

  it('says why it cannot be pinned or taken off the pins now, and what can be done', async () => {
    expect(await failure(bench.run(['0a01'], 'pin'))).toMatchObject({
      message: 'Garden is pinned already and offers no pin.',
      next: [['tilo_do ', { path: 'notes/0a01#unpin' }, ' takes it off the pins']],
    });
    expect(await failure(bench.run(['0b02'], 'unpin'))).toMatchObject({
      message: 'Reading list is not pinned and offers no unpin.',
      next: [['tilo_do ', { path: 'notes/0b02#pin' }, ' puts it among the pins']],
    });
  });

  it('moves a block behind another, and to the start', async () => {
    const { outcome, writes } = await bench.run(['0a01'], 'move-block', { id: 'a101', after: 'a102' });
    expect(outcome.touches).toEqual([{ resource: 'notes/0a01', sentence: 'moved "Water the tomatoes"' }]);
    expect(writes.map(({ key }) => key)).toEqual(['block/0a01/a101']);
    expect(await blocks()).toEqual(['a102', 'a101', 'a103']);
    await bench.run(['0a01'], 'move-block', { id: 'a103' });
    expect(await blocks()).toEqual(['a103', 'a102', 'a101']);
    await bench.run(['0a01'], 'move-block', { id: 'a103', after: 'a101' });
    expect(await blocks()).toEqual(['a102', 'a101', 'a103']);
  });

  it('changes nothing when a block is moved to where it is', async () => {
    for (const args of [{ id: 'a102', after: 'a101' }, { id: 'a101' }])
      expect((await bench.run(['0a01'], 'move-block', args)).outcome).toEqual({ ops: [], touches: [] });
  });

  it.each([
    ['toggle-checkbox', { id: 'a999' }],
    ['edit-block', { id: '../a101', text: 'x' }],
    ['remove-block', { id: '' }],
    ['move-block', { id: 'A101' }],
    ['move-block', { id: 'a101', after: 'a999' }],
    ['move-block', { id: 'a101', after: 'a101' }],
    ['append-paragraph', { text: 'x', after: 'a999' }],
    ['toggle-checkbox', { id: 'a103' }],
  ])('refuses %s with %j, says how to go on, and changes nothing', async (action, args) => {
    const before = bench.state.dump();
    const { code, next } = await failure(bench.run(['0a01'], action, args));
    expect(code).toBe('invalid_arguments');
    expect(next).toHaveLength(1);
    expect(bench.state.dump()).toBe(before);
  });

  it('does not reach blocks of other pages', async () => {
    await bench.run(['0b02'], 'append-paragraph', { text: 'x' });
    expect((await failure(bench.run(['0a01'], 'remove-block', { id: '0001' }))).code).toBe('invalid_arguments');
  });

  it('is shared as a copy of what stands on it, and history says with whom', async () => {
    const { outcome, writes } = await bench.run(['0a01'], 'share', { with: 'sam@example.org' });
    expect(outcome).toEqual({
      result: { link: 'notes-share-1' },
      touches: [{ resource: 'notes/0a01', sentence: 'shared with sam@example.org' }],
    });
    expect(writes).toEqual([]);
    expect(bench.published).toMatchObject([
      { page: 'Garden', with: 'sam@example.org', access: 'read', blocks: [{}, {}, { type: 'paragraph', done: null }] },
    ]);
  });

  it('is deleted with its blocks by operations that can be taken back', async () => {
    const before = bench.state.dump();
    const { outcome, inverse } = await bench.run(['0a01'], 'delete');
    expect(outcome.touches).toEqual([{ resource: 'notes/0a01', sentence: 'deleted "Garden"' }]);
    expect(outcome).not.toHaveProperty('result');
    expect(bench.state.list('block/0a01/')).toEqual([]);
    expect(await bench.list('notes')).toEqual([{ item: '0b02', name: 'Reading list' }]);
    bench.state.write(inverse);
    expect(bench.state.dump()).toBe(before);
  });

  it('declares of its actions what asking and restarting need to know', async () => {
    const flags = Object.fromEntries(
      (await bench.actions('0a01')).map((action) => [
        action.id,
        [
          action.kind,
          ...(action.destroys ? ['destroys'] : []),
          ...(action.kind === 'outside' && action.replaySafe ? ['replaySafe'] : []),
          ...(action.kind === 'outside' && action.operationsOnly ? ['operationsOnly'] : []),
        ].join(' '),
      ]),
    );
    expect(flags).toMatchObject({
      'remove-block': 'undoable destroys',
      'move-block': 'undoable',
      share: 'outside',
      delete: 'outside destroys replaySafe operationsOnly',
    });
  });
});

describe('a block', () => {
  it('is ticked and unticked at its own path and at its page', async () => {
    const ticked = await bench.run(['0a01', 'a101'], 'toggle-checkbox');
    expect(ticked.outcome.touches).toEqual([{ resource: 'notes/0a01/a101', sentence: 'ticked "Water the tomatoes"' }]);
    expect(ticked.outcome).not.toHaveProperty('result');
    expect(await bench.read('0a01', 'a101')).toMatchObject({ done: true });
    const unticked = await bench.run(['0a01'], 'toggle-checkbox', { id: 'a101' });
    expect(unticked.outcome.touches).toEqual([
      { resource: 'notes/0a01/a101', sentence: 'unticked "Water the tomatoes"' },
    ]);
    expect(unticked.writes.map(({ key }) => key)).toEqual(['block/0a01/a101']);
    expect(await bench.read('0a01', 'a101')).toMatchObject({ done: false });
  });

  it('that is no checkbox says so', async () => {
    expect(await failure(bench.run(['0a01', 'a103'], 'toggle-checkbox'))).toMatchObject({
      code: 'unknown_action',
      message: 'Compost is ready in May is a paragraph and offers no toggle-checkbox.',
    });
  });

  it('is edited; history tells the new text', async () => {
    const { outcome } = await bench.run(['0a01', 'a103'], 'edit-block', { text: 'Compost is ready' });
    expect(outcome.touches).toEqual([{ resource: 'notes/0a01/a103', sentence: 'edited "Compost is ready"' }]);
    expect((await bench.at('0a01', 'a103')).label).toBe('Compost is ready');
    expect(await blocks()).toEqual(['a101', 'a102', 'a103']);
  });

  it('is removed; history tells it of the page', async () => {
    const { outcome } = await bench.run(['0a01', 'a102'], 'remove-block');
    expect(outcome.touches).toEqual([{ resource: 'notes/0a01', sentence: 'removed "Order seeds"' }]);
    expect(await blocks()).toEqual(['a101', 'a103']);
    await expect(bench.at('0a01', 'a102')).rejects.toThrow();
  });

  it('refuses another key than its own', async () => {
    await expect(bench.run(['0a01', 'a101'], 'toggle-checkbox', { id: 'a102' })).rejects.toThrow(
      'toggle-checkbox takes id only as a101, the item it is called at.',
    );
  });
});

describe('texts', () => {
  const most = 64 * 1024;

  it.each([
    ['append-paragraph', ['0a01'], 'text', most],
    ['append-checkbox', ['0a01'], 'text', most],
    ['append-heading', ['0a01'], 'text', most],
    ['edit-block', ['0a01', 'a101'], 'text', most],
    ['rename', ['0a01'], 'title', 512],
    ['new-page', [], 'title', 512],
  ])('of %s end at a limit of bytes', async (action, items, name, limit) => {
    await bench.run(items, action, { [name]: 'x'.repeat(limit) });
    const before = bench.state.dump();
    const { code, next } = await failure(bench.run(items, action, { [name]: `${'x'.repeat(limit - 1)}ä` }));
    expect(code).toBe('limit_exceeded');
    expect(next).toEqual([
      ['tilo_do ', { path: `${['notes', ...items].join('/')}#${action}` }, ` takes a shorter ${name}`],
    ]);
    expect(bench.state.dump()).toBe(before);
  });

  it('are names as far as a path could hold them, and sentences of one short line', async () => {
    const text = `First line\nsecond ${'ä'.repeat(2000)}`;
    const { outcome } = await bench.run(['0b02'], 'append-paragraph', { text });
    const sentence = outcome.touches?.[0]?.sentence ?? '';
    expect(sentence).toMatch(/^added "First line second ä+…"$/u);
    expect(sentence.length).toBeLessThan(210);
    const [row] = await bench.list('blocks', '0b02');
    expect(Buffer.byteLength(row?.name ?? '')).toBeLessThanOrEqual(512);
    expect(row?.name).toMatch(/^First line\nsecond ä+…$/u);
    expect(await bench.read('0b02', '0001')).toMatchObject({ text });
  });

  it('may be empty, or equal to others', async () => {
    await bench.run(['0b02'], 'append-paragraph', { text: '' });
    await bench.run(['0b02'], 'append-paragraph', { text: '' });
    await bench.run([], 'new-page', { title: 'Garden' });
    expect((await bench.list('blocks', '0b02')).map(({ name }) => name)).toEqual(['', '']);
    expect((await bench.list('notes')).map(({ name }) => name)).toEqual(['Garden', 'Reading list', 'Garden']);
  });
});
