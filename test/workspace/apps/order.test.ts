import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { placeBetween } from '../../../src/workspace/apps/notes/order.ts';

const item = (index: number): string => index.toString(36).padStart(4, '0');

/** Puts items between neighbours, each at a share of the list's length. */
const built = (shares: readonly number[]): string[] => {
  const places: string[] = [];
  for (const [index, share] of shares.entries()) {
    const at = Math.round(share * places.length);
    places.splice(at, 0, placeBetween(places[at - 1] ?? null, places[at] ?? null, item(index)));
  }
  return places;
};

const shares = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 120 });

describe('places in an order', () => {
  it('lie strictly between their neighbours, wherever things are put', () => {
    fc.assert(
      fc.property(shares, (all) => {
        const places = built(all);
        expect(places).toEqual([...places].sort());
        expect(new Set(places).size).toBe(places.length);
      }),
      { numRuns: 300 },
    );
  });

  it('differ when two things are put between the same two, and leave room between them', () => {
    fc.assert(
      fc.property(shares, fc.double({ min: 0, max: 1, noNaN: true }), (all, share) => {
        const places = built(all);
        const at = Math.round(share * places.length);
        const [before, after] = [places[at - 1] ?? null, places[at] ?? null];
        const [one, other] = [placeBetween(before, after, 'zz01'), placeBetween(before, after, 'zz02')].sort();
        const within = placeBetween(one ?? null, other ?? null, 'zz03');
        expect([before ?? '', one, within, other, after ?? '~']).toEqual(
          [before ?? '', one, within, other, after ?? '~'].sort(),
        );
        expect(new Set([one, within, other]).size).toBe(3);
      }),
      { numRuns: 300 },
    );
  });

  it('grow by the logarithm when things are always put at an end', () => {
    for (const end of ['end', 'start']) {
      let place = placeBetween(null, null, item(0));
      for (let index = 1; index < 50_000; index += 1) {
        const next = end === 'end' ? placeBetween(place, null, item(index)) : placeBetween(null, place, item(index));
        if (end === 'end' ? next <= place : next >= place) throw new Error(`${place} then ${next}`);
        place = next;
      }
      expect(place.length).toBeLessThan(12);
    }
  });

  it('grow slowly when things are always put at the same place in the middle', () => {
    let before = placeBetween(null, null, item(0));
    const after = placeBetween(before, null, item(1));
    for (let index = 2; index < 1000; index += 1) before = placeBetween(before, after, item(index));
    expect(before.length).toBeLessThan(1000);
  });
});
