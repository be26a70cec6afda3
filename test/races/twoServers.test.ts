import { describe, it } from 'vitest';
import { raceFor } from './twoServers.ts';

describe('two server processes on one state directory', () => {
  // Some hundred versions are raced for apart (twoServers.proof.ts).
  it('gives each of 60 versions to one of two submissions, and tells the other where the run is', () => raceFor(60));
});
