import { beforeEach, describe, expect, it } from 'vitest';
import { createLab, type Lab } from '../../apps/lab.ts';
import { AppFailure, type Bench, createBench } from './bench.ts';
import { scratch } from './scratch.ts';

let directory: string;
let lab: Lab;
let bench: Bench;

beforeEach(() => {
  directory = scratch();
  lab = createLab(directory);
  bench = createBench(lab.lab);
});

const appOf = (id: string): Lab['lab'] => {
  const app = lab.apps.find((known) => known.id === id);
  if (!app) throw new Error(`no app ${id}`);
  return app;
};

describe('the lab', () => {
  it('has apps in each state', () => {
    expect(lab.apps.map(({ id, state }) => `${id} ${state}`)).toEqual([
      'lab running',
      'echo service',
      'attic installed',
      'brittle running',
      'weather running',
    ]);
    expect(() => appOf('brittle').start?.()).toThrow();
  });

  it('waits until the test opens the gate, which another process could do', async () => {
    let ended = false;
    const waiting = bench.run([], 'wait-stubbornly', { gate: 'one' }).then(({ outcome }) => {
      ended = true;
      return outcome;
    });
    await lab.gates.reached('one');
    expect(ended).toBe(false);
    createLab(directory).gates.open('one');
    expect(await waiting).toEqual({ result: { passed: 'one' } });
  });

  it('stops waiting when it is aborted', async () => {
    const stop = new AbortController();
    const waiting = lab.gates.pass('two', stop.signal);
    await lab.gates.reached('two');
    stop.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
  });

  it('counts effects where they outlive it, the keyed ones once a key', async () => {
    await bench.run([], 'send', { note: 'a' });
    await bench.run([], 'send', { note: 'a' });
    await bench.run([], 'send-once', { note: 'b' });
    await bench.run([], 'send-once', { note: 'b' });
    const { far } = createLab(directory);
    expect(far.arrived('keyless')).toEqual(['a', 'a']);
    expect(far.arrived('keyed')).toEqual(['b']);
    expect(far.attempts()).toBe(2);
  });

  it('sends before or after it waits', async () => {
    const later = bench.run([], 'send', { note: 'later', gate: 'three', hold: 'before' });
    const sooner = bench.run([], 'send', { note: 'sooner', gate: 'four', hold: 'after' });
    await Promise.all([lab.gates.reached('three'), lab.gates.reached('four')]);
    expect(lab.far.arrived('keyless')).toEqual(['sooner']);
    lab.gates.open('three');
    lab.gates.open('four');
    await Promise.all([later, sooner]);
    expect(lab.far.arrived('keyless')).toEqual(['sooner', 'later']);
  });

  it('makes its operations after an effect from the state of then', async () => {
    await bench.run([], 'send-and-count', { note: 'a' });
    await bench.run([], 'send-and-count', { note: 'b' });
    expect(bench.state.get('count/sent')).toBe(2);
  });

  it('keeps of a secret its digest only', async () => {
    const { outcome } = await bench.run([], 'sign-in', { user: 'mira', password: 'hunter2' });
    await bench.run([], 'open-vault', { code: 'hunter2' });
    expect(lab.far.secrets()).toHaveLength(2);
    expect(new Set(lab.far.secrets()).size).toBe(1);
    expect(JSON.stringify([outcome, bench.state.dump(), lab.far.secrets()])).not.toContain('hunter2');
  });

  it('takes values of every type and gives them back without the secret', async () => {
    const args = {
      text: 'a',
      integer: 2,
      number: 0.5,
      boolean: true,
      object: { size: 1 },
      array: ['a'],
      resource: 'lab',
      datetime: '2026-03-02T09:14:05Z',
    };
    const { outcome } = await bench.run([], 'everything', { ...args, secret: 'hunter2' });
    expect(outcome.result).toEqual({ ...args, secret: 'kept' });
  });

  it('throws, and fails with a code of its own', async () => {
    await expect(bench.run([], 'throw')).rejects.toThrow('the lab is on fire');
    await expect(bench.run([], 'throw-outside')).rejects.toThrow('glass');
    await expect(bench.run([], 'fail')).rejects.toThrow(AppFailure);
  });

  it('has items that are made, changed and dropped', async () => {
    const { outcome } = await bench.run([], 'add-item', { name: 'a/b #1' });
    const item = outcome.made?.split('/')[1] ?? '';
    await bench.run([item], 'set', { value: 7 });
    await bench.run([item], 'rename', { name: '50 %' });
    await bench.run([item], 'note-loosely', { text: 'x' });
    expect(await bench.read(item)).toEqual({ name: '50 %', value: 7, loose: 'x' });
    await bench.run([item], 'drop');
    expect(await bench.list('items')).toEqual([]);
    expect(lab.lab.mayUndo?.({ key: `loose/${item}`, before: null, after: 'x' }, 'y')).toBe(true);
    expect(lab.lab.mayUndo?.({ key: `item/${item}`, before: null, after: 'x' }, 'y')).toBe(false);
  });

  it('holds more children than one read gives, over two lists', async () => {
    const shelf = await bench.at('book-shelf');
    const kind = lab.lab.kinds['lab.Shelf'];
    const first = await kind?.read(shelf, { children: 200 });
    const rest = await kind?.read(shelf, { children: 200, cursor: first?.cursor ?? '' });
    expect([first?.children.books?.length, first?.children.papers?.length]).toEqual([200, 0]);
    expect([rest?.children.books?.length, rest?.children.papers?.length]).toEqual([50, 30]);
    expect(rest?.cursor).toBeUndefined();
  });

  it('pages a long text with a cursor of its own, and holds one that is too long to read', async () => {
    const kind = lab.lab.kinds['lab.Text'];
    const long = await bench.at('long-text');
    let text = '';
    let cursor: string | undefined;
    do {
      const part = await kind?.read(long, { children: 200, ...(cursor !== undefined && { cursor }) });
      text += String(part?.fields.text);
      cursor = part?.cursor;
    } while (cursor !== undefined);
    expect(text).toBe('All work and no play. '.repeat(160));
    expect(String((await bench.read('huge-text')).text).length).toBeGreaterThan(1024 * 1024);
  });

  it('tells of changes that were made elsewhere, each once', async () => {
    const weather = createBench(appOf('weather'));
    const { poll } = appOf('weather');
    lab.setReading('wind', 3, 'Station');
    expect(await poll?.(await weather.at())).toEqual([]);
    lab.setReading('wind', 5, 'Station');
    expect(await poll?.(await weather.at())).toEqual([{ resource: 'weather/wind', sentence: 'read 5', by: 'Station' }]);
    expect(await poll?.(await weather.at())).toEqual([]);
    expect(await weather.read('wind')).toEqual({ value: 5 });
  });
});
