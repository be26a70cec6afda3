import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Action, App, Kind, Outcome, Params } from '../../../src/workspace/apps/app.ts';
import {
  AppError,
  action,
  checkOutcome,
  defineApp,
  kind,
  p,
  put,
  remove,
} from '../../../src/workspace/apps/defineApp.ts';
import { notes } from '../../../src/workspace/apps/notes/notes.ts';
import { createLab } from '../../apps/lab.ts';
import { createBench } from './bench.ts';
import { scratch } from './scratch.ts';

const leaf = (rest: Partial<Kind> = {}): Kind => ({
  ...kind({
    fields: z.object({}),
    lists: {},
    noun: 'thing',
    nouns: 'things',
    children: () => ({}),
    read: () => ({ fields: {}, children: {} }),
    find: ({ label }) => ({ label, content: '', action: null }),
    actions: () => [],
  }),
  ...rest,
});

const shop = (rest: Partial<App> = {}): App =>
  defineApp({
    id: 'shop',
    label: 'Shop',
    state: 'running',
    version: 1,
    root: { name: 'counter', kind: 'shop' },
    history: true,
    kinds: { shop: leaf() },
    ...rest,
  });

const kinds = (root: Partial<Kind>, more: Readonly<Record<string, Kind>> = {}): Partial<App> => ({
  kinds: { shop: leaf(root), ...more },
});

const look = (id = 'look', params: Params = {}, kindOf: 'read' | 'undoable' = 'read'): Action =>
  action({ id, label: 'Look', kind: kindOf, params, plan: () => ({}) });

const refused = (make: () => unknown, where: RegExp): void => {
  expect(make).toThrow(AppError);
  expect(make).toThrow(where);
};

describe('an app', () => {
  it('is taken as it is when nothing is wrong with it', () => {
    expect(shop({ keys: ['item'] })).toMatchObject({ id: 'shop', keys: ['item'] });
  });

  it.each(['', 'Shop', '1shop', 'shop.one', 'shop/one', 'a'.repeat(33)])('W-59 is refused with the id %j', (id) => {
    refused(() => shop({ id, root: { name: 'counter', kind: id }, kinds: { [id]: leaf() } }), /id must be/);
  });

  it("W-59 is refused with the host's own word as its id", () => {
    refused(() => shop({ id: 'apps', root: { name: 'counter', kind: 'apps' }, kinds: { apps: leaf() } }), /own word/);
  });

  it.each([
    ['a root that is of another kind', { root: { name: 'counter', kind: 'shop.Item' } }, /root\.kind must be shop/],
    ['a root whose name is none', { root: { name: 'the counter', kind: 'shop' } }, /root\.name/],
    ['no kind for its root', { kinds: {} }, /not among the kinds/],
    ['a label of two lines', { label: 'Shop\nwindow' }, /label/],
    ['a version that is no count', { version: 0 }, /version/],
    ['a first word of keys with a slash', { keys: ['item/'] }, /keys/],
    ['a kind of another app', kinds({}, { 'notes.Page': leaf() }), /kind notes\.Page/],
    ['a kind in small letters', kinds({}, { 'shop.item': leaf() }), /kind shop\.item/],
    ['a kind without a word', kinds({}, { 'shop.': leaf() }), /kind shop\./],
    ['a kind without a noun', kinds({ noun: '' }), /noun/],
    ['a field with a dot', kinds({ fields: z.object({ 'a.b': z.string() }) }), /field a\.b/],
    ['a field that begins with a digit', kinds({ fields: z.object({ '1st': z.string() }) }), /field 1st/],
    ['a list with a space', kinds({ lists: { 'my items': 'shop' } }), /list my items/],
    ['a list of a kind that is not there', kinds({ lists: { items: 'shop.Item' } }), /holds shop\.Item/],
    [
      'a list with the name of a field',
      kinds({ fields: z.object({ items: z.int() }), lists: { items: 'shop' } }),
      /name of a list/,
    ],
  ] satisfies [string, Partial<App>, RegExp][])('W-59 is refused with %s', (_what, rest, where) => {
    refused(() => shop(rest), where);
  });

  it('says which app it was and what of it', () => {
    try {
      shop({ label: '' });
      expect.unreachable();
    } catch (error) {
      expect(error).toMatchObject({ name: 'AppError', app: 'shop', where: 'label' });
    }
  });
});

