import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json, Write } from '../../../src/workspace/apps/app.ts';
import type { Store } from '../../../src/workspace/store/store.ts';
import { newDirectory, storeAt } from './fixtures.ts';
import { keys, prefixes, writes } from './samples.ts';

/** What stands in the database itself, by its own order. */
const rowsOf = (store: Store): unknown[] =>
  store.db
    .prepare<[], { key: string; value: string }>("SELECT key, value FROM docs WHERE app = 'notes' ORDER BY key")
    .all()
    .map(({ key, value }) => [key, JSON.parse(value)]);

/** One thing that happens to a store: writes, or a transaction of more that may fail, by either way to begin one. */
type Happening =
  | Readonly<{ type: 'write'; writes: readonly Write[] }>
  | Readonly<{ type: 'read' }>
  | Readonly<{ type: 'inside'; through: 'store' | 'db'; fails: boolean; happenings: readonly Happening[] }>;

const { happening } = fc.letrec<{ happening: Happening; inside: Happening }>((tie) => ({
  happening: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.record({ type: fc.constant('write'), writes }),
    fc.constant({ type: 'read' as const }),
    tie('inside'),
  ),
  inside: fc.record({
    type: fc.constant('inside'),
    through: fc.constantFrom('store', 'db'),
    fails: fc.boolean(),
    happenings: fc.array(tie('happening'), { maxLength: 4 }),
  }),
}));

class Failed extends Error {}

const happen = (store: Store, what: Happening): void => {
  const state = store.states.of('home', 'notes');
  if (what.type === 'write') store.write('home', 'notes', what.writes);
  else if (what.type === 'read') expect(state.list('')).toEqual(rowsOf(store));
  else {
    const work = (): void => {
      for (const one of what.happenings) happen(store, one);
      if (what.fails) throw new Failed();
    };
    try {
      if (what.through === 'store') store.transaction(work);
      else store.db.transaction(work)();
    } catch (error) {
      if (!(error instanceof Failed)) throw error;
    }
  }
  expect(state.list('')).toEqual(rowsOf(store));
};

