import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parsePath, printSegment, sameName } from '../../../schemas/wire/path.ts';
import { notes } from '../../../src/workspace/apps/notes/notes.ts';
import { kindOf } from '../../../src/workspace/world/places.ts';
import { siblingsOf } from '../../../src/workspace/world/siblings.ts';
import type { Place, World } from '../../../src/workspace/world/world.ts';
import { notebookWrites } from '../../apps/notebook.ts';
import { account, callerAt, desk, failed, openWorld, type TestWorld } from './support.ts';
import { type Node, tree, trees, treeWrites } from './tree.ts';

/** Every place below an app's root, and the root. */
const placesOf = async (world: World, ref: string): Promise<readonly Place[]> => {
  const place = await world.byRef('home', ref);
  if (place === null) throw new Error(`nothing at ${ref}`);
  const kind = kindOf(place.app, place.resource.kind);
  const found: Place[] = [place];
  for (const { item } of siblingsOf(kind, await kind.children(place.resource)))
    found.push(...(await placesOf(world, `${ref}/${printSegment(item)}`)));
  return found;
};

const planted = (nodes: readonly Node[]): TestWorld => {
  const table = openWorld([tree]);
  table.store.write('home', 'tree', treeWrites(nodes));
  return table;
};

/** One database for all runs of a property: what an earlier run wrote below folders that are gone is never met. */
const replant = ({ store }: TestWorld, nodes: readonly Node[]): void => {
  store.write('home', 'tree', treeWrites(nodes));
};

const leaf = (item: string, name: string): Node => ({ item, name });

