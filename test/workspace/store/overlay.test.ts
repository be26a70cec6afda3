import fc from 'fast-check';
import { expect, it } from 'vitest';
import { overlay, spaceOf } from '../../../src/workspace/store/overlay.ts';
import { newDirectory, storeAt } from './fixtures.ts';
import { keys, prefixes, writes } from './samples.ts';

it('an overlay reads to the byte as the state does once its writes are applied', () => {
  const store = storeAt(newDirectory());
  let workspace = 0;
  fc.assert(
    fc.property(writes, writes, writes, prefixes, keys, (before, planned, more, prefix, key) => {
      const name = `w${workspace++}`;
      store.write(name, 'notes', before);
      store.write(name, 'files', before);
      const first = overlay(store.states, new Map([[spaceOf(name, 'notes'), planned]]));
      const second = overlay(first, new Map([[spaceOf(name, 'notes'), more]]));
      const ofOver = (source: typeof store.states): string =>
        JSON.stringify([
          source.of(name, 'notes').list(''),
          source.of(name, 'notes').list(prefix),
          source.of(name, 'notes').get(key) ?? 'absent',
        ]);
      const [one, two] = [ofOver(first), ofOver(second)];
      expect(first.of(name, 'files').list('')).toEqual(store.states.of(name, 'files').list(''));
      store.write(name, 'notes', planned);
      expect(one).toBe(ofOver(store.states));
      store.write(name, 'notes', more);
      expect(two).toBe(ofOver(store.states));
      for (const { key: written } of [...planned, ...more])
        expect(second.of(name, 'notes').get(written)).toEqual(store.states.of(name, 'notes').get(written));
    }),
    { numRuns: 200 },
  );
});

it('an overlay refuses what a store would refuse', () => {
  const store = storeAt(newDirectory());
  const over = (key: string, value: number) => () =>
    overlay(store.states, new Map([[spaceOf('home', 'notes'), [{ key, value }]]]));
  expect(over('a', Number.POSITIVE_INFINITY)).toThrow('canonical');
  expect(over('\udc00', 1)).toThrow(RangeError);
});
