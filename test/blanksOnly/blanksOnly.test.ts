import { describe } from 'vitest';
import { finishes, finishesStraight } from './finishes.ts';

describe('a host that knows nothing but the brief', () => {
  // The narrowest host that is known, for whom most is left out; wider ones are proven apart (blanksOnly.proof.ts).
  finishes([7500]);
  // The widest, once in each topology.
  finishesStraight(
    [38_000],
    [
      ['report_only', 'micro'],
      ['analyze_only', 'standard'],
      ['analyze_and_fix', 'forensic'],
    ],
  );
});
