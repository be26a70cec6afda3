import { type BookEntry, rule } from './book.ts';

/** Rules of the ClarificationRequest itself (admission section 4); those of asking and answering stand with the token. */
export const clarificationRequestRules: readonly BookEntry[] = [
  rule({
    code: 'ADM-CLR-02',
    types: ['ClarificationRequest'],
    part: 'own',
    text: 'Choices differ in id and consequence; new authority always means a new run, and a question about authority leaves a way to go on without it. The schema and the reference rules judge this.',
    reads: [],
    refusal: 'clarification_invalid',
  }),
];
