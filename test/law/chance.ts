/** A source of choices that a seed decides: the same seed gives the same choices. */
export interface Chance {
  /** A whole number from 0 up to, not including, `below`. */
  under(below: number): number;
  /** True once in `times`. */
  once(times: number): boolean;
  /** @throws when the list is empty */
  of<T>(list: readonly T[]): T;
}

/** Mulberry32: small, and good enough to choose by. */
export const chanceOf = (seed: number): Chance => {
  let state = seed >>> 0;
  const under = (below: number): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
  return {
    under,
    once: (times) => under(times) === 0,
    of: (list) => {
      const chosen = list[under(list.length)];
      if (chosen === undefined) throw new Error('There is nothing to choose from.');
      return chosen;
    },
  };
};
