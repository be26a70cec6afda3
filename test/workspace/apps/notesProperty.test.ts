import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { notes } from '../../../src/workspace/apps/notes/notes.ts';
import { AppFailure, type Bench, createBench, type Done } from './bench.ts';

/** What a notebook should be, kept beside the app by the plainest means. */
interface Block {
  readonly item: string;
  readonly type: 'paragraph' | 'checkbox' | 'heading';
  text: string;
  done: boolean | null;
}

interface Page {
  readonly item: string;
  title: string;
  pinned: boolean;
  blocks: Block[];
}

interface Step {
  readonly do: 'new-page' | 'rename' | 'pin' | 'delete' | 'share' | 'append' | 'toggle' | 'remove' | 'edit' | 'move';
  readonly page: number;
  readonly block: number;
  readonly after: number | null;
  readonly type: Block['type'];
  readonly text: string;
  /** Whether an action on a block is called at the block, and not at its page. */
  readonly own: boolean;
}

const index = fc.nat({ max: 12 });

const steps = fc.array(
  fc.record<Step>({
    do: fc.constantFrom(
      ...(['new-page', 'rename', 'pin', 'delete', 'share', 'toggle', 'remove', 'edit'] as const),
      ...(['append', 'append', 'append', 'move', 'move', 'toggle', 'new-page'] as const),
    ),
    page: index,
    block: index,
    after: fc.option(index, { nil: null }),
    type: fc.constantFrom('paragraph', 'checkbox', 'heading'),
    text: fc.string({ maxLength: 12 }),
    own: fc.boolean(),
  }),
  { maxLength: 40 },
);

const picked = <T>(list: readonly T[], at: number): T | undefined =>
  list.length === 0 ? undefined : list[at % list.length];

const given = (outcome: Done['outcome']): string => {
  const { result } = outcome;
  if (typeof result !== 'object' || result === null) throw new Error('no result');
  return String(Object.values(result)[0]);
};

/** Takes one step in both; a step that has nothing to act on is left out. */
const take = async (bench: Bench, pages: Page[], step: Step): Promise<Done | null> => {
  if (step.do === 'new-page') {
    const done = await bench.run([], 'new-page', { title: step.text });
    pages.push({ item: given(done.outcome), title: step.text, pinned: false, blocks: [] });
    return done;
  }
  const page = picked(pages, step.page);
  if (!page) return null;
  const at = [page.item];
  const behind = step.after === null ? undefined : picked(page.blocks, step.after);
  const after = behind ? { after: behind.item } : {};
  switch (step.do) {
    case 'rename':
      page.title = step.text;
      return bench.run(at, 'rename', { title: step.text });
    case 'pin':
      page.pinned = !page.pinned;
      return bench.run(at, page.pinned ? 'pin' : 'unpin');
    case 'share':
      return bench.run(at, 'share', { with: step.text });
    case 'delete':
      pages.splice(pages.indexOf(page), 1);
      return bench.run(at, 'delete');
    case 'append': {
      const where = step.type === 'heading' ? {} : after;
      const done = await bench.run(at, `append-${step.type}`, { text: step.text, ...where });
      const block = {
        item: given(done.outcome),
        type: step.type,
        text: step.text,
        done: step.type === 'checkbox' ? false : null,
      };
      const place = 'after' in where && behind ? page.blocks.indexOf(behind) + 1 : page.blocks.length;
      page.blocks.splice(place, 0, block);
      return done;
    }
  }
  const block = picked(page.blocks, step.block);
  if (!block) return null;
  const site = step.own ? [page.item, block.item] : at;
  const id = step.own ? {} : { id: block.item };
  switch (step.do) {
    case 'toggle':
      if (block.done === null) {
        await expect(bench.run(site, 'toggle-checkbox', id)).rejects.toThrow(AppFailure);
        return null;
      }
      block.done = !block.done;
      return bench.run(site, 'toggle-checkbox', id);
    case 'edit':
      block.text = step.text;
      return bench.run(site, 'edit-block', { ...id, text: step.text });
    case 'remove':
      page.blocks.splice(page.blocks.indexOf(block), 1);
      return bench.run(site, 'remove-block', id);
    case 'move': {
      if (behind === block) return null;
      const done = await bench.run(at, 'move-block', { id: block.item, ...after });
      page.blocks.splice(page.blocks.indexOf(block), 1);
      page.blocks.splice(behind ? page.blocks.indexOf(behind) + 1 : 0, 0, block);
      return done;
    }
  }
};

