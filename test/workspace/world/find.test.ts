import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Hit } from '../../../schemas/wire/answers.ts';
import type { FindArguments } from '../../../schemas/wire/arguments.ts';
import type { App } from '../../../src/workspace/apps/app.ts';
import { putBlock, putPage } from '../../../src/workspace/apps/notes/documents.ts';
import { notes } from '../../../src/workspace/apps/notes/notes.ts';
import type { Caller } from '../../../src/workspace/caller.ts';
import { fold } from '../../../src/workspace/world/find/fold.ts';
import type { World } from '../../../src/workspace/world/world.ts';
import { account, callerAt, desk, failed, openWorld, type TestWorld } from './support.ts';
import { type Node, tree, trees, treeWrites } from './tree.ts';

const planted = (nodes: readonly Node[]): TestWorld => {
  const table = openWorld([tree]);
  table.store.write('home', 'tree', treeWrites(nodes));
  return table;
};

const found = async (world: World, query: string, more: Partial<FindArguments> = {}): Promise<readonly string[]> =>
  (await world.find(desk, { query, ...more })).hits.map(({ path }) => path);

const leaf = (item: string, name: string, more: Partial<Node> = {}): Node => ({ item, name, ...more });

describe('tilo_find', () => {
  it('W-57 P gives one hit a path, each of which reads, in one order', async () => {
    const table = planted([]);
    const queries = fc.constantFrom(
      'garden',
      'seeds',
      'order seeds',
      'seeds order',
      'a',
      'tree',
      'é',
      'may',
      '1 tree',
      'shown may',
    );
    await fc.assert(
      fc.asyncProperty(trees, queries, fc.integer({ min: 1, max: 12 }), async (nodes, query, limit) => {
        table.store.write('home', 'tree', treeWrites(nodes));
        const ask = async (world: World, caller: Caller): Promise<readonly Hit[]> =>
          (await world.find(caller, { query, limit: 50 })).hits;
        const hits = await ask(table.world, desk);
        expect(new Set(hits.map(({ path }) => path)).size).toBe(hits.length);
        for (const { path, kind } of hits) {
          const read = await table.world.read(desk, { path });
          expect(read.kind).toBe(kind);
        }
        // The same again, from an index that another world finds made, and cut short.
        expect(await ask(table.world, desk)).toEqual(hits);
        expect(await ask(table.again(), desk)).toEqual(hits);
        expect((await table.world.find(desk, { query, limit })).hits).toEqual(hits.slice(0, limit));
        expect(await ask(table.world, account)).toEqual(hits.map((hit) => ({ ...hit, path: `home/${hit.path}` })));
      }),
      { numRuns: 60 },
    );
  });

  it('W-57 P gives what an index made anew gives, after any changes', async () => {
    const table = planted([]);
    await fc.assert(
      fc.asyncProperty(fc.array(trees, { minLength: 2, maxLength: 4 }), async (states) => {
        for (const nodes of states) {
          table.store.write('home', 'tree', treeWrites(nodes));
          await table.world.find(desk, { query: 'garden' });
        }
        const fresh = planted(states.at(-1) ?? []);
        for (const query of ['garden', 'compost', 'seeds', 'a'])
          expect((await table.world.find(desk, { query, limit: 50 })).hits.map(({ path }) => path).sort()).toEqual(
            (await fresh.world.find(desk, { query, limit: 50 })).hits.map(({ path }) => path).sort(),
          );
      }),
      { numRuns: 10 },
    );
    // FTS5 itself finds its index to agree with the rows.
    table.store.db.prepare("INSERT INTO find_index (find_index, rank) VALUES ('integrity-check', 1)").run();
  });

  it('ranks by tier, the best tier that a thing reaches', async () => {
    const { world } = planted([
      leaf('a6', 'Six', { text: 'a shed full of garden tools' }),
      leaf('a5', 'Five', { label: 'A bench', text: '' }),
      { item: 'f5', name: 'my garden shed', label: 'Folder five', holds: [] },
      leaf('a4', 'xgarden xshed'),
      leaf('a3', 'The shed in our garden'),
      leaf('a2', 'garden shed door'),
      leaf('a1', 'Garden  Shed'),
    ]);
    expect(await found(world, 'garden shed')).toEqual([
      'tree/Garden  Shed',
      'tree/garden shed door',
      'tree/The shed in our garden',
      'tree/xgarden xshed',
      'tree/my garden shed',
      'tree/Six',
    ]);
    // Words in another order begin no label, and all else is the same.
    expect((await found(world, ' shed\tgarden ')).slice(-3)).toEqual([
      'tree/xgarden xshed',
      'tree/my garden shed',
      'tree/Six',
    ]);
  });

  it('wants every word, wherever in one thing each stands', async () => {
    const { world } = planted([leaf('a1', 'Compost', { text: 'ready in may' }), leaf('a2', 'Ready', { text: 'now' })]);
    expect(await found(world, 'may compost')).toEqual(['tree/Compost']);
    expect(await found(world, 'compost june')).toEqual([]);
    expect(await found(world, '   ')).toEqual([]);
  });

  it('looks through content by the beginnings of words, the better holding first', async () => {
    const { world } = planted([
      leaf('a1', 'One', { text: 'compost and many other words that make this a long text about nothing at all' }),
      leaf('a2', 'Two', { text: 'composting compost' }),
      leaf('a3', 'Three', { text: 'decomposed' }),
      leaf('a4', 'Four', { text: 'mail sam@example.org' }),
    ]);
    expect(await found(world, 'compo')).toEqual(['tree/Two', 'tree/One']);
    expect(await found(world, 'sam@example')).toEqual(['tree/Four']);
    expect(await found(world, '"compo*')).toEqual(['tree/Two', 'tree/One']);
    for (const query of ['"', '*', 'a OR b', 'NEAR(', 'content:x', "'", '—', '\u0000', 'a\u0000z'])
      expect(await found(world, query)).toEqual([]);
  });

  it('folds case and accents, on both sides', async () => {
    const { world } = planted([
      leaf('a1', 'Café Señor'),
      leaf('a2', 'STRASSE', { label: 'ΟΔΟΣ', text: 'Maß' }),
      leaf('a3', 'ﬁne ｗｉｄｅ', { text: 'crème brûlée, the ﬂattest' }),
    ]);
    for (const query of ['cafe', 'CAFÉ', 'cafe\u0301', 'senor'])
      expect(await found(world, query)).toEqual(['tree/Café Señor']);
    expect(await found(world, 'straße')).toEqual(['tree/STRASSE']);
    expect(await found(world, 'οδος')).toEqual(['tree/STRASSE']);
    expect(await found(world, 'οδοσ')).toEqual(['tree/STRASSE']);
    expect(await found(world, 'MASS')).toEqual(['tree/STRASSE']);
    for (const query of ['fine wide', 'brulee', 'Crème', 'flat'])
      expect(await found(world, query)).toEqual(['tree/ﬁne ｗｉｄｅ']);
    expect(await found(world, '\u0301')).toEqual([]);
  });

  it('P folds what is folded to itself', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(fold(fold(text))).toBe(fold(text));
      }),
      { numRuns: 1000 },
    );
  });

  it('leaves out what matches only through its path below another hit (D-41)', async () => {
    const { world } = planted([
      {
        item: 'f1',
        name: 'Garden',
        holds: [
          leaf('b1', 'Beans'),
          { item: 'f2', name: 'Beds', holds: [leaf('b2', 'Garden rows'), leaf('b3', 'Peas')] },
        ],
      },
      { item: 'f3', name: 'Yard', label: 'Outside', holds: [leaf('b4', 'Fence')] },
    ]);
    expect(await found(world, 'garden')).toEqual(['tree/Garden', 'tree/Garden/Beds/Garden rows']);
    // What is above matches through its path itself, and stands for all below.
    expect(await found(world, 'yard')).toEqual(['tree/Yard']);
    expect(await found(world, 'garden peas')).toEqual(['tree/Garden/Beds/Peas']);
    // Nothing above is a hit when only leaves are wanted.
    expect(await found(world, 'yard', { kind: 'tree.Leaf' })).toEqual(['tree/Yard/Fence']);
  });

  it('is left out by ancestry and not by how paths begin', async () => {
    const { world } = planted([leaf('a1', 'Garden'), leaf('a1x', 'Garden2', { label: 'Other' })]);
    expect(await found(world, 'garden')).toEqual(['tree/Garden', 'tree/Garden2']);
  });

  it('puts what was changed more recently first among equals, then the shorter path, then the bytes', async () => {
    const { world, changed } = planted([
      { item: 'f1', name: 'B', holds: [leaf('b1', 'Peas')] },
      { item: 'f2', name: 'A', holds: [leaf('b2', 'Peas')] },
      { item: 'f3', name: 'Long', holds: [leaf('b3', 'Peas')] },
      { item: 'f4', name: 'Longest', holds: [leaf('b4', 'Peas')] },
      { item: 'f5', name: 'Longer', holds: [leaf('b5', 'Peas')] },
    ]);
    changed.set('tree/f4/b4', 7);
    changed.set('tree/f5/b5', 9);
    expect(await found(world, 'peas')).toEqual([
      'tree/Longer/Peas',
      'tree/Longest/Peas',
      'tree/A/Peas',
      'tree/B/Peas',
      'tree/Long/Peas',
    ]);
  });

  it('sees each change of a notebook: text, names above it, what went and what came', async () => {
    const { world, store } = openWorld([notes]);
    const page = (title: string): void =>
      store.write('home', 'notes', [putPage({ item: '0a01', title, pinned: false, order: 'a' })]);
    const block = (item: string, text: string): void =>
      store.write('home', 'notes', [putBlock('0a01', { item, type: 'paragraph', text, done: null, order: item })]);
    page('Garden');
    block('a101', 'Beans');
    expect(await found(world, 'beans')).toEqual(['notes/Garden/Beans']);
    page('Yard');
    expect(await found(world, 'beans')).toEqual(['notes/Yard/Beans']);
    block('a102', 'Beans');
    expect(await found(world, 'beans')).toEqual(['notes/Yard/a101', 'notes/Yard/a102']);
    block('a101', 'Peas');
    expect(await found(world, 'beans')).toEqual(['notes/Yard/Beans']);
    expect(await found(world, 'peas')).toEqual(['notes/Yard/Peas']);
    store.write('home', 'notes', [{ key: 'block/0a01/a102', value: null }]);
    expect(await found(world, 'beans')).toEqual([]);
    expect((await world.find(desk, { query: 'peas' })).hits).toEqual([
      { path: 'notes/Yard/Peas', kind: 'notes.Block', label: 'Peas', action: null },
    ]);
  });

  it('walks an app once for each version of its state, and each time when its state is elsewhere', async () => {
    let walks = 0;
    const root = tree.kinds.tree;
    if (root === undefined) throw new Error('no root');
    const counted = (id: string, history: boolean): App => ({
      ...tree,
      id,
      root: { name: 'trunk', kind: 'tree' },
      history,
      kinds: {
        ...tree.kinds,
        tree: {
          ...root,
          find: (resource) => {
            walks += 1;
            return root.find(resource);
          },
        },
      },
    });
    const kept = openWorld([counted('tree', true)]);
    for (let times = 0; times < 3; times += 1) await found(kept.world, 'x');
    expect(walks).toBe(1);
    kept.store.write('home', 'tree', treeWrites([leaf('a1', 'x')]));
    expect(await found(kept.world, 'x')).toEqual(['tree/x']);
    expect(walks).toBe(2);
    // Another process may run another build of the app, which shows the same state otherwise.
    await found(kept.again([counted('tree', true)]), 'x');
    expect(walks).toBe(3);
    const elsewhere = openWorld([counted('tree', false)]);
    for (let times = 0; times < 3; times += 1) await found(elsewhere.world, 'x');
    expect(walks).toBe(6);
  });

  it('P gives whole states when many search and write at once', async () => {
    const later: App = {
      ...tree,
      kinds: Object.fromEntries(
        Object.entries(tree.kinds).map(([name, own]) => [
          name,
          {
            ...own,
            find: async (resource) => {
              await Promise.resolve();
              return own.find(resource);
            },
          },
        ]),
      ),
    };
    const { world, store } = openWorld([later]);
    const write = (count: number): void =>
      store.write(
        'home',
        'tree',
        treeWrites(Array.from({ length: count }, (_, index) => leaf(`b${index}`, `Pea ${index}`))),
      );
    write(1);
    const searches: Promise<readonly string[]>[] = [];
    for (let count = 2; count < 20; count += 1) {
      searches.push(found(world, 'pea', { limit: 50 }));
      await Promise.resolve();
      write(count);
    }
    for (const search of searches) expect((await search).length).toBeGreaterThan(0);
    expect(await found(world, 'pea', { limit: 50 })).toHaveLength(19);
  });

  it('walks again when the state moved on under the walk', async () => {
    let meanwhile = (): void => {};
    const root = tree.kinds.tree;
    if (root === undefined) throw new Error('no root');
    const interrupted: App = {
      ...tree,
      kinds: {
        ...tree.kinds,
        tree: {
          ...root,
          children: (resource) => {
            const children = root.children(resource);
            meanwhile();
            return children;
          },
        },
      },
    };
    const { world, store } = openWorld([interrupted]);
    meanwhile = () => {
      meanwhile = () => {};
      store.write('home', 'tree', treeWrites([leaf('a1', 'Late peas')]));
    };
    expect(await found(world, 'late')).toEqual(['tree/Late peas']);
  });

  it('searches the workspaces that the caller sees, and no other', async () => {
    const table = openWorld(
      [tree],
      [
        { name: 'home', label: 'Home', apps: ['tree'] },
        { name: 'studio', label: 'Studio', apps: ['tree'] },
      ],
    );
    table.store.write('home', 'tree', treeWrites([leaf('a1', 'Peas', { text: 'secretly' })]));
    table.store.write('studio', 'tree', treeWrites([leaf('a1', 'Peas'), leaf('a2', 'Pea soup')]));
    const hits = async (caller: Caller, query = 'pea'): Promise<readonly string[]> =>
      (await table.world.find(caller, { query })).hits.map(({ path }) => path);
    expect(await hits(account)).toEqual(['home/tree/Peas', 'studio/tree/Peas', 'studio/tree/Pea soup']);
    expect(await hits(callerAt(null, 'studio'))).toEqual(['studio/tree/Peas', 'studio/tree/Pea soup']);
    expect(await hits(desk)).toEqual(['tree/Peas']);
    expect(await hits(callerAt('studio'), 'secretly')).toEqual([]);
  });

  it('narrows to an app, and refuses one that is not there or does not run', async () => {
    const grove: App = { ...tree, id: 'grove', label: 'Grove', state: 'installed' };
    const broken: App = { ...tree, id: 'weed', label: 'Weed', start: () => Promise.reject(new Error('no')) };
    const { world, store } = openWorld([notes, tree, grove, broken]);
    store.write('home', 'tree', treeWrites([leaf('a1', 'Notes on peas')]));
    expect(await found(world, 'notes')).toEqual(['notes', 'tree/Notes on peas']);
    expect(await found(world, 'notes', { app: 'tree' })).toEqual(['tree/Notes on peas']);
    expect(await failed(world.find(desk, { query: 'x', app: 'tre' }))).toEqual({
      code: 'unknown_app',
      message: 'Home has no app called "tre".',
      next_steps: ['tilo_ls apps lists its apps', 'tilo_ls tree lists the nearest name'],
    });
    expect(await failed(world.find(account, { query: 'x', app: 'tre' }), account)).toMatchObject({
      code: 'unknown_app',
      message: 'No workspace has an app called "tre".',
    });
    for (const app of ['grove', 'weed'])
      expect(await failed(world.find(desk, { query: 'x', app }))).toMatchObject({ code: 'app_stopped' });
  });

  it('names the action of a row that opens, and echoes the query as it was put', async () => {
    const { world } = planted([leaf('a1', 'Peas', { label: 'Sweet peas' })]);
    expect(JSON.stringify(await world.find(desk, { query: ' SWEET ' }))).toBe(
      '{"hits":[{"path":"tree/Peas","kind":"tree.Leaf","label":"Sweet peas","action":"open"}],"query":" SWEET "}',
    );
  });
});
