import type { Write } from '../../src/workspace/apps/app.ts';
import { type BlockType, putBlock, putPage } from '../../src/workspace/apps/notes/documents.ts';
import { placeBetween } from '../../src/workspace/apps/notes/order.ts';

/** A page of notes as the wire's fixture writes it down. */
export interface NotebookPage {
  readonly item: string;
  readonly title: string;
  readonly pinned: boolean;
  readonly blocks: readonly Readonly<{ item: string; type: BlockType; text: string; done?: boolean }>[];
}

/** The writes that make an empty notebook hold these pages, for `store.write(workspace, 'notes', …)`. */
export const notebookWrites = (pages: readonly NotebookPage[]): readonly Write[] => {
  const writes: Write[] = [];
  let last: string | null = null;
  for (const { item, title, pinned, blocks } of pages) {
    last = placeBetween(last, null, item);
    writes.push(putPage({ item, title, pinned, order: last }));
    let end: string | null = null;
    for (const block of blocks) {
      end = placeBetween(end, null, block.item);
      const { type, text, done = null } = block;
      writes.push(putBlock(item, { item: block.item, type, text, done, order: end }));
    }
  }
  return writes;
};
