import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ListRow } from '../../../schemas/wire/answers.ts';
import { Listing } from '../../../schemas/wire/answers.ts';
import type { LsArguments } from '../../../schemas/wire/arguments.ts';
import type { App } from '../../../src/workspace/apps/app.ts';
import { notes } from '../../../src/workspace/apps/notes/notes.ts';
import type { Caller } from '../../../src/workspace/caller.ts';
import type { World } from '../../../src/workspace/world/world.ts';
import { notebookWrites } from '../../apps/notebook.ts';
import { account, callerAt, desk, failed, openWorld, type TestWorld } from './support.ts';
import { type Node, tree, trees, treeWrites } from './tree.ts';

const planted = (nodes: readonly Node[]): TestWorld => {
  const table = openWorld([tree]);
  table.store.write('home', 'tree', treeWrites(nodes));
  return table;
};

/** A listing page by page. */
const paged = async (world: World, caller: Caller, args: LsArguments): Promise<readonly (readonly ListRow[])[]> => {
  const pages: (readonly ListRow[])[] = [];
  let cursor: string | undefined;
  do {
    const listing = await world.ls(caller, { ...args, ...(cursor !== undefined && { cursor }) });
    pages.push(listing.rows);
    cursor = listing.next_cursor;
  } while (cursor !== undefined);
  return pages;
};

const paths = (rows: readonly ListRow[]): readonly string[] => rows.map(({ path }) => path);

const service: App = { ...tree, id: 'grove', label: 'Grove', state: 'service' };
const shelved: App = { ...tree, id: 'attic', label: 'Attic', state: 'installed' };

const notebook = (): TestWorld => {
  const table = openWorld([notes, service, shelved]);
  table.store.write(
    'home',
    'notes',
    notebookWrites([
      {
        item: '0a01',
        title: 'Garden',
        pinned: false,
        blocks: [
          { item: 'a101', type: 'checkbox', text: 'Water the tomatoes', done: false },
          { item: 'a103', type: 'paragraph', text: 'Compost' },
        ],
      },
    ]),
  );
  return table;
};

