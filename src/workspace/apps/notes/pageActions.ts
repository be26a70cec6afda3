import { action } from '../action.ts';
import type { Action, Outcome, PlanContext, Resource, Write } from '../app.ts';
import { remove } from '../outcome.ts';
import { p } from '../params.ts';
import { blockActionsAtPage, namedBlock } from './blockActions.ts';
import { type BlockType, blockKey, blocksOf, type NotesPage, pageKey, pageOf, putBlock, putPage } from './documents.ts';
import { placeBetween } from './order.ts';
import { brief, checkLength, quoted } from './texts.ts';

/** The place behind one block, or at one end of the page. `without` is a block that is about to leave its place. */
const placeBehind = (
  ctx: PlanContext,
  after: string | undefined,
  end: 'start' | 'end',
  item: string,
  without?: string,
): string => {
  const { item: page, path } = ctx.resource;
  const blocks = blocksOf(ctx, page).filter((block) => block.item !== without);
  if (after === undefined)
    return end === 'start'
      ? placeBetween(null, blocks.at(0)?.order ?? null, item)
      : placeBetween(blocks.at(-1)?.order ?? null, null, item);
  const before = namedBlock(ctx, page, path, after);
  const next = blocks[blocks.findIndex((block) => block.item === after) + 1];
  return placeBetween(before.order, next?.order ?? null, item);
};

const append = (
  ctx: PlanContext,
  name: string,
  block: Readonly<{ type: BlockType; text: string; done: boolean | null }>,
  after?: string,
): Outcome => {
  checkLength(ctx, name, 'text', block.text);
  const { item: page, path } = ctx.resource;
  const item = ctx.newItem();
  return {
    ops: [putBlock(page, { item, ...block, order: placeBehind(ctx, after, 'end', item) })],
    result: { appended: item },
    touches: [{ resource: path, sentence: `added ${quoted(block.text)}` }],
  };
};

const afterParam = p.text({ description: 'The item it goes after; the end when absent' });

const appendParagraph = action({
  id: 'append-paragraph',
  label: 'Append paragraph',
  kind: 'undoable',
  params: { text: p.text({ required: true, description: 'What the paragraph says' }), after: afterParam },
  plan: (ctx, { text, after }) => append(ctx, 'append-paragraph', { type: 'paragraph', text, done: null }, after),
});

const appendCheckbox = action({
  id: 'append-checkbox',
  label: 'Append checkbox',
  kind: 'undoable',
  params: { text: p.text({ required: true }), done: p.boolean(), after: afterParam },
  plan: (ctx, { text, done = false, after }) => append(ctx, 'append-checkbox', { type: 'checkbox', text, done }, after),
});

const appendHeading = action({
  id: 'append-heading',
  label: 'Append heading',
  kind: 'undoable',
  params: { text: p.text({ required: true }) },
  plan: (ctx, { text }) => append(ctx, 'append-heading', { type: 'heading', text, done: null }),
});

/** One change of the page itself. */
const changed = (
  ctx: PlanContext,
  change: Partial<Pick<NotesPage, 'title' | 'pinned'>>,
  sentence: (page: NotesPage) => string,
): Outcome => {
  const { item, path } = ctx.resource;
  const page = pageOf(ctx, item);
  // The host resolves the page in the turn of the plan, so this is a fault and no answer.
  if (page === null) throw new Error(`no page ${item}`);
  return { ops: [putPage({ ...page, ...change })], touches: [{ resource: path, sentence: sentence(page) }] };
};

const rename = action({
  id: 'rename',
  label: 'Rename',
  kind: 'undoable',
  params: { title: p.text({ required: true }) },
  plan: (ctx, { title }) => {
    checkLength(ctx, 'rename', 'title', title);
    return changed(ctx, { title }, () => `renamed to ${quoted(title)}`);
  },
});

