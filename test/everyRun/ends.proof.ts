import { describe, it } from 'vitest';
import { pairs } from '../../machines/graph/runGraph.ts';
import { driveToEnds } from './ends.ts';

describe('a run over STDIO of any mode and topology', () => {
  it.each(pairs)('can be driven to each end that it can reach: %s, %s', (...pair) => driveToEnds(pair));
});