describe('an action', () => {
  it.each(['undo', 'redo'])("W-59 is refused with the host's name %s", (id) => {
    refused(() => look(id), /own/);
  });

  it.each(['', 'Look', 'look_up', '-look', 'a'.repeat(65)])('W-59 is refused with the id %j', (id) => {
    refused(() => look(id), /no id/);
  });

  it.each([
    ['a name with a dot', { 'a.b': p.text() }, /parameter a\.b/],
    ['choices of another type', { size: p.integer({ choices: [1.5] }) }, /choices/],
    ['a choice twice', { size: p.text({ choices: ['a', 'a'] }) }, /twice/],
    ['no choice to choose', { size: p.text({ choices: [] }) }, /no choice/],
    ['an item key that need not be there', { id: p.text({ fromItem: true }) }, /required text/],
    ['an item key that is a number', { id: p.integer({ fromItem: true, required: true }) }, /required text/],
    ['a schema of no type', { box: p.object({ schema: { type: 'box' } }) }, /cannot be judged/],
    [
      'a bound that would be passed over',
      { box: p.object({ schema: { type: 'object', properties: { size: { minimum: 1 } } } }) },
      /must say its type/,
    ],
  ] satisfies [string, Params, RegExp][])('W-59 is refused with a parameter that has %s', (_what, params, where) => {
    refused(() => look('look', params), where);
  });

  it('W-59 is refused when it reads and destroys', () => {
    refused(
      () => action({ id: 'look', label: 'Look', kind: 'read', destroys: true, params: {}, plan: () => ({}) }),
      /destroys nothing/,
    );
  });

  it('W-59 is refused when a kind tells it without having built it, or tells two of one id', async () => {
    const raw: Action = { id: 'undo', label: 'Undo', kind: 'read', params: {}, plan: () => ({}) };
    const told = (actions: readonly Action[]): Promise<unknown> =>
      createBench(shop(kinds({ actions: () => actions }))).actions();
    await expect(told([raw])).rejects.toThrow(AppError);
    await expect(told([look(), look()])).rejects.toThrow(/twice/);
  });

  it('W-59 is refused when it stands behind one that reaches outside', async () => {
    const send = action({ id: 'send', label: 'Send', kind: 'outside', params: {}, effect: () => ({}) });
    const app = shop(kinds({ actions: () => [send, look()] }));
    await expect(createBench(app).actions()).rejects.toThrow(/behind one/);
  });
});

describe('what an action gives', () => {
  const check = (kindOf: 'read' | 'undoable', outcome: Outcome, rest: Partial<App> = { keys: ['item'] }): void =>
    checkOutcome(shop(rest), { id: 'look', kind: kindOf }, outcome);

  it('is taken when its keys and paths are the app’s', () => {
    check('undoable', {
      ops: [put('item/0001', { size: 1 }), remove('item/0002'), put('item', 1)],
      result: null,
      touches: [{ resource: 'shop', sentence: 'sold' }],
      made: 'shop/0001',
    });
    check('read', { ops: [], result: [1, 'two', null] });
  });

  it('W-59 is a fault when an action that reads gives operations', () => {
    refused(() => check('read', { ops: [put('item/0001', 1)] }), /reads/);
  });

  it.each(['', '/', 'page/0001', 'items/0001', 'Item/0001'])('W-59 is a fault when it writes the key %j', (key) => {
    refused(() => check('undoable', { ops: [put(key, 1)] }), /outside the app's key space/);
  });

  it('W-59 may write any key when the app names no first words, but never an empty one', () => {
    check('undoable', { ops: [put('page/0001', 1)] }, {});
    refused(() => check('undoable', { ops: [put('/page', 1)] }, {}), /key space/);
  });

  it('is a fault when one key is written twice, or the app keeps no history', () => {
    refused(() => check('undoable', { ops: [put('item/1', 1), remove('item/1')] }), /twice/);
    refused(() => check('undoable', { ops: [put('item/1', 1)] }, { history: false }), /no history/);
  });

  it.each(['notes', 'shops/0001', '', 'shop0001'])('is a fault when it names the path %j', (path) => {
    refused(() => check('undoable', { touches: [{ resource: path, sentence: 'sold' }] }), /no path of this app/);
    refused(() => check('undoable', { made: path }), /no path of this app/);
  });

  it('is a fault when JSON cannot say it', () => {
    expect(() => check('undoable', { result: Number.NaN })).toThrow();
    expect(() => check('undoable', { ops: [put('item/1', { at: Number.POSITIVE_INFINITY })] })).toThrow();
  });

  it('W-59 is found out in a running app: the lab has an action of either sort', async () => {
    const bench = createBench(createLab(scratch()).lab);
    await expect(bench.run([], 'change-while-reading')).rejects.toThrow(/reads, so it gives no operations/);
    await expect(bench.run([], 'write-elsewhere')).rejects.toThrow(/key space/);
    expect(bench.state.dump()).toBe('[]');
  });
});

describe('the apps of this repository', () => {
  it('offer only actions that pass', async () => {
    const lab = createLab(scratch());
    for (const app of [notes, ...lab.apps]) await createBench(app).actions();
  });
});
