import { describe, expect, it } from 'vitest';
import { Activity } from '../../../schemas/wire/person.ts';
import { failureOf, garden, openBench } from './bench.ts';
import { openLabBench } from './lab.ts';

const move = { run: { id: 'plan-move', title: 'Plan the house move' } };

describe('the activity', () => {
  it('tells steps newest first, their changes oldest first, with what stays outside', async () => {
    const { bench } = openLabBench();
    const desk = bench.connect('Desk agent');
    await bench.act(desk, 'notes/Garden#unpin', {}, { meta: move });
    await bench.act(desk, 'notes/House move#unpin');
    await bench.act(desk, 'notes/Garden#share', { with: 'sam@example.org' }, { meta: move });
    await bench.act(desk, 'lab#add-item', { name: 'Flask' }, { meta: move });
    const told = Activity.parse(bench.history.activity('home'));
    expect(told).not.toHaveProperty('before');
    expect(told.steps).toMatchObject([
      {
        step: 1,
        app: 'lab',
        by: 'Mira',
        run: 'Plan the house move',
        undone: false,
        outside: [],
        changes: [{ sentence: 'added "Flask"' }],
      },
      { step: 1, app: 'notes', by: 'Mira', undone: false, outside: ['notes/Garden#share'], changes: [{}, {}] },
      {
        step: 2,
        app: 'notes',
        by: 'Desk agent',
        undone: false,
        outside: [],
        changes: [{ path: 'notes/House move', undone: false }],
      },
    ]);
    expect(told.steps[2]).not.toHaveProperty('run_id');
    await bench.act(desk, 'notes#undo', {}, { meta: move });
    const after = bench.history.activity('home').steps[1];
    // What reached outside stays in place; the step counts as taken back all the same.
    expect(after?.undone).toBe(true);
    expect(after?.changes.map(({ undone }) => undone)).toEqual([true, false]);
    expect(bench.history.activity('studio')).toEqual({ steps: [] });
  });

  it('comes in pages that together are the whole', async () => {
    const bench = openBench({ pages: garden });
    const desk = bench.connect('Desk agent');
    for (let count = 0; count < 60; count += 1)
      await bench.act(desk, `notes/Garden#${count % 2 === 0 ? 'unpin' : 'pin'}`);
    const first = bench.history.activity('home');
    expect(first.steps).toHaveLength(50);
    const second = bench.history.activity('home', first.before);
    expect(second).not.toHaveProperty('before');
    expect([...first.steps, ...second.steps].map(({ step }) => step)).toEqual(
      Array.from({ length: 60 }, (_, n) => 60 - n),
    );
  });
});

describe('the person', () => {
  it('takes back a step by one of its changes, whoever made it, and puts it back', async () => {
    const bench = openBench({ pages: garden });
    const desk = bench.connect('Desk agent');
    const before = bench.docs();
    await bench.act(desk, 'notes/Garden#unpin', {}, { meta: move });
    await bench.act(desk, 'notes/House move#rename', { title: 'Moving' }, { meta: move });
    const after = bench.docs();
    const ids = bench.history.activity('home').steps[0]?.changes.map(({ change }) => change) ?? [];
    const answer = await bench.history.byPerson('home', 'undo', { change: ids[0] ?? '' }, 'Mira');
    expect(answer).toEqual({
      done: [{ app: 'notes', undone: ids, resources: ['notes/Garden', 'notes/House move'] }],
      conflicts: [],
    });
    expect(bench.docs()).toEqual(before);
    const events = bench.events
      .after(0, 100)
      .filter(({ kind }) => kind === 'change')
      .slice(-2);
    expect(events.map(({ body }) => [body.change, body.by, body.run, body.undone])).toEqual(
      ids.map((id) => [id, 'Mira', 'Plan the house move', true]),
    );
    expect((await bench.history.byPerson('home', 'undo', { change: ids[1] ?? '' }, 'Mira')).conflicts).toMatchObject([
      { app: 'notes', code: 'nothing_to_undo' },
    ]);
    expect((await bench.history.byPerson('home', 'redo', { change: ids[1] ?? '' }, 'Mira')).done).toMatchObject([
      { app: 'notes', undone: ids },
    ]);
    expect(bench.docs()).toEqual(after);
    expect(bench.events.after(0, 100).at(-1)?.body).toMatchObject({ undone: false, by: 'Mira' });
    expect((await bench.history.byPerson('home', 'redo', { change: ids[1] ?? '' }, 'Mira')).conflicts).toMatchObject([
      { app: 'notes', code: 'nothing_to_redo' },
    ]);
  });

  it('cannot put back what its connection has gone on from', async () => {
    const bench = openBench({ pages: garden });
    const desk = bench.connect('Desk agent');
    const late = bench.connect('Desk agent');
    await bench.act(desk, 'notes/Garden#unpin');
    await bench.act(desk, 'notes/House move#unpin');
    const [change = ''] = bench.history.activity('home').steps[0]?.changes.map(({ change: id }) => id) ?? [];
    const redo = (): Promise<unknown> => bench.history.byPerson('home', 'redo', { change }, 'Mira');
    await bench.history.byPerson('home', 'undo', { change }, 'Mira');
    expect(bench.history.canRedo(desk.id, 'home', 'notes')).toBe(true);
    await redo();
    // Another session took it back: it may put it back as long as the first one rests.
    await bench.act(late, 'notes#undo', { change });
    expect(bench.history.canRedo(late.id, 'home', 'notes')).toBe(true);
    // Who goes on puts nothing back any more, which the first one still may.
    await bench.act(late, 'notes/Reading list#pin');
    expect(bench.history.canRedo(late.id, 'home', 'notes')).toBe(false);
    expect(bench.history.canRedo(desk.id, 'home', 'notes')).toBe(true);
    await bench.act(desk, 'notes#redo');
    await bench.act(late, 'notes#undo', { change });
    await bench.act(desk, 'notes/Garden#pin');
    expect(bench.history.canRedo(late.id, 'home', 'notes')).toBe(false);
    expect(await redo()).toMatchObject({ done: [], conflicts: [{ app: 'notes', code: 'nothing_to_redo' }] });
  });

  it("takes back every app's step of a run, each on its own: a conflict in one leaves that one", async () => {
    const { bench } = openLabBench();
    const desk = bench.connect('Desk agent');
    const night = bench.connect('Night agent');
    const lab = bench.docs('lab');
    await bench.act(desk, 'lab#count', { name: 'visits' }, { meta: move });
    await bench.act(desk, 'notes/Garden#rename', { title: 'Orchard' }, { meta: move });
    await bench.act(night, 'notes/Orchard#rename', { title: 'Wilderness' });
    const run_id = bench.history.activity('home').steps.find(({ app }) => app === 'lab')?.run_id ?? '';
    const answer = await bench.history.byPerson('home', 'undo', { run_id }, 'Mira');
    expect(answer.done).toMatchObject([{ app: 'lab', resources: ['lab'] }]);
    expect(answer.conflicts).toEqual([
      {
        app: 'notes',
        code: 'undo_conflict',
        message: expect.stringMatching(
          /^Night agent has since renamed to "Wilderness" \(c\w+\), so the step cannot be taken back\.$/,
        ),
      },
    ]);
    expect(bench.docs('lab')).toEqual(lab);
    expect(bench.docs().get('page/0a01')).toContain('Wilderness');
  });

  it('is told when there is nothing, and what reached outside', async () => {
    const bench = openBench({ pages: garden });
    const desk = bench.connect('Desk agent');
    for (const request of [{ change: 'c7' }, { change: 'hello' }, { run_id: 'mcp:0' }])
      expect(await bench.history.byPerson('home', 'undo', request, 'Mira')).toEqual({
        done: [],
        conflicts: [{ app: '', code: 'nothing_to_undo', message: 'Nothing is left here to take back.' }],
      });
    await bench.act(desk, 'notes/Garden#share', { with: 'sam@example.org' });
    const change = bench.history.activity('home').steps[0]?.changes[0]?.change ?? '';
    expect((await bench.history.byPerson('home', 'undo', { change }, 'Mira')).conflicts).toEqual([
      { app: 'notes', code: 'nothing_to_undo', message: 'What notes/Garden#share did reached outside and stays.' },
    ]);
    // In another workspace the change is not there.
    expect((await bench.history.byPerson('studio', 'undo', { change }, 'Mira')).done).toEqual([]);
  });
});

