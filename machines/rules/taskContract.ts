import { type BookEntry, rule } from './book.ts';

/** Rules of the TaskContract, compile and revise (admission section 7), in the order of its rows. */
export const taskContractRules: readonly BookEntry[] = [
  rule({
    code: 'ADM-CONTRACT-08',
    types: ['TaskContract'],
    part: 'own',
    text: 'The first contract of a run has version 1.',
    reads: ['run.contractVersion'],
    refusal: 'rule_broken',
    control: {
      holds: (run, facts) =>
        run.phase !== 'agent_2_compile' ||
        facts.contractVersion === undefined ||
        (run.contractVersion === 0 && facts.contractVersion === 1),
      says: (run, facts) => ({
        path: 'version',
        message:
          run.contractVersion === 0
            ? `The first contract of a run has version 1; this one says ${facts.contractVersion}.`
            : `This run already holds contract version ${run.contractVersion}; a first contract cannot follow it.`,
        expected: 1,
        fix: 'Set version to 1.',
      }),
    },
  }),
  rule({
    code: 'ADM-REVISE-02',
    types: ['TaskContract'],
    part: 'own',
    text: 'A revised contract has version 2 and cites the contract that it replaces and the review that asked for it.',
    reads: ['TaskContract', 'PromptReview', 'sourceRefs'],
    refusal: 'rule_broken',
    control: {
      holds: (run, facts) =>
        run.phase !== 'agent_2_revise' || facts.contractVersion === undefined || facts.contractVersion === 2,
      says: (_run, facts) => ({
        path: 'version',
        message: `A revised contract has version 2; this one says ${facts.contractVersion}.`,
        expected: 2,
        fix: 'Set version to 2.',
      }),
    },
  }),
];
