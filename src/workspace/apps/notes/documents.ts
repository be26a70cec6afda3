import { z } from 'zod';
import type { State, Write } from '../app.ts';
import { put } from '../outcome.ts';
import { byPlace } from './order.ts';

/** What notes keeps: one document a page and one a block, so that changes of different things never meet. */

export const BlockType = z.enum(['paragraph', 'checkbox', 'heading']);
export type BlockType = z.infer<typeof BlockType>;

const PageDocument = z.object({ title: z.string(), pinned: z.boolean(), order: z.string() });
type PageDocument = z.infer<typeof PageDocument>;

const BlockDocument = z.object({
  type: BlockType,
  text: z.string(),
  /** Null unless it is a checkbox. */
  done: z.boolean().nullable(),
  order: z.string(),
});
type BlockDocument = z.infer<typeof BlockDocument>;

/** A page with its item key. */
export interface NotesPage extends PageDocument {
  readonly item: string;
}

/** A block with its item key. */
export interface NotesBlock extends BlockDocument {
  readonly item: string;
}

const pagePrefix = 'page/';
const blockPrefix = (page: string): string => `block/${page}/`;

/** The key of a page's document. */
export const pageKey = (page: string): string => `${pagePrefix}${page}`;
/** The key of a block's document: under its page, which never changes. */
export const blockKey = (page: string, block: string): string => `${blockPrefix(page)}${block}`;

/** Item keys of this app: what a caller writes as one is looked up only when it can be one. */
const itemKey = /^[0-9a-z]{1,64}$/;

/** Every page, in order. */
export const pagesOf = (state: State): readonly NotesPage[] =>
  state
    .list(pagePrefix)
    .map(([key, value]) => ({ item: key.slice(pagePrefix.length), ...PageDocument.parse(value) }))
    .sort(byPlace);

/** Every block of a page, in order. */
export const blocksOf = (state: State, page: string): readonly NotesBlock[] => {
  const prefix = blockPrefix(page);
  return state
    .list(prefix)
    .map(([key, value]) => ({ item: key.slice(prefix.length), ...BlockDocument.parse(value) }))
    .sort(byPlace);
};

/** A page by its key; null when there is none. */
export const pageOf = (state: State, item: string): NotesPage | null => {
  const value = itemKey.test(item) ? state.get(pageKey(item)) : undefined;
  return value === undefined ? null : { item, ...PageDocument.parse(value) };
};

/** A block of a page by its key; null when there is none. */
export const blockOf = (state: State, page: string, item: string): NotesBlock | null => {
  const value = itemKey.test(item) ? state.get(blockKey(page, item)) : undefined;
  return value === undefined ? null : { item, ...BlockDocument.parse(value) };
};

/** Writes a page as it shall stand. */
export const putPage = ({ item, title, pinned, order }: NotesPage): Write =>
  put(pageKey(item), { title, pinned, order });

/** Writes a block as it shall stand. */
export const putBlock = (page: string, { item, type, text, done, order }: NotesBlock): Write =>
  put(blockKey(page, item), { type, text, done, order });