describe('paths of what is there', () => {
  it('W-18 P each printed path, in each of its forms, leads back to what it was printed of', async () => {
    const table = planted([]);
    await fc.assert(
      fc.asyncProperty(trees, async (nodes) => {
        replant(table, nodes);
        for (const place of await placesOf(table.world, 'tree')) {
          for (const path of [place.path, place.touchedPath, place.ref]) {
            expect(parsePath(path).ok).toBe(true);
            expect((await table.world.locate(desk, path)).ref).toBe(place.ref);
          }
          expect(place.resource.path).toBe(place.ref);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('W-19 P an item key wins over an equal name, and a name that two share names both keys, which both resolve', async () => {
    const table = planted([]);
    await fc.assert(
      fc.asyncProperty(trees, async (nodes) => {
        replant(table, nodes);
        for (const { item } of nodes) {
          const place = await table.world.locate(desk, `tree/${printSegment(item)}`);
          expect(place.resource.item).toBe(item);
        }
        for (const { name } of nodes) {
          if (name === '' || /\p{Cs}/u.test(name) || nodes.some(({ item }) => item === name)) continue;
          const same = nodes.filter((node) => sameName(node.name, name));
          const located = table.world.locate(desk, `tree/${printSegment(name)}`);
          if (same.length === 1) {
            expect((await located).resource.item).toBe(same[0]?.item);
            continue;
          }
          const refused = await failed(located);
          expect(refused).toMatchObject({ code: 'ambiguous_path' });
          // Folders come before leaves.
          const ordered = [...same.filter(({ holds }) => holds), ...same.filter(({ holds }) => !holds)];
          const steps = 'next_steps' in refused && Array.isArray(refused.next_steps) ? refused.next_steps : [];
          expect(steps).toHaveLength(Math.min(same.length, 5));
          for (const [index, step] of steps.entries()) {
            const path = /^tilo_read (.*) reads the \w+$/.exec(String(step))?.[1] ?? '';
            expect((await table.world.locate(desk, path)).resource.item).toBe(ordered[index]?.item);
          }
        }
      }),
      { numRuns: 100 },
    );
  });

  it('W-19 a name that is a key of its neighbour is told by key', async () => {
    const { world } = planted([leaf('a1', 'a2'), leaf('a2', 'Beans')]);
    expect((await world.locate(desk, 'tree/a2')).resource.label).toBe('Beans');
    expect((await world.byRef('home', 'tree/a1'))?.path).toBe('tree/a1');
    expect((await world.byRef('home', 'tree/a2'))?.path).toBe('tree/Beans');
  });

  it('W-19 equal names of things of two kinds are called things, and twelve are counted in words', async () => {
    const twice = [{ item: 'a1', name: 'Beans', holds: [] }, leaf('a2', 'Beans')];
    const mixed = await failed(planted(twice).world.locate(desk, 'tree/Beans'));
    expect(mixed).toEqual({
      code: 'ambiguous_path',
      message: 'Two things of Tree are called "Beans".',
      next_steps: ['tilo_read tree/a1 reads the first', 'tilo_read tree/a2 reads the second'],
    });
    const dozen = Array.from({ length: 12 }, (_, index) => leaf(`b${index}`, 'Beans'));
    expect(await failed(planted(dozen).world.locate(desk, 'tree/Beans'))).toMatchObject({
      message: 'Twelve leaves of Tree are called "Beans".',
      next_steps: { length: 5, 4: 'tilo_read tree/b4 reads the fifth' },
    });
    expect(await failed(planted([...dozen, leaf('c', 'Beans')]).world.locate(desk, 'tree/Beans'))).toMatchObject({
      message: '13 leaves of Tree are called "Beans".',
    });
  });

  it('are by key where a name is too long, empty, in two lines or no text at all', async () => {
    const long = 'x'.repeat(80);
    const { world } = planted([
      leaf('a1', long),
      leaf('a2', `${long}x`),
      leaf('a3', ''),
      leaf('a4', 'two\nlines'),
      leaf('a5', '\u2028'),
      leaf('a6', '\ud800'),
      leaf('a7', '\u{1F345}'.repeat(80)),
      leaf('a8', '\u{1F345}'.repeat(81)),
      leaf('a9', 'tab\tand 50%/#'),
    ]);
    const paths = await Promise.all(
      Array.from({ length: 9 }, async (_, index) => (await world.byRef('home', `tree/a${index + 1}`))?.path),
    );
    expect(paths).toEqual([
      `tree/${long}`,
      'tree/a2',
      'tree/a3',
      'tree/a4',
      'tree/a5',
      'tree/a6',
      `tree/${'\u{1F345}'.repeat(80)}`,
      'tree/a8',
      'tree/tab%09and 50%25%2F%23',
    ]);
  });

  it('keep to 2,048 bytes, by key where names would be longer', async () => {
    const deep = (depth: number): Node => ({
      item: `d${depth}`,
      name: '\u{1F345}'.repeat(79) + depth,
      ...(depth < 9 && { holds: [deep(depth + 1)] }),
    });
    const { world } = planted([deep(0)]);
    for (const place of await placesOf(world, 'tree')) {
      expect(parsePath(place.path).ok).toBe(true);
      expect((await world.locate(desk, place.path)).ref).toBe(place.ref);
    }
  });

  it('touched end in the key where a thing holds nothing', async () => {
    const { world } = planted([{ item: 'a1', name: 'Garden', holds: [leaf('b1', 'Beans')] }]);
    expect(await world.byRef('home', 'tree/a1')).toMatchObject({ path: 'tree/Garden', touchedPath: 'tree/Garden' });
    expect(await world.byRef('home', 'tree/a1/b1')).toMatchObject({
      path: 'tree/Garden/Beans',
      touchedPath: 'tree/Garden/b1',
    });
  });
});

const notebook = (): TestWorld => {
  const table = openWorld([notes, tree]);
  table.store.write(
    'home',
    'notes',
    notebookWrites([
      {
        item: '0a01',
        title: 'Garden',
        pinned: true,
        blocks: [
          { item: 'a101', type: 'checkbox', text: 'Water the tomatoes', done: false },
          { item: 'a103', type: 'paragraph', text: 'Compost' },
        ],
      },
      { item: '0b02', title: 'Gardens', pinned: false, blocks: [] },
    ]),
  );
  return table;
};

describe('a path that leads nowhere', () => {
  it('is answered with the nearest names, nearest first', async () => {
    expect(await failed(notebook().world.locate(desk, 'notes/Gardenss/a101'))).toEqual({
      code: 'unknown_path',
      message: 'Notes has no page called "Gardenss".',
      next_steps: [
        'tilo_ls notes lists its pages',
        'tilo_read notes/Gardens reads the nearest name',
        'tilo_read notes/Garden reads another near name',
      ],
    });
  });

  it('names every noun of what is held, and no near name where none is near', async () => {
    const { world } = planted([leaf('a1', 'Beans')]);
    expect(await failed(world.locate(desk, 'tree/Tomatoes'))).toEqual({
      code: 'unknown_path',
      message: 'Tree has no folder or leaf called "Tomatoes".',
      next_steps: ['tilo_ls tree lists its folders and leaves'],
    });
    // One letter is no likeness to another.
    const short = planted([leaf('a1', 'x'), leaf('a2', 'xy')]).world;
    expect(await failed(short.locate(desk, 'tree/z'))).toMatchObject({ next_steps: { length: 1 } });
    expect(await failed(short.locate(desk, 'tree/zy'))).toMatchObject({
      next_steps: ['tilo_ls tree lists its folders and leaves', 'tilo_read tree/xy reads the nearest name'],
    });
    expect(await failed(world.locate(desk, 'tree/Beans/x'))).toEqual({
      code: 'unknown_path',
      message: 'Beans holds nothing, and so no "x".',
      next_steps: ['tilo_read tree/Beans reads it'],
    });
  });

  it('is refused by app and workspace', async () => {
    const { world } = notebook();
    expect(await failed(world.locate(desk, 'note/Garden'))).toEqual({
      code: 'unknown_app',
      message: 'Home has no app called "note".',
      next_steps: ['tilo_ls apps lists its apps', 'tilo_ls notes lists the nearest name'],
    });
    expect(await failed(world.locate(account, 'home/note'), account)).toEqual({
      code: 'unknown_app',
      message: 'Home has no app called "note".',
      next_steps: ['tilo_ls home lists its apps', 'tilo_ls home/notes lists the nearest name'],
    });
    expect(await failed(world.locate(account, 'hme/notes'), account)).toEqual({
      code: 'unknown_workspace',
      message: 'There is no workspace called "hme".',
      next_steps: ['tilo_ls workspaces lists the workspaces', 'tilo_ls home lists the nearest name'],
    });
  });

  it('tells a token of one workspace nothing of the others', async () => {
    const { world } = notebook();
    const bound = callerAt(null, 'studio');
    const elsewhere = await failed(world.locate(bound, 'home/notes'), bound);
    expect(elsewhere).toEqual({
      code: 'unknown_workspace',
      message: 'There is no workspace called "home".',
      next_steps: ['tilo_ls workspaces lists the workspaces'],
    });
    const nowhere = await failed(world.locate(bound, 'hxxx/notes'), bound);
    expect(nowhere).toEqual({ ...elsewhere, message: 'There is no workspace called "hxxx".' });
    expect(await failed(world.locate(callerAt('attic'), 'notes'))).toMatchObject({ code: 'unknown_workspace' });
  });

  it('is no path at all', async () => {
    const { world } = notebook();
    expect(await failed(world.locate(desk, 'notes//Garden'))).toEqual({
      code: 'unknown_path',
      message: 'A path has no empty segment, and no slash at its start or end.',
      next_steps: ['tilo_ls apps lists what there is'],
    });
    expect(await failed(world.locate(account, 'home/%zz'), account)).toMatchObject({
      code: 'unknown_path',
      next_steps: ['tilo_ls workspaces lists what there is'],
    });
  });

  it('ends above what can be reached so', async () => {
    const { world } = notebook();
    for (const path of ['apps', 'apps#pin'])
      expect(await failed(world.locate(desk, path))).toMatchObject({
        code: 'unknown_path',
        next_steps: ['tilo_ls apps lists its apps'],
      });
    expect(await failed(world.locate(account, 'home'), account)).toMatchObject({
      code: 'unknown_path',
      next_steps: ['tilo_ls home lists its apps'],
    });
    expect(await failed(world.locate(account, 'workspaces'), account)).toMatchObject({
      code: 'unknown_path',
      next_steps: ['tilo_ls workspaces lists the workspaces'],
    });
  });

  it('has the workspace before each of its paths at the account', async () => {
    expect(await failed(notebook().world.locate(account, 'home/notes/Gaxden'), account)).toMatchObject({
      next_steps: {
        0: 'tilo_ls home/notes lists its pages',
        1: 'tilo_read home/notes/Garden reads the nearest name',
      },
    });
  });

  it('leads to an app that is stopped', async () => {
    const { world } = openWorld([
      { ...notes, state: 'installed' },
      { ...tree, start: () => Promise.reject(new Error('no')) },
    ]);
    expect(await failed(world.locate(desk, 'notes/Garden'))).toMatchObject({ code: 'app_stopped' });
    expect(await failed(world.locate(desk, 'tree'))).toMatchObject({ code: 'app_stopped' });
  });
});

describe('the path of an action', () => {
  it('leads to it, in the form of listings', async () => {
    const { world } = notebook();
    const found = await world.locateAction(desk, 'notes/0a01/a101#toggle-checkbox');
    expect(found).toMatchObject({
      path: 'notes/Garden/Water the tomatoes#toggle-checkbox',
      place: { ref: 'notes/0a01/a101' },
      offered: { by: 'app', kind: 'undoable', row: { id: 'toggle-checkbox', label: 'Done' } },
    });
    expect(await world.locateAction(account, 'home/notes#undo')).toMatchObject({
      path: 'notes#undo',
      offered: { by: 'host', way: 'undo', kind: 'undoable' },
    });
  });

  it('is refused in the words of the app where it cannot be tried now', async () => {
    const { world } = notebook();
    expect(await failed(world.locateAction(desk, 'notes/0a01#pin'))).toEqual({
      code: 'unknown_action',
      message: 'Garden is pinned already and offers no pin.',
      next_steps: ['tilo_ls notes/Garden lists its actions', 'tilo_do notes/Garden#unpin takes it off the pins'],
    });
    expect(await failed(world.locateAction(account, 'home/notes/0a01#pin'), account)).toMatchObject({
      next_steps: [
        'tilo_ls home/notes/Garden lists its actions',
        'tilo_do home/notes/Garden#unpin takes it off the pins',
      ],
    });
    expect(await failed(world.locateAction(desk, 'notes/Garden/Compost#toggle-checkbox'))).toMatchObject({
      code: 'unknown_action',
      next_steps: ['tilo_ls notes/Garden/Compost lists its actions'],
    });
  });

  it('is answered with the nearest ids where there is no such action', async () => {
    const { world } = notebook();
    expect(await failed(world.locateAction(desk, 'notes/Garden#renam'))).toEqual({
      code: 'unknown_action',
      message: 'Garden has no action called "renam".',
      next_steps: [
        'tilo_ls notes/Garden lists its actions',
        'tilo_ls notes/Garden#rename lists the parameters of the nearest name',
      ],
    });
    // Not even an id of one.
    expect(await failed(world.locateAction(desk, 'notes/Garden#Rename'))).toMatchObject({
      code: 'unknown_action',
      next_steps: { 1: 'tilo_ls notes/Garden#rename lists the parameters of the nearest name' },
    });
  });

  it('and that of a resource are not taken for each other', async () => {
    const { world } = notebook();
    expect(await failed(world.locate(desk, 'notes/0a01#rename'))).toEqual({
      code: 'invalid_arguments',
      message: 'notes/Garden#rename is an action, and a resource is wanted here.',
      next_steps: ['tilo_ls notes/Garden#rename lists its parameters', 'tilo_read notes/Garden reads the resource'],
    });
    expect(await failed(world.locate(desk, 'notes/0a01#pin'))).toMatchObject({
      next_steps: ['tilo_ls notes/Garden lists its actions', 'tilo_read notes/Garden reads the resource'],
    });
    expect(await failed(world.locateAction(account, 'home/notes/0a01'), account)).toEqual({
      code: 'invalid_arguments',
      message: 'home/notes/Garden is a resource, and one of its actions is wanted here.',
      next_steps: ['tilo_ls home/notes/Garden lists its actions'],
    });
  });

  it('offers redo while something can be put back, and leads to it all the same', async () => {
    const { world, redo } = notebook();
    const place = await world.locate(desk, 'notes');
    const ids = async (): Promise<readonly string[]> => (await world.actionsAt(desk, place)).map(({ row }) => row.id);
    expect(await ids()).toEqual(['new-page', 'undo']);
    // History itself says that there is nothing to put back.
    expect(await world.locateAction(desk, 'notes#redo')).toMatchObject({ offered: { by: 'host', way: 'redo' } });
    redo.add('desk home notes');
    expect(await ids()).toEqual(['new-page', 'undo', 'redo']);
  });

  it('is none of the host where the app keeps no history', async () => {
    const { world } = openWorld([{ ...tree, history: false }]);
    const place = await world.locate(desk, 'tree');
    expect((await world.actionsAt(desk, place)).map(({ row }) => row.id)).toEqual(['sweep']);
    expect(await failed(world.locateAction(desk, 'tree#undo'))).toEqual({
      code: 'unknown_action',
      message: 'Tree keeps no history of its own and offers no undo.',
      next_steps: ['tilo_ls tree lists its actions'],
    });
  });
});

describe('a reference', () => {
  it('leads by keys alone, and nowhere once the thing is gone', async () => {
    const { world } = planted([{ item: 'a1', name: 'Garden', holds: [leaf('b1', 'Beans')] }]);
    expect((await world.byRef('home', 'tree/a1/b1'))?.resource.items).toEqual(['a1', 'b1']);
    for (const ref of ['tree/Garden', 'tree/a1/Beans', 'tree/a1/b2', 'trees', 'tree#poke', ''])
      expect(await world.byRef('home', ref)).toBeNull();
    expect(await world.byRef('studio', 'tree')).toBeNull();
    expect(await world.byRef('attic', 'tree')).toBeNull();
  });

  it('is printed as listings do in the next steps of an app, and left where it leads nowhere', async () => {
    const { world } = notebook();
    const next = [
      'as it is',
      ['tilo_do ', { path: 'notes/0a01/a101#edit-block' }, ' changes it'],
      [{ path: 'notes/gone' }, ' and ', { path: 'notes/Garden' }],
    ];
    expect(await world.phrases('home', next)).toEqual([
      ['as it is'],
      ['tilo_do ', { path: 'notes/Garden/Water the tomatoes#edit-block' }, ' changes it'],
      [{ path: 'notes/gone' }, ' and ', { path: 'notes/Garden' }],
    ]);
  });

  it('leads elsewhere over planned writes, which nothing else sees', async () => {
    const { world, store } = planted([leaf('a1', 'Beans')]);
    const planned = new Map(treeWrites([leaf('a1', 'Peas')]).map(({ key, value }) => [key, value]));
    const over = world.over({
      of: (workspace, app) => {
        const state = store.states.of(workspace, app);
        return { get: (key) => planned.get(key) ?? state.get(key), list: (prefix) => state.list(prefix) };
      },
    });
    expect((await over.byRef('home', 'tree/a1'))?.path).toBe('tree/Peas');
    expect((await world.byRef('home', 'tree/a1'))?.path).toBe('tree/Beans');
    expect(await failed(over.find(desk, { query: 'peas' }))).toMatchObject({ code: 'not_available' });
  });
});
