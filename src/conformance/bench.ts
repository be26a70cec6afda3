import type { Strictness } from './compare.ts';
import type { World } from './world.ts';

/** Counts of what was done, for the report. */
export interface Tally {
  calls: number;
  accepted: number;
  refused: number;
  /** Rules that refused something, by code. */
  readonly rules: Set<string>;
}

export const newTally = (): Tally => ({ calls: 0, accepted: 0, refused: 0, rules: new Set() });

/** What everything in one examination shares. */
export interface Bench extends Strictness {
  readonly world: World;
  readonly tally: Tally;
}
