import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ReadinessScores, readinessScore } from '../../schemas/artifacts/promptReview.ts';

const scores = (...[a, b, c, d, e, f]: [number, number, number, number, number, number]): ReadinessScores => ({
  intentFidelity: a,
  repositoryGrounding: b,
  constraintsAndPermissions: c,
  testableAcceptance: d,
  executionFeasibility: e,
  contextEfficiency: f,
});

describe('the readiness score', () => {
  it.each([
    [scores(95, 90, 100, 85, 80, 70), 90],
    [scores(81.9, 30.8, 53.6, 84.7, 70, 11.1), 63.26],
    [scores(59.2, 86, 30.7, 0.6, 25.4, 52.8), 44.86],
    [scores(29.5, 95.4, 71.8, 99.1, 78.4, 46.7), 68.69],
    [scores(0, 0, 0, 0, 0, 0), 0],
    [scores(100, 100, 100, 100, 100, 100), 100],
  ])('of %j is %d', (of, overall) => {
    expect(readinessScore(of)).toBe(overall);
  });

  it('of whole numbers equals the exact sum', () => {
    const whole = fc.integer({ min: 0, max: 100 });
    fc.assert(
      fc.property(whole, whole, whole, whole, whole, whole, (a, b, c, d, e, f) => {
        const twentieths = 6 * a + 4 * b + 3 * c + 4 * d + 2 * e + f;
        expect(readinessScore(scores(a, b, c, d, e, f))).toBe((twentieths * 5) / 100);
      }),
    );
  });

  it('of fractional scores lies within a hundredth of the exact sum', () => {
    const tenth = fc.integer({ min: 0, max: 1000 });
    fc.assert(
      fc.property(tenth, tenth, tenth, tenth, tenth, tenth, (a, b, c, d, e, f) => {
        const exact = (6 * a + 4 * b + 3 * c + 4 * d + 2 * e + f) / 200;
        const of = scores(a / 10, b / 10, c / 10, d / 10, e / 10, f / 10);
        expect(Math.abs(readinessScore(of) - exact)).toBeLessThanOrEqual(0.0051);
      }),
    );
  });
});