const BlockFields = z.strictObject({
  type: z.enum(['paragraph', 'checkbox', 'heading']),
  text: z.string(),
  done: z.boolean().nullable(),
});

/** The notebook as it reads, item by item. */
const readOut = async (bench: Bench): Promise<Page[]> => {
  const pages: Page[] = [];
  for (const { item, name } of await bench.list('notes')) {
    const { title, pinned } = await bench.read(item);
    expect(title).toBe(name);
    const blocks: Block[] = [];
    for (const { item: block } of await bench.list('blocks', item)) {
      const { type, text, done } = BlockFields.parse(await bench.read(item, block));
      blocks.push({ item: block, type, text, done });
    }
    pages.push({ item, title: name, pinned: pinned === true, blocks });
  }
  expect(await bench.read()).toEqual({ pages: pages.length });
  return pages;
};

const opened = async (): Promise<{ bench: Bench; pages: Page[] }> => {
  const bench = createBench(notes);
  const pages: Page[] = [];
  for (const text of ['Garden', 'House move'])
    await take(bench, pages, { do: 'new-page', text, page: 0, block: 0, after: null, type: 'paragraph', own: false });
  return { bench, pages };
};

describe('a notebook under random actions', () => {
  it('stays readable, keeps the order that was asked for, and gives no item key twice', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const { bench, pages } = await opened();
        const keys: string[] = [];
        for (const step of all) {
          const done = await take(bench, pages, step);
          if (done && (step.do === 'append' || step.do === 'new-page')) keys.push(given(done.outcome));
        }
        expect(await readOut(bench)).toEqual(pages);
        expect(new Set(keys).size).toBe(keys.length);
      }),
      { numRuns: 200 },
    );
  });

  it('touches what it says: each action writes keys of the page it was called at, one alone unless it deletes', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const { bench, pages } = await opened();
        for (const step of all) {
          const page = step.do === 'new-page' ? undefined : picked(pages, step.page)?.item;
          const done = await take(bench, pages, step);
          if (!done) continue;
          if (step.do !== 'delete') expect(done.writes.length).toBeLessThanOrEqual(1);
          for (const { key } of done.writes) expect(key.split('/')[1]).toBe(page ?? given(done.outcome));
          for (const { resource } of done.outcome.touches ?? [])
            expect(resource.split('/')[1]).toBe(page ?? given(done.outcome));
        }
      }),
      { numRuns: 100 },
    );
  });

  it('is put back byte by byte when its changes are taken back, newest first, at every point', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const { bench, pages } = await opened();
        const past: { dump: string; inverse: Done['inverse'] }[] = [];
        for (const step of all) {
          const dump = bench.state.dump();
          const done = await take(bench, pages, step);
          if (done) past.push({ dump, inverse: done.inverse });
        }
        for (const { dump, inverse } of past.reverse()) {
          bench.state.write(inverse);
          expect(bench.state.dump()).toBe(dump);
        }
      }),
      { numRuns: 100 },
    );
  });

  it('keeps both of two blocks that were put at one place, in one order, when one is taken back and put back', async () => {
    const { bench, pages } = await opened();
    const [page] = pages;
    if (!page) throw new Error('no page');
    await bench.run([page.item], 'append-paragraph', { text: 'first' });
    await bench.run([page.item], 'append-paragraph', { text: 'last' });
    const [first] = await bench.list('blocks', page.item);
    const insert = (text: string): Promise<Done> =>
      bench.run([page.item], 'append-paragraph', { text, after: first?.item });
    const one = await insert('one');
    bench.state.write(one.inverse);
    await insert('other');
    bench.state.write(one.writes);
    const names = async (): Promise<string[]> => (await bench.list('blocks', page.item)).map(({ name }) => name);
    expect((await names()).slice().sort()).toEqual(['first', 'last', 'one', 'other']);
    const [, second] = await bench.list('blocks', page.item);
    await bench.run([page.item], 'append-paragraph', { text: 'between', after: second?.item });
    expect((await names())[2]).toBe('between');
    expect(await names()).toHaveLength(5);
  });
});
