import { found } from '../../schemas/found.ts';

/** How findings show the values that they are about. */

/** The first values of a list, each as a message shows it, and how many more there are; "none" for an empty one. */
export const listed = (values: readonly unknown[], most = 6): string => {
  if (values.length === 0) return 'none';
  const shown = values.slice(0, most).map(found).join(', ');
  return values.length > most ? `${shown} and ${values.length - most} more` : shown;
};

/** A longer value is told by the sentence alone: an answer must fit what hosts can read. */
const longestExpected = 4096;

/** The `expected` of a finding, left out where it would be too long to be read. */
export const told = (expected: unknown): Readonly<{ expected?: unknown }> =>
  JSON.stringify(expected).length <= longestExpected ? { expected } : {};

/** The `expected` of a finding where one of several values will do; left out where there is none. */
export const choice = (values: readonly unknown[]): Readonly<{ expected?: unknown }> =>
  values.length > 0 ? told(values) : {};
