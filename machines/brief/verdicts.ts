import type { Blank } from '../../schemas/brief.ts';
import { choice } from './draft.ts';

/** One element that is judged: what is filled of it, and the words that its judgement can be. */
export interface Verdict {
  readonly element: Readonly<Record<string, unknown>>;
  readonly open: readonly string[];
  /** Those with which the work can go on; none where it cannot. */
  readonly passing: readonly string[];
}

/** The words where something shows it and where it can pass, and those that are left elsewhere (admission section 10). */
export const words = (shown: boolean, passes: boolean, others: readonly string[]): readonly string[] => [
  ...(shown && passes ? ['pass'] : []),
  ...(shown ? ['fail'] : []),
  ...others,
];

export const verdict = (element: Verdict['element'], open: readonly string[], required = true): Verdict => ({
  element,
  open,
  passing: required ? open.filter((word) => word === 'pass' || word === 'supported') : open,
});

export const canPass = (verdicts: readonly Verdict[]): boolean => verdicts.every(({ passing }) => passing.length > 0);

const isUniform = (verdicts: readonly Verdict[]): boolean =>
  new Set(verdicts.map(({ open, passing }) => JSON.stringify([open, passing]))).size < 2;

/**
 * The blanks of the judgements of a list: one for all where the words are the same, else one for each.
 * @param words which of its words each verdict offers
 */
export const verdictBlanks = (
  path: string,
  how: string,
  verdicts: readonly Verdict[],
  words: 'open' | 'passing',
): readonly Blank[] => {
  const [first] = verdicts;
  if (!first) return [];
  const blank = (at: string, { [words]: choices }: Verdict): Blank =>
    choice(`${path}[${at}].status`, choices.length > 1 ? how : '', choices);
  return isUniform(verdicts) ? [blank('*', first)] : verdicts.map((one, index) => blank(String(index), one));
};

export const numbered = (stem: string, index: number): string => `${stem}-${String(index + 1).padStart(2, '0')}`;
