import { mkdirSync } from 'node:fs';
import { z } from 'zod';
import type { Action, App, Children, Resource } from '../../src/workspace/apps/app.ts';
import { action, defineApp, kind, p, pageChildren, put, remove } from '../../src/workspace/apps/defineApp.ts';
import { createFarSide, type FarSide } from './farSide.ts';
import { createGates, type Gates } from './gates.ts';
import { labActions } from './labActions.ts';
import { attic, brittle, createElsewhere, echo } from './sideApps.ts';

/** The lab and the apps beside it, with both ends of what they wait for and reach in one directory. */
export interface Lab {
  /** `lab`, `echo` (a service), `attic` (installed), `brittle` (breaks at start), `weather` (changed elsewhere). */
  readonly apps: readonly App[];
  readonly lab: App;
  readonly gates: Gates;
  readonly far: FarSide;
  /** Changes a reading of `weather` as the other side would. */
  setReading(name: string, value: number, by: string): void;
}

const Item = z.object({ name: z.string(), value: z.int() });
type Item = z.infer<typeof Item>;

const itemOf = (resource: Resource): Item => Item.parse(resource.get(`item/${resource.item}`));

const setItem = action({
  id: 'set',
  label: 'Set',
  kind: 'undoable',
  params: { value: p.integer({ required: true }) },
  plan: (ctx, { value }) => ({
    ops: [put(`item/${ctx.resource.item}`, { ...itemOf(ctx.resource), value })],
    touches: [{ resource: ctx.resource.path, sentence: `set it to ${value}` }],
  }),
});

const renameItem = action({
  id: 'rename',
  label: 'Rename',
  kind: 'undoable',
  params: { name: p.text({ required: true }) },
  plan: (ctx, { name }) => ({
    ops: [put(`item/${ctx.resource.item}`, { ...itemOf(ctx.resource), name })],
    touches: [{ resource: ctx.resource.path, sentence: `renamed to "${name}"` }],
  }),
});

/** Writes what the lab's `mayUndo` lets be taken back although somebody wrote over it. */
const noteLoosely = action({
  id: 'note-loosely',
  label: 'Note',
  kind: 'undoable',
  params: { text: p.text({ required: true }) },
  plan: (ctx, { text }) => ({
    ops: [put(`loose/${ctx.resource.item}`, text)],
    touches: [{ resource: ctx.resource.path, sentence: `noted "${text}"` }],
  }),
});

const dropItem = action({
  id: 'drop',
  label: 'Drop',
  kind: 'undoable',
  destroys: true,
  params: {},
  plan: (ctx) => ({
    ops: [remove(`item/${ctx.resource.item}`)],
    touches: [{ resource: ctx.resource.path, sentence: `dropped "${ctx.resource.label}"` }],
  }),
});

const destroyItem: Action = action({
  id: 'destroy',
  label: 'Destroy',
  kind: 'outside',
  destroys: true,
  replaySafe: true,
  operationsOnly: true,
  params: {},
  effect: (ctx) => ({
    ops: () => [remove(`item/${ctx.resource.item}`)],
    touches: [{ resource: ctx.resource.path, sentence: `destroyed "${ctx.resource.label}"` }],
  }),
});

/** Texts that are always there: one that is read in pages, one that is more than a read may give. */
const texts: Readonly<Record<string, Readonly<{ name: string; text: string; page: number }>>> = {
  'long-text': { name: 'Long text', text: 'All work and no play. '.repeat(160), page: 1000 },
  'huge-text': { name: 'Huge text', text: 'x'.repeat(1024 * 1024 + 1), page: 2 * 1024 * 1024 },
};

const books = Array.from({ length: 250 }, (_, index) => `b${String(index).padStart(3, '0')}`);
const papers = Array.from({ length: 30 }, (_, index) => `p${String(index).padStart(3, '0')}`);
const shelf: Children = {
  books: books.map((item) => ({ item, name: `Book ${item.slice(1)}` })),
  papers: papers.map((item) => ({ item, name: `Paper ${item.slice(1)}` })),
};

