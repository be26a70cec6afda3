import { describe, expect, it } from 'vitest';
import { contradictionsOf, correctionsOf, keptBy } from '../../machines/rules/taskContractRevision.ts';
import type { BodyOf } from '../../schemas/artifacts/index.ts';
import { sample } from '../projection/records.ts';

type Found = BodyOf<'PromptReview'>['findings'][number];

const review = (...findings: readonly Partial<Found>[]): BodyOf<'PromptReview'> => {
  const body = sample('PromptReview');
  const [finding] = body.findings;
  if (!finding) throw new Error('The sample review has a finding.');
  const plain: Found = {
    ...finding,
    severity: 'blocking',
    requiredCorrection: 'Say it.',
    preserveFields: [],
    correctionFields: [],
  };
  return { ...body, findings: findings.map((one) => ({ ...plain, ...one })) };
};

describe('the corrections of a review', () => {
  it('are the fields of findings that are blocking and say what to correct, each once', () => {
    const body = review(
      { correctionFields: ['objective', 'assumptions'] },
      { correctionFields: ['objective'] },
      { severity: 'warning', correctionFields: ['contextRefs'] },
      { requiredCorrection: null, correctionFields: ['stopConditions'] },
    );
    expect(correctionsOf(body)).toEqual(['objective', 'assumptions']);
  });

  it('contradict what any finding keeps, id and version apart', () => {
    const body = review(
      { correctionFields: ['objective', 'assumptions'] },
      { severity: 'info', requiredCorrection: null, preserveFields: ['assumptions', 'scope', 'id', 'version'] },
    );
    expect(keptBy(body)).toEqual(['assumptions', 'scope']);
    expect(contradictionsOf(body)).toEqual(['assumptions']);
  });
});
