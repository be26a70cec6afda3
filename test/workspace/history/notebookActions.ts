import fc from 'fast-check';
import type { Args } from '../../../src/workspace/apps/app.ts';
import { blocksOf, type NotesBlock, pageOf, pagesOf } from '../../../src/workspace/apps/notes/documents.ts';
import type { Bench } from './bench.ts';

/** One move of somebody in a notebook, before it is known what is there: the numbers pick among what they may touch. */
export interface Move {
  readonly what: 'append' | 'tick' | 'edit' | 'shift' | 'drop' | 'rename' | 'pin' | 'page' | 'delete';
  readonly page: number;
  readonly block: number;
  readonly text: string;
}

const text = fc.string({ minLength: 1, maxLength: 12 }).filter((line) => line.trim() !== '');

export const moves = fc.record<Move>({
  what: fc.constantFrom('append', 'tick', 'edit', 'shift', 'drop', 'rename', 'pin', 'page', 'delete'),
  page: fc.nat(1000),
  block: fc.nat(1000),
  text,
});

/** What somebody may touch: pages of their own, and on every page the blocks that are theirs. */
export interface Territory {
  /** Item keys of pages whose own document they may change, and remove. */
  readonly pages: Set<string>;
  /** Item keys of blocks. */
  readonly blocks: Set<string>;
}

type Call = Readonly<{ path: string; args: Args }>;

const pick = <T>(from: readonly T[], number: number): T | undefined => from[number % Math.max(1, from.length)];

/** The call that a move comes to in the notebook as it stands; null when there is nothing to touch. */
export const callOf = (bench: Bench, { what, page, block, text }: Move, own: Territory): Call | null => {
  const state = bench.store.states.of('home', 'notes');
  const pages = pagesOf(state);
  const ownPage = pick(
    pages.filter(({ item }) => own.pages.has(item)),
    page,
  );
  const ownBlock = pick(
    pages.flatMap(({ item }) =>
      blocksOf(state, item)
        .filter((found) => own.blocks.has(found.item))
        .map((found): NotesBlock & { page: string } => ({ ...found, page: item })),
    ),
    block,
  );
  const onBlock = (action: string, args: Args = {}): Call | null =>
    ownBlock ? { path: `notes/${ownBlock.page}#${action}`, args: { id: ownBlock.item, ...args } } : null;
  switch (what) {
    case 'append': {
      const any = pick(pages, page);
      return any ? { path: `notes/${any.item}#append-checkbox`, args: { text } } : null;
    }
    case 'tick':
      return ownBlock?.type === 'checkbox' ? onBlock('toggle-checkbox') : null;
    case 'edit':
      return onBlock('edit-block', { text });
    case 'shift':
      return onBlock('move-block');
    case 'drop':
      return onBlock('remove-block');
    case 'rename':
      return ownPage ? { path: `notes/${ownPage.item}#rename`, args: { title: text } } : null;
    case 'pin':
      return ownPage
        ? { path: `notes/${ownPage.item}#${pageOf(state, ownPage.item)?.pinned ? 'unpin' : 'pin'}`, args: {} }
        : null;
    case 'page':
      return { path: 'notes#new-page', args: { title: text } };
    case 'delete':
      // A page goes with its blocks: only where all of them are one's own.
      return ownPage && blocksOf(state, ownPage.item).every(({ item }) => own.blocks.has(item))
        ? { path: `notes/${ownPage.item}#delete`, args: {} }
        : null;
  }
};

/** Keys whose bytes differ. */
export const differing = (before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): readonly string[] =>
  [...new Set([...before.keys(), ...after.keys()])].filter((key) => before.get(key) !== after.get(key));
