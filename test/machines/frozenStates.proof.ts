import { describe, it } from 'vitest';
import { exploreRun, pairs } from '../../machines/graph/runGraph.ts';
import { freezeStates } from './frozenStates.ts';

describe('every state of the run machine', () => {
  it.each(pairs)('is the same after freezing and thawing, and behaves the same: %s in %s', (...pair) =>
    freezeStates(exploreRun(pair), 1),
  );
});
