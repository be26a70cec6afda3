import { type BookEntry, rule } from './book.ts';

/** Rules of the PromptReview (admission section 8.1), in the order of its rows. */
export const promptReviewRules: readonly BookEntry[] = [
  rule({
    code: 'ADM-REVIEW-04',
    types: ['PromptReview'],
    part: 'own',
    text: 'revisionNumber is the version of the reviewed contract less one.',
    reads: ['run.contractVersion'],
    refusal: 'rule_broken',
    control: {
      holds: (run, facts) =>
        run.phase !== 'agent_1_review' ||
        facts.revisionNumber === undefined ||
        facts.revisionNumber === run.contractVersion - 1,
      says: (run, facts) => ({
        path: 'revisionNumber',
        message: `revisionNumber is ${facts.revisionNumber}, but the current contract has version ${run.contractVersion}.`,
        expected: run.contractVersion - 1,
        fix: `Set revisionNumber to ${run.contractVersion - 1}.`,
      }),
    },
  }),
];
