import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cursorOf, sequenceOf } from '../../../schemas/wire/cursor.ts';

describe('change ids and watch cursors', () => {
  it('name the sequence number they were made of', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), (sequence) => {
        expect(sequenceOf(cursorOf(sequence))).toBe(sequence);
      }),
    );
    expect(cursorOf(0)).toBe('c0');
    expect(cursorOf(1_298_090)).toBe('crtm2');
    expect(sequenceOf(cursorOf(Number.MAX_SAFE_INTEGER))).toBe(Number.MAX_SAFE_INTEGER);
  });

  it('have one spelling for each number', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[cC]?[0-9a-zA-Z.+ -]{0,13}$/), (text) => {
        const sequence = sequenceOf(text);
        if (sequence !== null) expect(cursorOf(sequence)).toBe(text);
      }),
      { numRuns: 500 },
    );
  });

  it.each(['', 'c', '12', 'hello', 'c-1', 'c01', 'C1', 'c1.5', 'c 1', 'c1\n', 'czzzzzzzzzzzz', 'c2gosa7pa2gw'])(
    'are not %j',
    (text) => {
      expect(sequenceOf(text)).toBeNull();
    },
  );
});
