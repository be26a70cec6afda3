import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalEqual, setDifference } from '../../machines/rules/equality.ts';

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, member]) => [key, sorted(member)]),
  );
};

describe('canonical equality', () => {
  it('agrees with the comparison of sorted JSON', () => {
    const small = fc.jsonValue({ maxDepth: 3, noUnicodeString: true });
    fc.assert(
      fc.property(small, small, (a, b) => {
        expect(canonicalEqual(a, b)).toBe(JSON.stringify(sorted(a)) === JSON.stringify(sorted(b)));
        expect(canonicalEqual(a, JSON.parse(JSON.stringify(a)))).toBe(true);
      }),
    );
  });
  it('counts the order of a list and not that of keys', () => {
    expect(canonicalEqual({ a: 1, b: [1, 2] }, { b: [1, 2], a: 1 })).toBe(true);
    expect(canonicalEqual([1, 2], [2, 1])).toBe(false);
    expect(canonicalEqual({ a: 1 }, { a: 1, b: null })).toBe(false);
    expect(canonicalEqual([], {})).toBe(false);
  });
});

describe('the difference of a list from a set', () => {
  it('is null exactly when the list holds each member once and no other', () => {
    expect(setDifference(['b', 'a'], ['a', 'b'])).toBeNull();
    expect(setDifference(['a', 'a', 'c'], ['a', 'b'])).toEqual({ missing: ['b'], extra: ['c'], repeated: ['a'] });
  });
});
