import { anyEvidence, anySource, type Blank } from '../../../schemas/brief.ts';
import { copyOf, isObject, type Json } from './json.ts';

/** What choices that stand for many mean. */
export interface Meant {
  /** Every `ref` of the brief's `sources`. */
  readonly sources: readonly string[];
  /** The draft's own `evidenceRefs`. */
  readonly evidence?: readonly string[];
}

const withRef = (choice: unknown, mark: string, ref: string): unknown => {
  if (choice === mark) return ref;
  if (!isObject(choice)) return choice;
  return Object.fromEntries(Object.entries(choice).map(([key, value]) => [key, value === mark ? ref : value]));
};

const names = (choice: unknown, mark: string): boolean =>
  choice === mark || (isObject(choice) && Object.values(choice).includes(mark));

/** The values that a blank takes, one for each source or piece of evidence where a choice means any. */
export const choicesOf = ({ choices = [] }: Blank, { sources, evidence = [] }: Meant): readonly Json[] =>
  choices
    .flatMap((one) => (names(one, anySource) ? sources.map((ref) => withRef(one, anySource, ref)) : [one]))
    .flatMap((one) => (names(one, anyEvidence) ? evidence.map((ref) => withRef(one, anyEvidence, ref)) : [one]))
    .map((one) => copyOf(one));
