import { ContractDecision } from '../../schemas/artifacts/promptReview.ts';
import { type BookEntry, rule } from './book.ts';

/** Guards on the decision of a review, which the schema has judged already (admission section 17, rows 1 and 2). */
export const reviewDecisionRules: readonly BookEntry[] = [
  rule({
    code: 'ADM-MCH-01',
    types: ['PromptReview', 'QualityReview', 'ReleaseAudit'],
    part: 'own',
    text: 'A review or an audit has a decision.',
    reads: [],
    refusal: 'integrity_failed',
    ends: true,
    *check({ body }) {
      if (typeof body.decision !== 'string')
        yield { path: 'decision', message: 'There is no decision.', fix: 'Say in decision how the review ends.' };
    },
  }),
  rule({
    code: 'ADM-MCH-02',
    types: ['PromptReview'],
    part: 'own',
    text: 'The decision is one that a contract review can take: pass, revise or block.',
    reads: [],
    refusal: 'integrity_failed',
    ends: true,
    control: {
      holds: (_run, { decision }) => decision === undefined || ContractDecision.safeParse(decision).success,
      says: (_run, { decision }) => ({
        path: 'decision',
        message: `A contract review cannot decide ${decision}.`,
        expected: ContractDecision.options,
        fix: 'Take one of the expected decisions.',
      }),
    },
  }),
];
