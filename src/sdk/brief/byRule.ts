import { createHash } from 'node:crypto';
import type { Answers, Place } from './fillDraft.ts';
import { anyUrl, pathInside } from './forms.ts';
import type { Json } from './json.ts';

/** Characters of a text of which a blank tells no maximum. */
export const longestText = 600;

const digestOf = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`;

/**
 * A value of the form that a blank asks for, made up from the place: good for trials and tests, where no file is really
 * read or changed; undefined where it asks for none.
 */
export const madeUp = ({ path, blank }: Place): string | undefined => {
  switch (blank.form) {
    case 'path':
      return blank.example ?? pathInside(blank.scopes?.[0] ?? '**', 'file.txt');
    case 'digest':
      return digestOf(path);
    case 'url':
      return blank.example ?? anyUrl;
    case undefined:
      return undefined;
  }
};

/**
 * Answers by one rule: at each text a sentence of its own that names the place, the first choice, the greatest number,
 * one element in each list that has room for it.
 *
 * @param name stands in each sentence, so that two bodies never say the same: the id of the body
 */
export const byRule = (name: string): Required<Omit<Answers, 'leaves'>> => ({
  text: (place) =>
    madeUp(place) ?? `Filled by rule: ${place.path} of ${name}.`.slice(0, place.blank.maximum ?? longestText),
  choose: (_, [first]): Json => first ?? null,
  number: ({ blank }) => blank.maximum ?? 0,
  length: (_, { least, most }) => Math.min(most, Math.max(least, 1)),
});