describe('an app with a mind of its own', () => {
  it('says what may be taken back although it changed since, and then that is put back the same way', async () => {
    const { bench } = openLabBench();
    const desk = bench.connect('Desk agent');
    const night = bench.connect('Night agent');
    const { result } = await bench.act(desk, 'lab#add-item', { name: 'Flask' });
    const { item } = result as { item: string };
    await bench.act(desk, `lab/${item}#note-loosely`, { text: 'mine' });
    await bench.act(night, `lab/${item}#note-loosely`, { text: 'theirs' });
    await bench.act(desk, 'lab#undo');
    expect(bench.docs('lab').has(`loose/${item}`)).toBe(false);
    await bench.act(desk, `lab/${item}#set`, { value: 3 });
    await bench.act(night, `lab/${item}#set`, { value: 4 });
    expect((await failureOf(bench.act(desk, 'lab#undo'))).code).toBe('undo_conflict');
  });

  it('points above what is gone, and not at what would take something away', async () => {
    const { bench } = openLabBench();
    const desk = bench.connect('Desk agent');
    const night = bench.connect('Night agent');
    const { result } = await bench.act(desk, 'lab#add-item', { name: 'Flask' });
    const { item } = result as { item: string };
    await bench.act(desk, `lab/${item}#set`, { value: 3 });
    await bench.act(night, `lab/${item}#drop`);
    const { next } = await failureOf(bench.act(desk, 'lab#undo'));
    expect(next).toEqual([['tilo_ls ', { path: 'lab' }, ' lists what is there now']]);
    await bench.act(desk, 'notes/Garden/a101#edit-block', { id: 'a101', text: 'x' });
    await bench.act(night, 'notes/Garden#remove-block', { id: 'a101' });
    const other = await failureOf(bench.act(desk, 'notes#undo'));
    expect(other.next).toEqual([['tilo_read ', { path: 'notes/Garden' }, ' shows it as it is']]);
  });

  it('tells of what was itself taken back since', async () => {
    const bench = openBench({ pages: garden });
    const desk = bench.connect('Desk agent');
    const night = bench.connect('Night agent');
    const rename = (who: typeof desk, title: string): Promise<unknown> =>
      bench.act(who, 'notes/0a01#rename', { title }, { meta: { step: 'x' } });
    await rename(desk, 'One');
    await rename(night, 'Two');
    // The step of the first grows over the second's change.
    await rename(desk, 'Three');
    await bench.act(desk, 'notes#undo');
    const failure = await failureOf(bench.act(night, 'notes#undo'));
    expect(failure.message.join('')).toMatch(
      /^What Desk agent did \(renamed to "Three", c\w+\) has since been taken back, so the step cannot be taken back\.$/,
    );
  });
});
