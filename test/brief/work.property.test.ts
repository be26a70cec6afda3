import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type IntentMode, intentModes, type RunTopology } from '../../schemas/vocabulary.ts';
import { starts } from './starts.ts';
import { type Trail, walked } from './tour.ts';
import { begun } from './walk.ts';

const worlds: readonly (readonly [RunTopology, IntentMode, number])[] = [
  ...intentModes.map((mode) => ['forensic', mode, mode === 'analyze_and_fix' ? 30 : 15] as const),
  ...intentModes.filter((mode) => mode !== 'analyze_and_fix').map((mode) => ['standard', mode, 10] as const),
  ['micro', 'report_only', 10],
  ['micro', 'fix_only', 20],
];

describe('drafts from the plan to the report', () => {
  it.each(worlds)(
    'are admitted in a %s run of %s with any variant however the blanks are filled, and refused where one is not',
    (topology, mode, numRuns) => {
      const trail: Trail = new Set();
      fc.assert(
        fc.property(starts(mode, topology), fc.boolean(), fc.gen(), ({ args, own }, steady, g) => {
          const walk = begun(args);
          expect(walk.snapshot.context.topology).toBe(topology);
          walked({ g, trail, steady, own }, walk);
        }),
        { numRuns, endOnFailure: true },
      );
      // The walks really go where they are meant to go.
      expect(trail).toContain(topology === 'micro' ? 'agent_5_report' : 'agent_5_audit');
    },
  );
});