const pin = (page: Resource, pinned: boolean): Action =>
  action({
    id: 'pin',
    label: 'Pin',
    kind: 'undoable',
    params: {},
    absent: pinned
      ? {
          message: `${brief(page.label)} is pinned already and offers no pin.`,
          next: [['tilo_do ', { path: `${page.path}#unpin` }, ' takes it off the pins']],
        }
      : null,
    plan: (ctx) => changed(ctx, { pinned: true }, ({ title }) => `pinned ${quoted(title)}`),
  });

const unpin = (page: Resource, pinned: boolean): Action =>
  action({
    id: 'unpin',
    label: 'Take off the pins',
    kind: 'undoable',
    params: {},
    absent: pinned
      ? null
      : {
          message: `${brief(page.label)} is not pinned and offers no unpin.`,
          next: [['tilo_do ', { path: `${page.path}#pin` }, ' puts it among the pins']],
        },
    plan: (ctx) => changed(ctx, { pinned: false }, ({ title }) => `unpinned ${quoted(title)}`),
  });

const moveBlock = action({
  id: 'move-block',
  label: 'Move',
  kind: 'undoable',
  params: {
    id: p.text({ required: true }),
    after: p.text({ description: 'The item it goes after; the start when absent' }),
  },
  plan: (ctx, { id, after }) => {
    const { item: page, path } = ctx.resource;
    const block = namedBlock(ctx, page, path, id);
    if (after === id)
      return ctx.fail('invalid_arguments', 'A block cannot go after itself.', [
        ['tilo_read ', { path }, ' shows the keys of its blocks'],
      ]);
    const blocks = blocksOf(ctx, page);
    const before = blocks[blocks.findIndex(({ item }) => item === id) - 1];
    // Where it stands already: writing another place would say that something moved.
    if (before?.item === after) return { ops: [], touches: [] };
    return {
      ops: [putBlock(page, { ...block, order: placeBehind(ctx, after, 'start', id, id) })],
      touches: [{ resource: path, sentence: `moved ${quoted(block.text)}` }],
    };
  },
});

/** A signed copy of the page in the data directory: a real effect that leaves the machine alone (D-29). */
const share = action({
  id: 'share',
  label: 'Share',
  kind: 'outside',
  params: {
    with: p.text({ required: true, description: 'Who gets it' }),
    access: p.text({ choices: ['read', 'write'] }),
  },
  effect: async (ctx, { with: who, access }) => {
    const { item, label, path } = ctx.resource;
    const link = await ctx.publish({
      page: pageOf(ctx, item)?.title ?? label,
      with: who,
      access: access ?? 'read',
      shared_ms: ctx.now_ms,
      blocks: blocksOf(ctx, item).map(({ type, text, done }) => ({ type, text, done })),
    });
    return { result: { link }, touches: [{ resource: path, sentence: `shared with ${brief(who)}` }] };
  },
});

/** Asks first, and is nothing but operations all the same, so that the person can take it back (section 6.2). */
const deletePage = action({
  id: 'delete',
  label: 'Delete page',
  kind: 'outside',
  params: {},
  destroys: true,
  replaySafe: true,
  operationsOnly: true,
  effect: (ctx) => {
    const { item, label, path } = ctx.resource;
    return {
      ops: (state): readonly Write[] => [
        remove(pageKey(item)),
        ...blocksOf(state, item).map((block) => remove(blockKey(item, block.item))),
      ],
      touches: [{ resource: path, sentence: `deleted ${quoted(label)}` }],
    };
  },
});

/** What a page offers, in the order of the wire. */
export const pageActions = (page: Resource): readonly Action[] => {
  const pinned = pageOf(page, page.item)?.pinned ?? false;
  const { toggle, edit, take } = blockActionsAtPage(page);
  return [
    appendParagraph,
    appendCheckbox,
    appendHeading,
    rename,
    pin(page, pinned),
    unpin(page, pinned),
    toggle,
    edit,
    moveBlock,
    take,
    share,
    deletePage,
  ];
};
