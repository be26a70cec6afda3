import { describe, it } from 'vitest';
import { raceFor } from './twoServers.ts';

describe('two server processes on one state directory', () => {
  it('gives each of 500 versions to one of two submissions, and tells the other where the run is', () => raceFor(500));
});
