import type { Said } from './book.ts';
import { distinct } from './derived.ts';
import { setDifference } from './equality.ts';
import { listed, told } from './wording.ts';

/**
 * The fault of a list that must hold each member of a set once, or none: what is missing, what does not belong, what is
 * repeated; the whole set is `expected`.
 * @param what the list, as the sentence names it
 * @param by the key that holds the members, where the entries of the list are objects
 */
export const listFault = (
  path: string,
  what: string,
  given: readonly string[],
  wanted: readonly string[],
  by?: string,
): readonly Said[] => {
  const differs = setDifference(given, wanted);
  if (!differs) return [];
  const parts = [
    differs.missing.length > 0 && `lacks ${listed(differs.missing)}`,
    differs.extra.length > 0 && `holds ${listed(differs.extra)}, which does not belong there`,
    differs.repeated.length > 0 && `repeats ${listed(differs.repeated)}`,
  ].filter((part) => part !== false);
  const set = distinct(wanted);
  return [
    {
      path,
      message: `${what} ${parts.join('; it ')}.`,
      ...told(by === undefined ? set : { entries: { by, of: set } }),
      fix: set.length === 0 ? 'Leave it empty.' : `List each of ${listed(set)} once and nothing else.`,
    },
  ];
};
