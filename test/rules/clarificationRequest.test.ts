import { describe, expect, it } from 'vitest';
import { clarificationRequestRules } from '../../machines/rules/clarificationRequest.ts';
import { commonPart } from '../../machines/rules/common.ts';
import { checkBody } from '../../schemas/issues.ts';
import { sample } from '../projection/records.ts';

/** What CLR-02 asks is asked by the schema and by the reference rules; the entry only says it to readers. */
const question = sample('ClarificationRequest');
const judged = (over: Partial<typeof question>): readonly string[] => {
  const checked = checkBody('ClarificationRequest', { ...question, ...over });
  return checked.ok ? [] : checked.issues.map(({ code }) => code);
};

describe('rules of the ClarificationRequest', () => {
  it('ADM-CLR-02 refuses two choices of one id, of one consequence, and wider authority without a new run', () => {
    const [first, second] = question.responseChoices;
    if (!first || !second) throw new Error('A question has two choices at least.');
    expect(judged({ responseChoices: [first, { ...second, id: first.id }] })).not.toEqual([]);
    expect(judged({ responseChoices: [first, { ...second, consequence: first.consequence }] })).not.toEqual([]);
    expect(
      judged({ responseChoices: [first, { ...second, authorityEffect: 'requires_new_run', runEffect: 'resume' }] }),
    ).not.toEqual([]);
    expect(judged({ evidenceInspected: [] })).not.toEqual([]);
  });
  it('ADM-CLR-02 accepts a question with two ways that differ', () => {
    expect(judged({})).toEqual([]);
  });
  it('ADM-CLR-02 refuses with the wire code of questions, and leaves references to the common rules', () => {
    expect(clarificationRequestRules.map(({ refusal }) => refusal)).toEqual(['clarification_invalid']);
    const judges = commonPart.filter(({ types }) => types.includes('ClarificationRequest')).map(({ code }) => code);
    expect(judges).toContain('ADM-REF-16');
  });
});