const rootChildren = (root: Resource): Children => ({
  items: root.list('item/').map(([key, value]) => ({ item: key.slice('item/'.length), name: Item.parse(value).name })),
  texts: Object.entries(texts).map(([item, { name }]) => ({ item, name })),
  shelves: [{ item: 'book-shelf', name: 'Shelf' }],
});

const labOf = (gates: Gates, far: FarSide): App => {
  const actions = labActions(gates, far);
  return defineApp({
    id: 'lab',
    label: 'Lab',
    state: 'running',
    version: 1,
    root: { name: 'bench', kind: 'lab' },
    keys: ['item', 'count', 'session', 'loose'],
    history: true,
    mayUndo: ({ key }) => key.startsWith('loose/'),
    kinds: {
      lab: kind({
        fields: z.object({ size: z.int(), counts: z.record(z.string(), z.number()) }),
        lists: { items: 'lab.Item', texts: 'lab.Text', shelves: 'lab.Shelf' },
        noun: 'bench',
        nouns: 'benches',
        children: rootChildren,
        read: (root, page) => ({
          fields: {
            size: root.list('item/').length,
            counts: Object.fromEntries(root.list('count/').map(([key, value]) => [key.slice(6), Number(value)])),
          },
          ...pageChildren(root, rootChildren(root), page),
        }),
        find: ({ label }) => ({ label, content: '', action: null }),
        actions: () => actions,
      }),
      'lab.Item': kind({
        fields: z.object({ name: z.string(), value: z.int(), loose: z.string().nullable() }),
        lists: {},
        noun: 'item',
        nouns: 'items',
        children: () => ({}),
        read: (resource) => {
          const { name, value } = itemOf(resource);
          const loose = resource.get(`loose/${resource.item}`);
          return { fields: { name, value, loose: typeof loose === 'string' ? loose : null }, children: {} };
        },
        find: ({ label }) => ({ label, content: label, action: 'set' }),
        actions: () => [setItem, renameItem, noteLoosely, dropItem, destroyItem],
      }),
      'lab.Text': kind({
        fields: z.object({ text: z.string(), first: z.int() }),
        lists: {},
        noun: 'text',
        nouns: 'texts',
        children: () => ({}),
        read: ({ item }, { cursor }) => {
          const { text = '', page = 1 } = texts[item] ?? {};
          const first = cursor === undefined ? 0 : Number(cursor);
          const end = first + page;
          return {
            fields: { text: text.slice(first, end), first },
            children: {},
            ...(end < text.length && { cursor: String(end) }),
          };
        },
        find: ({ label }) => ({ label, content: '', action: 'open' }),
        actions: () => [],
      }),
      'lab.Shelf': kind({
        fields: z.object({}),
        lists: { books: 'lab.Book', papers: 'lab.Book' },
        noun: 'shelf',
        nouns: 'shelves',
        children: () => shelf,
        read: (resource, page) => ({ fields: {}, ...pageChildren(resource, shelf, page) }),
        find: ({ label }) => ({ label, content: '', action: null }),
        actions: () => [],
      }),
      'lab.Book': kind({
        fields: z.object({ title: z.string() }),
        lists: {},
        noun: 'book',
        nouns: 'books',
        children: () => ({}),
        read: ({ label }) => ({ fields: { title: label }, children: {} }),
        find: ({ label }) => ({ label, content: '', action: null }),
        actions: () => [],
      }),
    },
  });
};

/** @param directory where gates and effects are kept; made when it is missing. */
export const createLab = (directory: string): Lab => {
  mkdirSync(directory, { recursive: true });
  const gates = createGates(directory);
  const far = createFarSide(directory);
  const lab = labOf(gates, far);
  const elsewhere = createElsewhere(directory);
  return { apps: [lab, echo, attic, brittle, elsewhere.app], lab, gates, far, setReading: elsewhere.set };
};

/** The lab of a child process, whose parent holds the other ends: its directory is named by `WORKSPACE_LAB`. */
export const labOfEnvironment = (): Lab => {
  const directory = process.env.WORKSPACE_LAB;
  if (!directory) throw new Error('WORKSPACE_LAB names no directory');
  return createLab(directory);
};
