import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Failure, spoken } from '../../../src/workspace/failure.ts';
import type { Prepared } from '../../../src/workspace/history/history.ts';
import { type Bench, failureOf, garden, openBench } from './bench.ts';

const conformance = (name: string): { response: { result: { structuredContent: Record<string, unknown> } } } =>
  JSON.parse(readFileSync(new URL(`../../conformance/wire/${name}.json`, import.meta.url), 'utf8'));

const move = { run: { id: 'plan-move', title: 'Plan the house move' } };

const told = ({ code, message, next }: Failure): object => ({
  code,
  message: spoken(message, null).replace(/\bc[0-9a-z]+(?=[),])/g, 'cN'),
  ...(next.length > 0 && { next_steps: next.map((step) => spoken(step, null)) }),
});

/** Everything that history keeps of changes, to see that nothing of it moved. */
const kept = ({ store }: Bench): unknown => store.db.prepare('SELECT * FROM changes ORDER BY seq').all();

const undoneOf = ({ result }: Prepared): unknown => result;

describe('undo', () => {
  it('takes a whole run back in one app, as the wire shows it', async () => {
    const bench = openBench({ pages: garden });
    const desk = bench.connect('Desk agent');
    const before = bench.docs();
    await bench.act(desk, 'notes/Garden/Water the tomatoes#toggle-checkbox', { id: 'a101' }, { meta: move });
    await bench.act(desk, 'notes/House move#append-checkbox', { text: 'Change address' }, { meta: move });
    await bench.act(desk, 'notes/House move#rename', { title: 'Moving' }, { meta: move });
    const { result, resources } = await bench.act(desk, 'notes/Garden#undo', { steps: 1 });
    const shown = conformance('tilo_do.undo').response.result.structuredContent;
    expect(resources).toEqual(shown.resources);
    expect(result).toEqual({
      steps: 1,
      undone: [expect.stringMatching(/^c/), expect.stringMatching(/^c/), expect.stringMatching(/^c/)],
    });
    expect(bench.docs()).toEqual(before);
  });

  it('names who stands in the way, with what, and the ways out, as the wire shows it', async () => {
    const bench = openBench({ pages: garden });
    const desk = bench.connect('Desk agent');
    const night = bench.connect('Night agent');
    const { result } = await bench.act(desk, 'notes/Garden#append-paragraph', { text: 'Net the berries' });
    const appended = (result as { appended: string }).appended;
    await bench.act(night, `notes/Garden/${appended}#edit-block`, { id: appended, text: 'Net all berries' });
    const failure = await failureOf(bench.act(desk, 'notes/Garden#undo', { steps: 1 }));
    const shown = JSON.stringify(conformance('tilo_do.undo-conflict').response.result.structuredContent.error)
      .replaceAll('a104', appended)
      .replace('c1m3', 'cN');
    expect(told(failure)).toEqual(JSON.parse(shown));
  });

  it('takes back nothing of several steps when one of them cannot be', async () => {
    const bench = openBench({ pages: garden });
    const desk = bench.connect('Desk agent');
    const night = bench.connect('Night agent');
    await bench.act(desk, 'notes/Garden/a103#edit-block', { id: 'a103', text: 'Compost is late' });
    await bench.act(desk, 'notes/House move#rename', { title: 'Moving' });
    await bench.act(night, 'notes/Garden/a103#edit-block', { id: 'a103', text: 'Compost is early' });
    const [docs, changes] = [bench.docs(), kept(bench)];
    expect((await failureOf(bench.act(desk, 'notes#undo', { steps: 2 }))).code).toBe('undo_conflict');
    expect([bench.docs(), kept(bench)]).toEqual([docs, changes]);
    const { result } = await bench.act(desk, 'notes#undo', { steps: 1 });
    expect(result).toMatchObject({ steps: 1 });
    expect(bench.docs().get('page/0c03')).toContain('House move');
  });

  it('goes by the latest change of a step, newest first, and takes several back that wrote one key', async () => {
    const bench = openBench({ pages: garden });
    const desk = bench.connect('Desk agent');
    const edit = (text: string, meta = {}): Promise<Prepared> =>
      bench.act(desk, 'notes/Garden/a103#edit-block', { id: 'a103', text }, { meta });
    const before = bench.docs();
    await edit('one', move);
    const between = bench.docs();
    await edit('two');
    await edit('three');
    expect(undoneOf(await bench.act(desk, 'notes#undo', { steps: 2 }))).toMatchObject({ steps: 2 });
    expect(bench.docs()).toEqual(between);
    await edit('four', move);
    expect(undoneOf(await bench.act(desk, 'notes#undo', {}))).toMatchObject({ steps: 1 });
    expect(bench.docs()).toEqual(before);
  });

  it('in a call that names a run, takes back that run alone', async () => {
    const bench = openBench({ pages: garden });
    const desk = bench.connect('Desk agent');
    await bench.act(desk, 'notes/House move#rename', { title: 'Moving' }, { meta: move });
    await bench.act(desk, 'notes/Garden#rename', { title: 'Orchard' });
    const { result, resources } = await bench.act(desk, 'notes#undo', { steps: 9 }, { meta: { step: 'plan-move' } });
    expect(result).toMatchObject({ steps: 1 });
    expect(resources).toEqual(['notes/House move']);
    expect(bench.docs().get('page/0a01')).toContain('Orchard');
    const none = await failureOf(bench.act(desk, 'notes#undo', {}, { meta: move }));
    expect(none.code).toBe('nothing_to_undo');
  });

  it('takes back the step that holds a change, of another session of the token too, and of no other token', async () => {
    const bench = openBench({ pages: garden });
    const early = bench.connect('Desk agent');
    const late = bench.connect('Desk agent');
    const stranger = bench.connect('Night agent', { token: 'Night' });
    const before = bench.docs();
    await bench.act(early, 'notes/House move#rename', { title: 'Moving' });
    const after = bench.docs();
    const change = bench.history.activity('home').steps[0]?.changes[0]?.change ?? '';
    expect((await failureOf(bench.act(stranger, 'notes#undo', { change }))).code).toBe('invalid_arguments');
    expect((await failureOf(bench.act(late, 'notes#undo', {}))).code).toBe('nothing_to_undo');
    expect((await bench.act(late, 'notes#undo', { change })).result).toEqual({ steps: 1, undone: [change] });
    expect(bench.docs()).toEqual(before);
    expect((await failureOf(bench.act(late, 'notes#undo', { change }))).code).toBe('nothing_to_undo');
    // Who took it back may put it back.
    expect((await bench.act(late, 'notes#redo', {})).result).toEqual({ steps: 1, redone: [change] });
    expect(bench.docs()).toEqual(after);
  });

  it.each([
    [{ steps: 1, change: 'c1' }, 'undo takes steps or change, not both.'],
    [{ steps: 0 }, 'undo takes as steps a whole number from 1 to 100.'],
    [{ steps: 101 }, 'undo takes as steps a whole number from 1 to 100.'],
    [{ steps: '1' }, 'undo takes as steps a whole number from 1 to 100.'],
    [{ change: 7 }, 'undo takes the id of a change as change, a text.'],
    [{ step: 1, deep: true }, 'undo has no parameter step, deep.'],
    [{ change: 'nonsense' }, 'nonsense is no change that you made in Notes.'],
  ])('refuses %j', async (args, message) => {
    const bench = openBench({ pages: garden });
    const desk = bench.connect('Desk agent');
    const failure = await failureOf(bench.act(desk, 'notes/Garden#undo', args));
    expect(failure.code).toBe('invalid_arguments');
    expect(spoken(failure.message, null)).toBe(message);
    expect(failure.next).toHaveLength(1);
  });

  it('leaves what reached outside, and says so', async () => {
    const bench = openBench({ pages: garden });
    const desk = bench.connect('Desk agent');
    const account = bench.connect('Desk agent', { endpoint: null });
    await bench.act(desk, 'notes/Garden#share', { with: 'sam@example.org' });
    const only = await failureOf(bench.act(desk, 'notes#undo', {}));
    expect(only.code).toBe('nothing_to_undo');
    expect(spoken(only.message, 'home')).toBe(
      'What home/notes/Garden#share did reached outside and cannot be taken back.',
    );
    const mixed = async (connection = desk, prefix = ''): Promise<unknown> => {
      await bench.act(connection, `${prefix}notes/Garden#share`, { with: 'sam@example.org' }, { meta: move });
      await bench.act(connection, `${prefix}notes/Garden#rename`, { title: 'Orchard' }, { meta: move });
      return (await bench.act(connection, `${prefix}notes#undo`, {}, { meta: move })).result;
    };
    expect(await mixed()).toMatchObject({ steps: 1, not_undone: ['notes/Garden#share'] });
    expect(await mixed(account, 'home/')).toMatchObject({ steps: 1, not_undone: ['home/notes/Garden#share'] });
    expect((await failureOf(bench.act(desk, 'notes#undo', {}, { meta: move }))).code).toBe('nothing_to_undo');
  });

  it('takes back the delete of a page, which only asked', async () => {
    const bench = openBench({ pages: garden });
    const desk = bench.connect('Desk agent');
    const before = bench.docs();
    const { resources } = await bench.act(desk, 'notes/Garden#delete');
    expect(resources).toContain('notes/Garden');
    expect([...bench.docs().keys()].filter((key) => key.includes('0a01'))).toEqual([]);
    expect((await bench.act(desk, 'notes#undo')).result).not.toHaveProperty('not_undone');
    expect(bench.docs()).toEqual(before);
  });
});

