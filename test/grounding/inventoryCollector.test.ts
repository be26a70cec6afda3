import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCollector, type InventoryRules } from '../../src/grounding/inventory/inventoryCollector.ts';

const rules = (maximum: number, rest: Partial<InventoryRules> = {}): InventoryRules => ({
  maximum,
  active: new Set(),
  pinned: new Set(),
  excludedDirectories: [],
  ...rest,
});

const collect = (names: readonly string[], given: InventoryRules) => {
  const collector = createCollector(given);
  for (const name of names) collector.offer(Buffer.from(name), true);
  return collector.finish();
};

describe('the collector of an inventory', () => {
  it('takes 300,000 names and keeps the first of them, with exact counts (T23)', () => {
    const names = Array.from({ length: 300_000 }, (_, n) => `d${(n * 7919) % 1000}/f${n}`);
    const { files, candidateFiles, cut, excluded } = collect(names, rules(1000));
    expect(files.map(({ path }) => path)).toEqual([...names].sort().slice(0, 1000));
    expect([candidateFiles, cut, excluded.get('inventory_budget')]).toEqual([300_000, 299_000, 299_000]);
  });

  it('holds little more than the budget at any time, also when each name comes before those that it holds', () => {
    setFlagsFromString('--expose-gc');
    const collectGarbage: unknown = runInNewContext('gc');
    if (typeof collectGarbage !== 'function') throw new Error('The engine gives no way to collect garbage.');
    const usedBytes = (): number => {
      collectGarbage();
      return getHeapStatistics().used_heap_size;
    };
    const collector = createCollector(rules(1000));
    const before = usedBytes();
    for (let n = 300_000; n > 0; n -= 1)
      collector.offer(Buffer.from(`${'d'.repeat(100)}/${String(n).padStart(6, '0')}`), true);
    // All of them would be 30 MB of names alone.
    expect(usedBytes() - before).toBeLessThan(8_000_000);
    expect(collector.finish().files[0]?.path).toMatch(/\/000001$/);
  });

  it('keeps active paths and instruction files whatever the budget cuts', () => {
    const names = [...Array.from({ length: 5000 }, (_, n) => `a${n}`), 'z/AGENTS.md', 'z/active'];
    const { files } = collect(names, rules(3, { active: new Set(['z/active', 'y/missing']) }));
    expect(files.map(({ path, tracked }) => [path, tracked])).toEqual([
      ['y/missing', false],
      ['z/active', true],
      ['z/AGENTS.md', true],
    ]);
  });

  it('gives the same inventory for every order of the listing', () => {
    const names = [
      'a',
      'b/c',
      'B',
      'é',
      'x/AGENTS.md',
      'dist/x',
      '.env',
      'node_modules/y',
      'state/z',
      'b//c2',
      '/absolute',
      'q',
    ];
    const given = rules(4, {
      active: new Set(['q', 'w']),
      pinned: new Set(['AGENTS.md']),
      excludedDirectories: ['state'],
    });
    const expected = collect(names, given);
    expect(expected.files.map(({ path }) => path)).toEqual(['AGENTS.md', 'q', 'w', 'x/AGENTS.md']);
    fc.assert(
      fc.property(fc.shuffledSubarray(names, { minLength: names.length }), (shuffled) => {
        expect(collect(shuffled, given)).toEqual(expected);
      }),
    );
  });

  it('holds a file once that was told twice, tracked and not, whatever was told between', () => {
    const collector = createCollector(rules(10));
    const tell = (name: string, tracked: boolean): void => collector.offer(Buffer.from(name), tracked);
    tell('a', false);
    tell('CLAUDE.local.md', true);
    tell('b', true);
    tell('a', true);
    tell('c', false);
    tell('CLAUDE.local.md', false);
    tell('b', false);
    const { files, candidateFiles } = collector.finish();
    expect(files).toEqual([
      { path: 'CLAUDE.local.md', tracked: true },
      { path: 'a', tracked: true },
      { path: 'b', tracked: true },
      { path: 'c', tracked: false },
    ]);
    expect(candidateFiles).toBe(4);
  });
});
