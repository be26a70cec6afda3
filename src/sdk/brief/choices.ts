import { anySource, type Blank } from '../../../schemas/brief.ts';
import { copyOf, isObject, type Json } from './json.ts';

const withSource = (choice: unknown, ref: string): unknown => {
  if (choice === anySource) return ref;
  if (!isObject(choice)) return choice;
  return Object.fromEntries(Object.entries(choice).map(([key, value]) => [key, value === anySource ? ref : value]));
};

/** Whether a choice stands for one of each source. */
export const namesSource = (choice: unknown): boolean =>
  choice === anySource || (isObject(choice) && Object.values(choice).includes(anySource));

/**
 * The values that a choice blank takes, one for each source where a choice means any.
 * @param sources every `ref` of the brief's `sources`
 */
export const choicesOf = ({ choices = [] }: Blank, sources: readonly string[]): readonly Json[] =>
  choices
    .flatMap((one) => (namesSource(one) ? sources.map((ref) => withSource(one, ref)) : [one]))
    .map((one) => copyOf(one));
