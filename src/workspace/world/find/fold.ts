/** Marks that follow a letter in NFKD: accents, and the dots and hooks of other scripts. */
const marks = /\p{M}+/gu;

// What has no marks and no compatibility forms needs no Unicode tables: nearly all that is searched.
const plain = /^[\u0000-\u007f]*$/;

const bare = (text: string): string => text.normalize('NFKD').replace(marks, '');

/** A text without case and accents: two texts that people read as the same word fold to one (workspace-wire 4.5). */
export const fold = (text: string): string =>
  // By way of capitals, so that ß meets SS; capitals of some letters bring marks of their own.
  plain.test(text) ? text.toLowerCase() : bare(bare(text).toUpperCase().toLowerCase()).replaceAll('ς', 'σ');

/**
 * What the full-text index is asked for a folded word: the beginning of a word, or words in a row where signs part them.
 * Null for one without a letter or digit, which the index never holds.
 */
export const phraseOf = (word: string): string | null => {
  const phrase = word.replace(/[^\p{L}\p{N}\p{Co}]+/gu, ' ').trim();
  return phrase === '' ? null : `"${phrase}"*`;
};
