import type { ContentQuery } from './contentQuery.ts';
import { definesName } from './definitions.ts';

/** What one text has of a query. */
export interface TextCounts {
  /**
   * How often each phrase, term, pair and word occurs, in this order, where it does: its position and the count; behind
   * them, for each phrase that is a name, how often the text defines it.
   */
  readonly counts: ReadonlyMap<number, number>;
  /** Tokens of the text. */
  readonly length: number;
}

/** More of the same in one file says nothing more. */
const mostCounted = 255;

/** What a character is to a token: nothing, a small letter or digit, a capital. */
const kinds = new Uint8Array(128).map((_, code) =>
  (code >= 97 && code <= 122) || (code >= 48 && code <= 57) ? 1 : code >= 65 && code <= 90 ? 2 : 0,
);
/** Most tokens of a text are none of the query: one look into a small table tells so. */
const sieveMask = 0x3f_ff;

/**
 * Prepares a query for many texts. The function it gives counts phrases regardless of case, bounded by what is no
 * letter or digit, and terms by the tokens of `requestTerms` in one walk over the text, in which two tokens that follow
 * one another make a pair whatever stands between them. Linear in the text; pure.
 */
export function textCounter({
  phrases,
  terms,
  pairs = [],
  words = [],
  forms = new Map(),
}: ContentQuery): (text: string) => TextCounts {
  const pairAt = new Map(
    pairs.map(([first, second], index) => [first * terms.length + second, phrases.length + terms.length + index]),
  );
  const wordsAt = phrases.length + terms.length + pairs.length;
  const definitionsAt = wordsAt + words.length;
  const byHash = new Map<number, Entry[]>();
  const sieve = new Uint8Array(sieveMask + 1);
  const enter = (word: string, entry: Entry): void => {
    const hash = hashOf(word);
    byHash.set(hash, [...(byHash.get(hash) ?? []), entry]);
    sieve[hash & sieveMask] = 1;
  };
  for (const [index, term] of terms.entries())
    enter(term, { word: term, position: phrases.length + index, phrase: false });
  for (const [form, index] of forms) enter(form, { word: form, position: phrases.length + index, phrase: false });
  /** Without any letter or digit of tokens: nothing in a walk over tokens tells of them. */
  const unseen = new Set<number>();
  // A phrase that occurs has its runs of letters and digits as whole runs of the text: the longest is looked for first.
  for (const [position, phrase] of phrases.entries()) {
    const runs = phrase.match(/[a-z0-9]+/g) ?? [];
    const longest = runs.reduce((best, run) => (run.length > best.length ? run : best), '');
    if (longest === '') unseen.add(position);
    else enter(longest, { word: longest, position, phrase: true });
  }

  return (text) => {
    const counts = new Map<number, number>();
    const likely = new Set<number>();
    const countOne = (position: number): void => {
      counts.set(position, Math.min(mostCounted, (counts.get(position) ?? 0) + 1));
    };
    /** Gives the term, or none: -1. */
    const find = (hash: number, start: number, end: number, phrase: boolean): number => {
      let term = -1;
      for (const entry of byHash.get(hash) ?? []) {
        if (entry.phrase !== phrase || entry.word.length !== end - start) continue;
        if (text.slice(start, end).toLowerCase() !== entry.word) continue;
        if (phrase) likely.add(entry.position);
        else {
          countOne(entry.position);
          term = entry.position - phrases.length;
        }
      }
      return term;
    };
    /** The term that the token before is. */
    let last = -1;
    let beyondAscii = false;
    const size = text.length;
    let length = 0;
    /** Of the token, which ends before a capital, and of the run, which does not. */
    let start = 0;
    let hash = 0;
    let runStart = 0;
    let runHash = 0;
    /** The hash of the token without its last character: for once its final `s` is taken off. */
    let shorter = 0;
    let before = 0;
    for (let at = 0; at <= size; at += 1) {
      const code = at < size ? text.charCodeAt(at) : 0;
      const kind = code < 128 ? (kinds[code] ?? 0) : 0;
      if (code >= 128) beyondAscii = true;
      if (kind === 0 || (kind === 2 && before === 1)) {
        if (at > start) {
          length += 1;
          const plural = at - start > 4 && endsAsPlural(text, at);
          const token = plural ? shorter : hash;
          const term = sieve[token & sieveMask] === 1 ? find(token, start, plural ? at - 1 : at, false) : -1;
          if (last >= 0 && term >= 0) {
            const pair = pairAt.get(last * terms.length + term);
            if (pair !== undefined) countOne(pair);
          }
          last = term;
        }
        start = at;
        hash = 0;
      }
      if (kind === 0) {
        if (at > runStart && sieve[runHash & sieveMask] === 1) find(runHash, runStart, at, true);
        start = at + 1;
        runStart = at + 1;
        runHash = 0;
      } else {
        const small = kind === 2 ? code + 32 : code;
        shorter = hash;
        hash = mixed(hash, small);
        runHash = mixed(runHash, small);
      }
      before = kind;
    }

    if (beyondAscii) for (const position of unseen) likely.add(position);
    if (likely.size > 0 || (beyondAscii && words.length > 0)) {
      const lower = text.toLowerCase();
      const look = (needle: string, position: number): void => {
        const found = occurrences(lower, needle);
        if (found.length > 0) counts.set(position, found.length);
        // Only then the places in one are those in the other.
        if (position >= phrases.length || !isName.test(needle) || lower.length !== text.length) return;
        const defined = found.filter((at) => definesName(text, at, at + needle.length)).length;
        if (defined > 0) counts.set(definitionsAt + position, defined);
      };
      for (const position of likely) look(phrases[position] ?? '', position);
      if (beyondAscii) for (const [index, word] of words.entries()) look(word, wordsAt + index);
    }
    return { counts, length };
  };
}

const isName = /^[a-z_$][a-z0-9_$]*$/;

interface Entry {
  /** A term, another form of one, or the longest run of a phrase. */
  readonly word: string;
  /** In the query. */
  readonly position: number;
  readonly phrase: boolean;
}

function hashOf(word: string): number {
  let hash = 0;
  for (let at = 0; at < word.length; at += 1) hash = mixed(hash, word.charCodeAt(at));
  return hash;
}

function mixed(hash: number, code: number): number {
  return (Math.imul(hash, 31) + code) | 0;
}

/** As `tokensOf` takes it off: a final `s`, but not of `ss`, `is`, `us`. */
function endsAsPlural(text: string, until: number): boolean {
  const last = text.charCodeAt(until - 1) | 32;
  const before = text.charCodeAt(until - 2) | 32;
  return last === 115 && before !== 115 && before !== 105 && before !== 117;
}

/** Where a phrase stands as a whole, from the start of the text on. */
function occurrences(text: string, phrase: string): number[] {
  const found: number[] = [];
  for (
    let at = text.indexOf(phrase);
    at >= 0 && found.length < mostCounted;
    at = text.indexOf(phrase, at + phrase.length)
  ) {
    const end = at + phrase.length;
    const opens = !isLetterOrDigit(text, at) || !isLetterOrDigit(text, at - 1);
    const closes = !isLetterOrDigit(text, end - 1) || !isLetterOrDigit(text, end);
    if (opens && closes) found.push(at);
  }
  return found;
}

function isLetterOrDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return (code >= 97 && code <= 122) || (code >= 48 && code <= 57);
}
