import { z } from 'zod';
import { printSegment } from '../../../../schemas/wire/path.ts';
import { action } from '../action.ts';
import type { App, Children, Resource } from '../app.ts';
import { defineApp } from '../defineApp.ts';
import { kind } from '../kind.ts';
import { pageChildren } from '../pageChildren.ts';
import { p } from '../params.ts';
import { blockActions } from './blockActions.ts';
import { BlockType, blockOf, blocksOf, pageOf, pagesOf, putPage } from './documents.ts';
import { placeBetween } from './order.ts';
import { pageActions } from './pageActions.ts';
import { checkLength, nameOf, quoted } from './texts.ts';

const newPage = action({
  id: 'new-page',
  label: 'New page',
  kind: 'undoable',
  params: { title: p.text({ required: true }) },
  plan: (ctx, { title }) => {
    checkLength(ctx, 'new-page', 'title', title);
    const item = ctx.newItem();
    const path = `${ctx.resource.path}/${printSegment(item)}`;
    const order = placeBetween(pagesOf(ctx).at(-1)?.order ?? null, null, item);
    return {
      ops: [putPage({ item, title, pinned: false, order })],
      result: { page: item },
      touches: [{ resource: path, sentence: `added ${quoted(title)}` }],
      made: path,
    };
  },
});

const pageList = (root: Resource): Children => ({
  notes: pagesOf(root).map(({ item, title }) => ({ item, name: title })),
});

const blockList = (page: Resource): Children => ({
  blocks: blocksOf(page, page.item).map(({ item, text }) => ({ item, name: nameOf(text) })),
});

/** The fault of a host that asks for a resource which its list does not hold. */
const gone = (resource: Resource): never => {
  throw new Error(`nothing at ${resource.path}`);
};

const readBlock = (resource: Resource): Readonly<{ type: BlockType; text: string; done: boolean | null }> => {
  const { type, text, done } = blockOf(resource, resource.items[0] ?? '', resource.item) ?? gone(resource);
  return { type, text, done };
};

/** The notes of a workspace: pages of paragraphs, checkboxes and headings (workspace-wire 6.2). */
export const notes: App = defineApp({
  id: 'notes',
  label: 'Notes',
  state: 'running',
  version: 1,
  root: { name: 'notebook', kind: 'notes' },
  keys: ['page', 'block'],
  history: true,
  kinds: {
    notes: kind({
      fields: z.object({ pages: z.int() }),
      lists: { notes: 'notes.Page' },
      noun: 'notebook',
      nouns: 'notebooks',
      children: pageList,
      read: (root, page) => {
        const children = pageList(root);
        return { fields: { pages: children.notes?.length ?? 0 }, ...pageChildren(root, children, page) };
      },
      find: ({ label }) => ({ label, content: '', action: null }),
      actions: () => [newPage],
    }),
    'notes.Page': kind({
      fields: z.object({ title: z.string(), pinned: z.boolean() }),
      lists: { blocks: 'notes.Block' },
      noun: 'page',
      nouns: 'pages',
      children: blockList,
      read: (resource, page) => {
        const { title, pinned } = pageOf(resource, resource.item) ?? gone(resource);
        return { fields: { title, pinned }, ...pageChildren(resource, blockList(resource), page) };
      },
      find: ({ label }) => ({ label, content: label, action: null }),
      actions: pageActions,
    }),
    'notes.Block': kind({
      fields: z.object({ type: BlockType, text: z.string(), done: z.boolean().nullable() }),
      lists: {},
      noun: 'block',
      nouns: 'blocks',
      children: () => ({}),
      read: (resource) => ({ fields: readBlock(resource), children: {} }),
      find: (resource) => ({ label: resource.label, content: readBlock(resource).text, action: null }),
      actions: blockActions,
    }),
  },
});