describe('the state of an app', () => {
  it('reads as the database holds it, inside and after transactions that nest, succeed or fail', () => {
    const store = storeAt(newDirectory());
    fc.assert(
      fc.property(fc.array(happening, { maxLength: 6 }), prefixes, (happenings, prefix) => {
        for (const what of happenings) happen(store, what);
        const rows = rowsOf(store);
        const state = store.states.of('home', 'notes');
        expect(state.list(prefix)).toEqual(rows.filter((row) => Array.isArray(row) && row[0].startsWith(prefix)));
        // The same inside a transaction, where nothing is kept.
        store.db.transaction(() => {
          store.write('home', 'notes', [{ key: 'probe', value: null }]);
          expect(state.list(prefix)).toEqual(
            store.states
              .of('home', 'notes')
              .list('')
              .filter(([key]) => key.startsWith(prefix)),
          );
        })();
      }),
      { numRuns: 100 },
    );
  });

  it('lists in the order of the bytes of the keys', () => {
    const store = storeAt(newDirectory());
    fc.assert(
      fc.property(fc.uniqueArray(keys, { maxLength: 12 }), (names) => {
        store.write(
          'home',
          'notes',
          store.states
            .of('home', 'notes')
            .list('')
            .map(([key]) => ({ key, value: null })),
        );
        store.write(
          'home',
          'notes',
          names.map((key) => ({ key, value: 1 })),
        );
        const sorted = names.toSorted((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
        expect(
          store.states
            .of('home', 'notes')
            .list('')
            .map(([key]) => key),
        ).toEqual(sorted);
        expect(rowsOf(store)).toEqual(sorted.map((key) => [key, 1]));
      }),
      { numRuns: 100 },
    );
  });

  it('reads 10,000 keys from what is kept, and a list that was given stays as it was', () => {
    const store = storeAt(newDirectory());
    store.write(
      'home',
      'notes',
      Array.from({ length: 10_000 }, (_, n) => ({ key: `block/${n}`, value: n })),
    );
    const state = store.states.of('home', 'notes');
    const before = state.list('block/99');
    store.write('home', 'notes', [{ key: 'block/99', value: 'new' }]);
    expect(before).toHaveLength(111);
    expect(before[0]).toEqual(['block/99', 99]);
    expect(state.get('block/99')).toBe('new');
    expect(state.list('block/99')[0]).toEqual(['block/99', 'new']);
  });

  it('cannot be changed but by operations', () => {
    const store = storeAt(newDirectory());
    const written: { list: Json[] } = { list: [1] };
    store.write('home', 'notes', [{ key: 'a', value: written }]);
    written.list.push(2);
    const read = store.states.of('home', 'notes').get('a');
    expect(read).toEqual({ list: [1] });
    expect(Object.isFrozen(read) && typeof read === 'object' && Object.isFrozen(Object.values(read ?? {})[0])).toBe(
      true,
    );
  });

  it('takes nothing that JSON or UTF-8 cannot say, and then nothing at all', () => {
    const store = storeAt(newDirectory());
    const good = { key: 'a', value: 1 };
    expect(() => store.write('home', 'notes', [good, { key: 'b', value: Number.NaN }])).toThrow('canonical');
    expect(() => store.write('home', 'notes', [good, { key: '\ud800', value: 1 }])).toThrow(RangeError);
    expect(store.states.of('home', 'notes').list('')).toEqual([]);
    expect(store.stateVersion('home', 'notes')).toBe(0);
  });

  it('forgets those used longest ago and reads them again', () => {
    const store = storeAt(newDirectory());
    const spaces = Array.from({ length: 40 }, (_, n) => `w${n}`);
    for (const space of spaces) store.write(space, 'notes', [{ key: 'a', value: space }]);
    for (const space of [...spaces, ...spaces]) expect(store.states.of(space, 'notes').get('a')).toBe(space);
  });

  it('has a version that rises with each commit that writes, and with no other', () => {
    const store = storeAt(newDirectory());
    expect(store.stateVersion('home', 'notes')).toBe(0);
    store.write('home', 'notes', [{ key: 'a', value: 1 }]);
    store.write('home', 'notes', []);
    expect(store.stateVersion('home', 'notes')).toBe(1);
    expect(() =>
      store.transaction(() => {
        store.write('home', 'notes', [{ key: 'a', value: 2 }]);
        throw new Failed();
      }),
    ).toThrow(Failed);
    expect(store.stateVersion('home', 'notes')).toBe(1);
    store.raiseCounter('home', 'notes', 5);
    expect(store.stateVersion('home', 'notes')).toBe(1);
    expect(store.stateVersion('home', 'files')).toBe(0);
  });
});

describe('the counter of an app', () => {
  it('begins at 1, is the highest it was ever raised to, and is not lowered by writes', () => {
    const store = storeAt(newDirectory());
    let app = 0;
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.nat(50), fc.constant(null)), { maxLength: 10 }), (raises) => {
        const id = `a${app++}`;
        let highest = 1;
        for (const next of raises) {
          if (next === null) store.write('home', id, [{ key: 'a', value: 1 }]);
          else store.raiseCounter('home', id, next);
          highest = Math.max(highest, next ?? 1);
          expect(store.counter('home', id)).toBe(highest);
        }
      }),
      { numRuns: 100 },
    );
  });
});

describe('a transaction', () => {
  it('gives what its work gives and keeps what an inner one that failed had not written', () => {
    const store = storeAt(newDirectory());
    const given = store.transaction(() => {
      store.write('home', 'notes', [{ key: 'a', value: 1 }]);
      expect(() =>
        store.transaction(() => {
          store.write('home', 'notes', [{ key: 'a', value: 2 }]);
          throw new Failed();
        }),
      ).toThrow(Failed);
      return store.states.of('home', 'notes').get('a');
    });
    expect([given, store.states.of('home', 'notes').get('a')]).toEqual([1, 1]);
  });
});
