import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Children } from '../../../src/workspace/apps/app.ts';
import { pageChildren } from '../../../src/workspace/apps/defineApp.ts';
import { notes } from '../../../src/workspace/apps/notes/notes.ts';
import { WireFailure } from '../../../src/workspace/failure.ts';
import { createBench } from './bench.ts';

const root = await createBench(notes).at();

const childrenOf = (sizes: readonly number[]): Children =>
  Object.fromEntries(
    sizes.map((size, list) => [
      `list${list}`,
      Array.from({ length: size }, (_, index) => ({ item: `${list}-${index}`, name: `${index}` })),
    ]),
  );

const flat = (children: Children): string[] =>
  Object.entries(children).flatMap(([list, rows]) => rows.map(({ item }) => `${list} ${item}`));

describe('a page of children', () => {
  it('holds at most what a read may give, over all lists, and the pages together hold every child once in order', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 30 }), { maxLength: 5 }), fc.integer({ min: 1, max: 20 }), (sizes, most) => {
        const children = childrenOf(sizes);
        const seen: string[] = [];
        let cursor: string | undefined;
        do {
          const page = pageChildren(root, children, { children: most, ...(cursor !== undefined && { cursor }) });
          const rows = flat(page.children);
          expect(Object.keys(page.children)).toEqual(Object.keys(children));
          expect(rows.length).toBeLessThanOrEqual(most);
          seen.push(...rows);
          cursor = page.cursor;
        } while (cursor !== undefined);
        expect(seen).toEqual(flat(children));
      }),
      { numRuns: 200 },
    );
  });

  it('is read without a cursor when everything fits', () => {
    expect(pageChildren(root, childrenOf([200]), { children: 200 })).not.toHaveProperty('cursor');
    expect(pageChildren(root, childrenOf([200, 1]), { children: 200 })).toHaveProperty('cursor', '200');
  });

  it('is empty behind the last child', () => {
    expect(flat(pageChildren(root, childrenOf([3]), { children: 200, cursor: '9' }).children)).toEqual([]);
  });

  it.each(['', '0', '-1', '1.5', 'x', '01', '1e3', '9999999999'])(
    'refuses the cursor %j and says how to go on',
    (cursor) => {
      try {
        pageChildren(root, {}, { children: 200, cursor });
        expect.unreachable();
      } catch (error) {
        expect(error).toBeInstanceOf(WireFailure);
        expect(error).toMatchObject({ failure: { code: 'invalid_cursor', next: [expect.anything()] } });
      }
    },
  );
});
