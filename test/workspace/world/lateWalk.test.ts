import { expect, test } from 'vitest';
import { createFindIndex } from '../../../src/workspace/world/find/findIndex.ts';
import type { FindRow } from '../../../src/workspace/world/find/rows.ts';
import { openBench } from '../history/bench.ts';

const row: FindRow = { ref: 'slow', kind: 'slow', path: 'slow', label: 'Slow', content: 'slow', action: null };

test('a walk that hangs fails its search, is not waited for again, and counts when it ends after all', async () => {
  const bench = openBench();
  const index = createFindIndex(bench.store, 5);
  const slow = { id: 'slow', history: false };
  let end = (_rows: readonly FindRow[]): void => {};
  const hanging = new Promise<readonly FindRow[]>((resolve) => {
    end = resolve;
  });
  await expect(index.refresh('home', slow, () => hanging)).rejects.toThrow('not walked within 5 ms');
  let walked = 0;
  const again = (): Promise<readonly FindRow[]> => {
    walked += 1;
    return Promise.resolve([row]);
  };
  await expect(index.refresh('home', slow, again)).rejects.toThrow('still being walked');
  expect(walked).toBe(0);
  await index.refresh('home', { id: 'quick', history: false }, () => Promise.resolve([]));

  end([{ ...row, label: 'Late' }]);
  await expect.poll(() => index.rows('home', 'slow').map(({ label }) => label)).toEqual(['Late']);
  await expect
    .poll(() =>
      index.refresh('home', slow, again).then(
        () => true,
        () => false,
      ),
    )
    .toBe(true);
  expect(index.rows('home', 'slow').map(({ label }) => label)).toEqual(['Slow']);
});
