import fc from 'fast-check';
import { z } from 'zod';
import type { App, Child, Children, Resource, Write } from '../../../src/workspace/apps/app.ts';
import { action, defineApp, kind, put } from '../../../src/workspace/apps/defineApp.ts';

/** An app that holds any tree: what a folder holds is one document, so that tests can write the strangest names. */

/** A thing in a tree; one with `holds` is a folder. */
export interface Node {
  readonly item: string;
  readonly name: string;
  readonly label?: string;
  readonly text?: string;
  readonly holds?: readonly Node[];
}

const Stored = z.array(
  z.object({
    item: z.string(),
    name: z.string(),
    label: z.string().optional(),
    text: z.string().optional(),
    folder: z.boolean(),
  }),
);

// The place of a folder by its keys, which may be anything: hex keeps them apart.
const keyOf = (items: readonly string[]): string =>
  `tree/${items.map((item) => Buffer.from(item).toString('hex')).join('/')}`;

/** The writes that make an empty app hold these things. */
export const treeWrites = (nodes: readonly Node[], items: readonly string[] = []): readonly Write[] => [
  put(
    keyOf(items),
    nodes.map(({ item, name, label, text, holds }) => ({
      item,
      name,
      ...(label !== undefined && { label }),
      ...(text !== undefined && { text }),
      folder: holds !== undefined,
    })),
  ),
  ...nodes.flatMap(({ item, holds }) => (holds === undefined ? [] : treeWrites(holds, [...items, item]))),
];

const stored = ({ get, items }: Pick<Resource, 'get' | 'items'>): z.infer<typeof Stored> =>
  Stored.parse(get(keyOf(items)) ?? []);

const childrenOf = (resource: Resource): Children => {
  const rows = stored(resource);
  const child = ({ item, name, label }: (typeof rows)[number]): Child => ({
    item,
    name,
    ...(label !== undefined && { label }),
  });
  return {
    folders: rows.filter(({ folder }) => folder).map(child),
    leaves: rows.filter(({ folder }) => !folder).map(child),
  };
};

const textOf = ({ get, items }: Resource): string =>
  stored({ get, items: items.slice(0, -1) }).find(({ item }) => item === items.at(-1))?.text ?? '';

const folder = (noun: string, nouns: string) =>
  kind({
    fields: z.object({}),
    lists: { folders: 'tree.Folder', leaves: 'tree.Leaf' },
    noun,
    nouns,
    children: childrenOf,
    read: (resource) => ({ fields: {}, children: childrenOf(resource) }),
    find: (resource) => ({ label: resource.label, content: textOf(resource), action: null }),
    actions: () => [action({ id: 'sweep', label: 'Sweep', kind: 'read', params: {}, plan: () => ({}) })],
  });

export const tree: App = defineApp({
  id: 'tree',
  label: 'Tree',
  state: 'running',
  version: 1,
  root: { name: 'trunk', kind: 'tree' },
  keys: ['tree'],
  history: true,
  kinds: {
    tree: folder('trunk', 'trunks'),
    'tree.Folder': folder('folder', 'folders'),
    'tree.Leaf': kind({
      fields: z.object({ text: z.string() }),
      lists: {},
      noun: 'leaf',
      nouns: 'leaves',
      children: () => ({}),
      read: (resource) => ({ fields: { text: textOf(resource) }, children: {} }),
      find: (resource) => ({ label: resource.label, content: textOf(resource), action: 'open' }),
      actions: () => [action({ id: 'poke', label: 'Poke', kind: 'read', params: {}, plan: () => ({}) })],
    }),
  },
});

/** Names that meet each other and the keys, names that paths must escape, and any other. */
const names: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('a1', 'a2', 'Garden', 'garden', 'Order seeds', 'é', 'e\u0301', '') },
  { weight: 2, arbitrary: fc.constantFrom('a/b', 'a#b', '100%', '%41', 'two\nlines', '\u2028', '\u0085', '\u{1F345}') },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }) },
  { weight: 1, arbitrary: fc.string({ minLength: 78, maxLength: 83 }) },
);
const items: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom('a1', 'a2', 'a3', 'é', 'e\u0301', '@4', 'k/1', 'k%1'),
  fc.stringMatching(/^[0-9a-z]{1,6}$/),
);

/** Random trees, at most three folders deep, with keys that are unique among siblings. */
export const trees: fc.Arbitrary<readonly Node[]> = fc.letrec<{ nodes: readonly Node[]; node: Node }>((tie) => ({
  nodes: fc.uniqueArray(tie('node'), { maxLength: 7, selector: ({ item }) => item }),
  node: fc.record(
    {
      item: items,
      name: names,
      label: fc.constantFrom('Shown so', 'Garden'),
      text: fc.constantFrom('compost in may', 'seeds', ''),
      holds: fc.oneof({ depthSize: 'small', maxDepth: 3 }, fc.constant([]), tie('nodes')),
    },
    { requiredKeys: ['item', 'name'] },
  ),
})).nodes;
