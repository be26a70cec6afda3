import { describe, expect, it } from 'vitest';
import { promptReviewRules } from '../../machines/rules/promptReview.ts';
import { ask, bodies, correction, coverage, own, pair, query, recordUpTo, run, source } from './fixtures.ts';

const reviewing = { run: run({ phase: 'agent_1_review', contractVersion: 1 }), record: recordUpTo('TaskContract') };
const review = (more: object = {}, given: Parameters<typeof query>[2] = {}) =>
  query('PromptReview', { ...bodies.review(), ...more }, { ...reviewing, ...given });
const [request, frame, contract] = bodies.review().coverage;
const all = (...entries: unknown[]) => ({ coverage: entries });

describe('rules of the PromptReview', () => {
  pair(
    promptReviewRules,
    'ADM-REVIEW-01',
    [
      'another target',
      { of: review({ targetRef: own('frame-01') }), path: 'targetRef', says: /frame-01.*contract-01/, mends: true },
    ],
    ['the current contract', review()],
  );
  pair(
    promptReviewRules,
    'ADM-REVIEW-02',
    ['two entries', { of: review(all(request, frame)), path: 'coverage', says: /has 2 entries/ }],
    ['three entries', review()],
  );
  pair(
    promptReviewRules,
    'ADM-REVIEW-03',
    [
      'an entry with other fields',
      {
        of: review(all(request, coverage(own('frame-01'), ['scope', 'scope', 'objective']), contract)),
        path: 'coverage.1.contractFields',
        says: /missing: "constraints".*not its own: "objective"; repeated: "scope"/,
        mends: true,
      },
    ],
    ['the fields in another order', review(all(contract, frame, coverage(own('msg-01'), ['intentMode', 'objective'])))],
  );
  it('ADM-REVIEW-03 refuses a foreign source, a repeated one, and the absence of each that is missing', () => {
    const said = ask(promptReviewRules, 'ADM-REVIEW-03', review(all(request, request, coverage(source, ['scope']))));
    expect(said.map(({ path }) => path)).toEqual([
      'coverage.1.sourceRef',
      'coverage.2.sourceRef',
      'coverage',
      'coverage',
    ]);
    expect(said[0]?.expected).toBe(own('frame-01'));
    expect(said[3]).toMatchObject({
      expected: { entries: { by: 'sourceRef', of: [own('msg-01'), own('frame-01'), own('contract-01')] } },
      fix: expect.stringContaining('"permissions"'),
    });
  });
  pair(
    promptReviewRules,
    'ADM-REVIEW-04',
    [
      'the number of a later review',
      {
        of: review({ revisionNumber: 1 }, { facts: { revisionNumber: 1 } }),
        path: 'revisionNumber',
        says: /is 1.*version 1/,
        mends: true,
      },
    ],
    ['the version of the contract less one', review({}, { facts: { revisionNumber: 0 } })],
  );
  it('ADM-REVIEW-04 accepts what it knows nothing of', () => {
    expect(ask(promptReviewRules, 'ADM-REVIEW-04', review({ revisionNumber: 1 }))).toEqual([]);
  });
  const revise = (...findings: unknown[]) => review({ findings, decision: 'revise' });
  const keeping = { ...correction([], ['objective'], 'info'), id: 'FIND-2' };
  pair(
    promptReviewRules,
    'ADM-REVIEW-05',
    [
      'a field that one finding keeps and another corrects',
      { of: revise(correction(['objective'], []), keeping), path: 'findings.1.preserveFields', says: /objective/ },
    ],
    ['fields that are apart', revise(correction(['objective'], ['scope', 'id', 'version']))],
  );
  it('ADM-REVIEW-05 accepts the same findings in a review that asks for no revision', () => {
    const blocked = review({ findings: [correction(['objective'], ['objective'])], decision: 'block' });
    expect(ask(promptReviewRules, 'ADM-REVIEW-05', blocked)).toEqual([]);
  });
});