describe('redo', () => {
  it('puts back what was taken back last, until its connection changes something there', async () => {
    const bench = openBench({ pages: garden });
    const desk = bench.connect('Desk agent');
    const night = bench.connect('Night agent');
    const can = (): boolean => bench.history.canRedo(desk.id, 'home', 'notes');
    await bench.act(desk, 'notes/Garden#rename', { title: 'Orchard' });
    const one = bench.docs();
    await bench.act(desk, 'notes/House move#rename', { title: 'Moving' });
    const two = bench.docs();
    expect(can()).toBe(false);
    await bench.act(desk, 'notes#undo', { steps: 2 });
    expect(can()).toBe(true);
    await bench.act(night, 'notes/Reading list#rename', { title: 'Books' });
    await bench.act(night, 'notes#undo');
    expect(can()).toBe(true);
    const { resources } = await bench.act(desk, 'notes#redo', {});
    expect(resources).toEqual(['notes/Orchard']);
    expect(bench.docs()).toEqual(one);
    await bench.act(desk, 'notes#redo', { steps: 5 });
    expect(bench.docs()).toEqual(two);
    expect(can()).toBe(false);
    expect((await failureOf(bench.act(desk, 'notes#redo'))).code).toBe('nothing_to_redo');

    await bench.act(desk, 'notes#undo');
    expect(can()).toBe(true);
    await bench.act(desk, 'notes/Reading list#pin');
    expect(can()).toBe(false);
    expect((await failureOf(bench.act(desk, 'notes#redo'))).code).toBe('nothing_to_redo');
    await bench.act(desk, 'notes#undo');
    expect(undoneOf(await bench.act(desk, 'notes#redo', { steps: 9 }))).toMatchObject({ steps: 1 });
  });

  it('is refused where somebody changed the same thing meanwhile', async () => {
    const bench = openBench({ pages: garden });
    const desk = bench.connect('Desk agent');
    const night = bench.connect('Night agent');
    await bench.act(desk, 'notes/Garden#rename', { title: 'Orchard' });
    await bench.act(desk, 'notes#undo');
    await bench.act(night, 'notes/Garden#rename', { title: 'Wilderness' });
    expect(told(await failureOf(bench.act(desk, 'notes#redo')))).toEqual({
      code: 'undo_conflict',
      message: 'Night agent has since renamed to "Wilderness" (cN), so the step cannot be put back.',
      next_steps: [
        'tilo_do notes/Wilderness#rename changes it by hand',
        'tilo_read notes/Wilderness shows it as it is',
      ],
    });
  });

  it('W-42 sessions of one token with an equal run.id have two steps', async () => {
    const bench = openBench({ pages: garden });
    const desk = bench.connect('Desk agent');
    const night = bench.connect('Night agent');
    await bench.act(desk, 'notes/Garden#rename', { title: 'Orchard' }, { meta: move });
    await bench.act(night, 'notes/House move#rename', { title: 'Moving' }, { meta: move });
    const { steps } = bench.history.activity('home');
    expect(steps.map(({ run, changes }) => [run, changes.length])).toEqual([
      [move.run.title, 1],
      [move.run.title, 1],
    ]);
    expect(new Set(steps.map(({ run_id }) => run_id)).size).toBe(2);
    await bench.act(desk, 'notes#undo', {}, { meta: move });
    expect(bench.docs().get('page/0a01')).toContain('Garden');
    expect(bench.docs().get('page/0c03')).toContain('Moving');
    expect((await failureOf(bench.act(desk, 'notes#undo', {}, { meta: move }))).code).toBe('nothing_to_undo');
  });
});
