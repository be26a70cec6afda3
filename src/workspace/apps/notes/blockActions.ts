import { printSegment } from '../../../../schemas/wire/path.ts';
import { action } from '../action.ts';
import type { Action, PlanContext, Resource } from '../app.ts';
import { remove } from '../outcome.ts';
import { p } from '../params.ts';
import { type BlockType, blockKey, blockOf, type NotesBlock, putBlock } from './documents.ts';
import { brief, checkLength, quoted } from './texts.ts';

/** Where an action on a block is called: at the block itself, or at its page with the block's key. */
interface Site {
  readonly page: string;
  /** The page's path. */
  readonly path: string;
  readonly fromItem: boolean;
  /** The block that the action is called at. */
  readonly block: NotesBlock | null;
}

const atPage = (page: Resource): Site => ({ page: page.item, path: page.path, fromItem: false, block: null });

const atBlock = (resource: Resource): Site => {
  const [page = ''] = resource.items;
  return {
    page,
    path: resource.path.slice(0, resource.path.lastIndexOf('/')),
    fromItem: true,
    block: blockOf(resource, page, resource.item),
  };
};

const pathOf = ({ path }: Site, item: string): string => `${path}/${printSegment(item)}`;

const idFromItem = { id: p.text({ required: true, fromItem: true }) } as const;
const idFromCaller = { id: p.text({ required: true }) } as const;
const idOf = ({ fromItem }: Site): typeof idFromItem | typeof idFromCaller => (fromItem ? idFromItem : idFromCaller);

/** The block of a page that a caller names by its key. */
export const namedBlock = (ctx: PlanContext, page: string, path: string, item: string): NotesBlock =>
  blockOf(ctx, page, item) ??
  ctx.fail('invalid_arguments', `${brief(ctx.resource.label)} has no block with the key ${brief(item)}.`, [
    ['tilo_read ', { path }, ' shows the keys of its blocks'],
  ]);

const spoken: Readonly<Record<BlockType, string>> = {
  paragraph: 'a paragraph',
  checkbox: 'a checkbox',
  heading: 'a heading',
};

const toggle = (site: Site): Action =>
  action({
    id: 'toggle-checkbox',
    label: 'Done',
    kind: 'undoable',
    params: idOf(site),
    absent:
      site.block === null || site.block.type === 'checkbox'
        ? null
        : { message: `${brief(site.block.text)} is ${spoken[site.block.type]} and offers no toggle-checkbox.` },
    plan: (ctx, { id }) => {
      const block = namedBlock(ctx, site.page, site.path, id);
      if (block.done === null)
        return ctx.fail('invalid_arguments', `${quoted(block.text)} is ${spoken[block.type]} and cannot be ticked.`, [
          ['tilo_ls ', { path: pathOf(site, id) }, ' lists what it offers'],
        ]);
      return {
        ops: [putBlock(site.page, { ...block, done: !block.done })],
        touches: [
          { resource: pathOf(site, id), sentence: `${block.done ? 'unticked' : 'ticked'} ${quoted(block.text)}` },
        ],
      };
    },
  });

const edit = (site: Site): Action =>
  action({
    id: 'edit-block',
    label: 'Edit',
    kind: 'undoable',
    params: { ...idOf(site), text: p.text({ required: true }) },
    plan: (ctx, { id, text }) => {
      checkLength(ctx, 'edit-block', 'text', text);
      const block = namedBlock(ctx, site.page, site.path, id);
      return {
        ops: [putBlock(site.page, { ...block, text })],
        touches: [{ resource: pathOf(site, id), sentence: `edited ${quoted(text)}` }],
      };
    },
  });

const take = (site: Site): Action =>
  action({
    id: 'remove-block',
    label: 'Remove',
    kind: 'undoable',
    params: idOf(site),
    destroys: true,
    plan: (ctx, { id }) => {
      const block = namedBlock(ctx, site.page, site.path, id);
      return {
        ops: [remove(blockKey(site.page, id))],
        touches: [{ resource: site.path, sentence: `removed ${quoted(block.text)}` }],
      };
    },
  });

/** What a block offers at its own path, where its key is known. */
export const blockActions = (block: Resource): readonly Action[] => {
  const site = atBlock(block);
  return [toggle(site), edit(site), take(site)];
};

/** The same actions at a page, which name the block by its key. */
export const blockActionsAtPage = (page: Resource): Readonly<Record<'toggle' | 'edit' | 'take', Action>> => {
  const site = atPage(page);
  return { toggle: toggle(site), edit: edit(site), take: take(site) };
};