describe('tilo_ls', () => {
  it('W-20 P pages of any limit follow each other to the whole listing', async () => {
    const table = planted([]);
    const asked = fc.record(
      { limit: fc.integer({ min: 1, max: 8 }), kind: fc.constantFrom('tree.Leaf', 'tree.Folder', 'tree.Twig') },
      { requiredKeys: ['limit'] },
    );
    await fc.assert(
      fc.asyncProperty(trees, asked, async (nodes, { limit, kind }) => {
        table.store.write('home', 'tree', treeWrites(nodes));
        const narrowed = { path: 'tree', ...(kind !== undefined && { kind }) };
        const whole = await table.world.ls(desk, { ...narrowed, limit: 200 });
        expect(whole.next_cursor).toBeUndefined();
        const pages = await paged(table.world, desk, { ...narrowed, limit });
        expect(pages.flat()).toEqual(whole.rows);
        // No page is empty but that of an empty listing, and none but the last is short.
        expect(pages).toHaveLength(Math.max(1, Math.ceil(whole.rows.length / limit)));
      }),
      { numRuns: 100 },
    );
  });

  it('W-20 pages the apps and the workspaces too', async () => {
    const { world } = notebook();
    expect((await paged(world, desk, { limit: 1 })).map(paths)).toEqual([['notes'], ['grove'], ['attic']]);
    expect((await paged(world, account, { limit: 1 })).map(paths)).toEqual([['home'], ['studio']]);
  });

  it('W-20 shows 50 rows when no limit is given, and nothing behind the end', async () => {
    const leaves = Array.from({ length: 51 }, (_, index) => ({ item: `b${index}`, name: `Leaf ${index}` }));
    const { world } = planted(leaves);
    expect(await world.ls(desk, { path: 'tree' })).toMatchObject({ rows: { length: 50 }, next_cursor: '50' });
    const behind = await world.ls(desk, { path: 'tree', cursor: '51' });
    expect(behind.rows).toEqual([]);
    expect(behind).not.toHaveProperty('next_cursor');
  });

  it('W-20 refuses a cursor that is no offset, wherever it is given', async () => {
    const { world } = notebook();
    for (const cursor of ['hello', '', '-1', '01', '1.5', 'c2', ' 1', '1'.repeat(16)])
      expect(await failed(world.ls(desk, { path: 'notes/0a01', cursor }))).toMatchObject({ code: 'invalid_cursor' });
    expect(await failed(world.ls(desk, { path: 'notes/0a01', cursor: 'hello' }))).toEqual({
      code: 'invalid_cursor',
      message: 'hello is not a cursor of notes/Garden.',
      next_steps: ['tilo_ls notes/Garden without a cursor begins at the start'],
    });
    for (const path of ['apps', 'notes#undo'])
      expect(await failed(world.ls(desk, { path, cursor: 'hello' }))).toMatchObject({ code: 'invalid_cursor' });
    for (const path of ['home', 'workspaces'])
      expect(await failed(world.ls(account, { path, cursor: 'hello' }), account)).toMatchObject({
        code: 'invalid_cursor',
        next_steps: [`tilo_ls ${path} without a cursor begins at the start`],
      });
  });

  it('W-21 lists one action by its path, with the kind of its resource and no rows', async () => {
    const { world } = notebook();
    const listing = await world.ls(desk, { path: 'notes/0a01/a101#edit-block' });
    expect(JSON.stringify(listing)).toBe(
      '{"path":"notes/Garden/Water the tomatoes#edit-block","kind":"notes.Block","rows":[],"actions":[{"id":"edit-block","label":"Edit","params":[{"name":"id","ty":"text","required":true},{"name":"text","ty":"text","required":true}],"kind":"undoable"}]}',
    );
    expect(await world.ls(account, { path: 'home/notes#undo' })).toMatchObject({
      path: 'home/notes#undo',
      kind: 'notes',
      rows: [],
      actions: [{ id: 'undo' }],
    });
    expect(await failed(world.ls(desk, { path: 'notes/Garden#unpin' }))).toEqual({
      code: 'unknown_action',
      message: 'Garden is not pinned and offers no unpin.',
      next_steps: ['tilo_ls notes/Garden lists its actions', 'tilo_do notes/Garden#pin puts it among the pins'],
    });
    expect(await failed(world.ls(desk, { path: 'apps#pin' }))).toMatchObject({ code: 'unknown_path' });
  });

  it('W-21 lists redo only while something can be put back', async () => {
    const { world, redo } = notebook();
    expect(await failed(world.ls(desk, { path: 'notes/Garden#redo' }))).toEqual({
      code: 'unknown_action',
      message: 'There is nothing to put back in Notes, and so no redo.',
      next_steps: ['tilo_ls notes/Garden lists its actions'],
    });
    redo.add('desk home notes');
    const { actions } = await world.ls(desk, { path: 'notes#redo' });
    expect(JSON.stringify(actions)).toBe(
      '[{"id":"redo","label":"Redo","params":[{"name":"steps","ty":"integer","required":false,"description":"How many of your own steps, last taken back first; 1 when absent"}],"kind":"undoable"}]',
    );
    const { actions: all } = await world.ls(desk, { path: 'notes' });
    expect(all.map(({ id }) => id)).toEqual(['new-page', 'undo', 'redo']);
    // Another connection's work is not this one's to put back.
    const other: Caller = { ...desk, connection: { ...desk.connection, id: 'night' } };
    expect((await world.ls(other, { path: 'notes' })).actions.map(({ id }) => id)).toEqual(['new-page', 'undo']);
  });

  it('W-21 narrows to a kind, also one that is not there', async () => {
    const { world } = planted([
      { item: 'a1', name: 'Garden', holds: [] },
      { item: 'a2', name: 'Beans' },
    ]);
    const listed = async (kind: string): Promise<readonly string[]> =>
      paths((await world.ls(desk, { path: 'tree', kind })).rows);
    expect(await listed('tree.Leaf')).toEqual(['tree/Beans']);
    expect(await listed('tree.Folder')).toEqual(['tree/Garden']);
    expect(await listed('tree.Twig')).toEqual([]);
    expect(paths((await world.ls(desk, { kind: 'app' })).rows)).toEqual(['tree']);
    expect((await world.ls(desk, { kind: 'workspace' })).rows).toEqual([]);
    expect(paths((await world.ls(account, { kind: 'workspace' })).rows)).toEqual(['home', 'studio']);
  });

  it('W-21 lists the apps of a workspace with their states, at both endpoints', async () => {
    const { world } = notebook();
    const row = (id: string, label: string, state: string, path = id): object => ({
      path,
      name: id,
      label,
      kind: 'app',
      state,
      has_children: true,
      actions: [],
    });
    const own = {
      path: 'apps',
      kind: 'apps',
      rows: [row('notes', 'Notes', 'running'), row('grove', 'Grove', 'service'), row('attic', 'Attic', 'installed')],
      actions: [],
    };
    expect(JSON.stringify(await world.ls(desk, {}))).toBe(JSON.stringify(own));
    expect(await world.ls(desk, { path: 'apps' })).toEqual(own);
    const prefixed = {
      ...own,
      path: 'home',
      kind: 'workspace',
      rows: [
        row('notes', 'Notes', 'running', 'home/notes'),
        row('grove', 'Grove', 'service', 'home/grove'),
        row('attic', 'Attic', 'installed', 'home/attic'),
      ],
    };
    for (const path of ['home', 'home/apps']) expect(await world.ls(account, { path })).toEqual(prefixed);
    expect(await world.ls(account, { path: 'studio' })).toEqual({
      path: 'studio',
      kind: 'workspace',
      rows: [],
      actions: [],
    });
    expect(await failed(world.ls(desk, { path: 'attic' }))).toMatchObject({ code: 'app_stopped' });
  });

  it('W-21 lists the workspaces that a token opens', async () => {
    const { world } = notebook();
    const all = await world.ls(account, {});
    expect(all).toMatchObject({ path: 'workspaces', kind: 'workspaces', actions: [] });
    expect(paths(all.rows)).toEqual(['home', 'studio']);
    for (const path of ['apps', 'workspaces']) expect(await world.ls(account, { path })).toEqual(all);
    expect(paths((await world.ls(callerAt(null, 'studio'), {})).rows)).toEqual(['studio']);
  });

  it('W-21 means a workspace called apps by its name', async () => {
    const { world } = openWorld([notes], [{ name: 'apps', label: 'Apps', apps: ['notes'] }]);
    expect(await world.ls(account, { path: 'apps' })).toMatchObject({ path: 'apps', kind: 'workspace' });
    expect(await world.ls(account, {})).toMatchObject({ path: 'workspaces' });
  });

  it('W-21 shows actions in rows of things that hold nothing, and nowhere else', async () => {
    const table = planted([]);
    await fc.assert(
      fc.asyncProperty(trees, async (nodes) => {
        table.store.write('home', 'tree', treeWrites(nodes));
        const listing = await table.world.ls(desk, { path: 'tree' });
        expect(Listing.parse(listing)).toEqual(listing);
        for (const row of listing.rows) {
          expect(row.has_children).toBe(row.kind === 'tree.Folder');
          expect(row.actions.map(({ id }) => id)).toEqual(row.has_children ? [] : ['poke']);
        }
        expect(listing.actions.map(({ id }) => id)).toEqual(['sweep', 'undo']);
      }),
      { numRuns: 50 },
    );
  });

  it('asks an app for the actions of the rows that are shown, not of all', async () => {
    let asked = 0;
    const leafKind = tree.kinds['tree.Leaf'];
    if (leafKind === undefined) throw new Error('no leaves');
    const counting: App = {
      ...tree,
      kinds: {
        ...tree.kinds,
        'tree.Leaf': {
          ...leafKind,
          actions: (resource) => {
            asked += 1;
            return leafKind.actions(resource);
          },
        },
      },
    };
    const { world, store } = openWorld([counting]);
    const leaves = Array.from({ length: 10_000 }, (_, index) => ({ item: `b${index}`, name: `Leaf ${index % 9_999}` }));
    store.write('home', 'tree', treeWrites(leaves));
    const { rows, next_cursor } = await world.ls(desk, { path: 'tree', limit: 3, cursor: '9996' });
    expect(paths(rows)).toEqual(['tree/Leaf 9996', 'tree/Leaf 9997', 'tree/Leaf 9998']);
    expect(next_cursor).toBe('9999');
    expect(asked).toBe(3);
    expect(paths((await world.ls(desk, { path: 'tree', limit: 1 })).rows)).toEqual(['tree/b0']);
  });

  it('shows one row of a thing that stands in two lists', async () => {
    const { world } = openWorld([
      {
        ...tree,
        kinds: {
          ...tree.kinds,
          tree: {
            ...(tree.kinds.tree ?? neverEmpty()),
            lists: { near: 'tree.Leaf', all: 'tree.Leaf' },
            children: () => ({
              all: [
                { item: 'a1', name: 'Beans' },
                { item: 'a2', name: 'Peas' },
              ],
              near: [{ item: 'a2', name: 'Peas' }],
            }),
          },
        },
      },
    ]);
    expect(paths((await world.ls(desk, { path: 'tree' })).rows)).toEqual(['tree/Peas', 'tree/Beans']);
  });
});

const neverEmpty = (): never => {
  throw new Error('the tree has no root');
};
