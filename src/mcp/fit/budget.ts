import { type AnswerMeasure, answerBudgets, fullAnswerBudget } from '../../../schemas/vocabulary.ts';

/** How long one answer may be for the host that asks. */
export interface Budget {
  /** The most of one copy of the answer, as its host counts. */
  readonly most: number;
  readonly measure: AnswerMeasure;
  /** Whether this host is known to cut longer answers, so that pages that name no limit may be shortened, too. */
  readonly known: boolean;
}

/** Below this, not even the token and what to do with it would fit. */
export const leastBudget = 4000;

/** A value of `TELIC_ANSWER_BUDGET` that is no whole number from `leastBudget` on. */
export class BudgetError extends Error {
  override readonly name = 'BudgetError';
}

/**
 * The budget that `TELIC_ANSWER_BUDGET` sets for every host, or null when it is not set.
 * @throws BudgetError
 */
export const budgetSet = (value: string | undefined): Budget | null => {
  if (value === undefined || value === '') return null;
  const characters = /^[0-9]{1,9}$/.test(value) ? Number(value) : 0;
  if (characters < leastBudget)
    throw new BudgetError(
      `TELIC_ANSWER_BUDGET is ${JSON.stringify(value)}; it takes a whole number of characters, at least ${leastBudget}.`,
    );
  return { most: characters, measure: 'characters', known: true };
};

/** The budget of the client that names itself so (guidance section 7). */
export const budgetOf = (clientName: string | undefined): Budget => {
  const row = Object.entries(answerBudgets).find(([start]) => clientName?.startsWith(start));
  return row ? { ...row[1], known: true } : { most: fullAnswerBudget, measure: 'characters', known: false };
};

const measures: Readonly<Record<AnswerMeasure, (text: string) => number>> = {
  characters: (text) => text.length,
  bytes: (text) => Buffer.byteLength(text),
  quoted: (text) => JSON.stringify(text).length,
};

/** How long an answer is for a host that counts so. */
export const sizeOf = (answer: object, { measure }: Pick<Budget, 'measure'>): number =>
  measures[measure](JSON.stringify(answer));
