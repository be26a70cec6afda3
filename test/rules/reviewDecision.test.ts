import { describe, expect, it } from 'vitest';
import type { BookEntry } from '../../machines/rules/book.ts';
import { reviewDecisionRules } from '../../machines/rules/reviewDecision.ts';
import { ask, bodies, query, recordUpTo, run } from './fixtures.ts';

const review = () => query('PromptReview', bodies.review(), { record: recordUpTo('TaskContract') });
const decision: BookEntry | undefined = reviewDecisionRules.find(({ code }) => code === 'ADM-MCH-02');

describe('the decision of a review', () => {
  it('ADM-MCH-01 refuses a review whose stored body lost its decision, and ends the judgement', () => {
    const of = review();
    const body: typeof of.body = JSON.parse(JSON.stringify({ ...of.body, decision: undefined }));
    expect(ask(reviewDecisionRules, 'ADM-MCH-01', { ...of, body })).toMatchObject([{ path: 'decision' }]);
    expect(reviewDecisionRules.find(({ code }) => code === 'ADM-MCH-01')?.ends).toBe(true);
  });
  it('ADM-MCH-01 accepts a review with one', () =>
    expect(ask(reviewDecisionRules, 'ADM-MCH-01', review())).toEqual([]));
  it('ADM-MCH-02 refuses a decision that no contract review can take', () => {
    expect(decision?.control?.holds(run(), { decision: 'remediate' })).toBe(false);
    expect(decision?.control?.says(run(), { decision: 'remediate' })).toMatchObject({
      path: 'decision',
      expected: ['pass', 'revise', 'block'],
    });
  });
  it('ADM-MCH-02 accepts every decision of the schema, and what it knows nothing of', () => {
    for (const one of ['pass', 'revise', 'block'])
      expect(decision?.control?.holds(run(), { decision: one })).toBe(true);
    expect(decision?.control?.holds(run(), {})).toBe(true);
  });
});
