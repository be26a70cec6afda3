import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pairs } from '../../machines/graph/runGraph.ts';
import { starts } from './starts.ts';
import { type Trail, walked } from './tour.ts';
import { begun } from './walk.ts';

/** Every variant of every type that has some; a start, an answer or an end names none. */
const variants: Readonly<Record<string, readonly string[]>> = {
  ClarificationRequest: ['user_owned_materially_divergent', 'permission_expanding'],
  PromptReview: ['pass', 'revise', 'block'],
  WorkResult: ['completed', 'partial', 'blocked', 'failed'],
  QualityReview: ['pass', 'proceed_to_fix', 'remediate', 'partial', 'block'],
  ReleaseAudit: ['release', 'remediate', 'partial', 'block'],
  UserReport: ['completed', 'partial', 'failed_verification', 'blocked'],
};

const all = Object.entries(variants).flatMap(([type, names]) => names.map((name) => `${type} ${name}`));

/** Forensic runs have the most ways to go. */
const walks = (topology: string): number => (topology === 'forensic' ? 280 : topology === 'standard' ? 140 : 60);

describe('every draft', () => {
  const trail: Trail = new Set();
  let count = 0;

  it.each(pairs)(
    'is admitted in runs of %s %s however its blanks are filled, and refused where one is not',
    (mode, topology) => {
      fc.assert(
        fc.property(starts(mode, topology), fc.boolean(), fc.gen(), ({ args, own }, steady, g) => {
          const walk = begun(args);
          expect(walk.snapshot.context.topology).toBe(topology);
          walked({ g, trail, steady, own }, walk);
          count += 1;
        }),
        { numRuns: walks(topology), endOnFailure: true },
      );
    },
  );

  it('was met: at least 2,000 walks, every variant of every type, and the one state without a draft', () => {
    expect(count).toBeGreaterThanOrEqual(2000);
    expect([...trail].filter((step) => step.includes(' ')).toSorted()).toEqual([...all, 'no draft'].toSorted());
  });
});
