import type { ContentQuery } from './contentQuery.ts';

/** What one text has of a query. */
export interface TextCounts {
  /** How often each phrase and then each term occurs, where it does: its position in the query and the count. */
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
const sieveMask = 0x0f_ff;

/**
 * Prepares a query for many texts. The function it gives counts phrases regardless of case, bounded by what is no letter
 * or digit, and terms by the tokens of `requestTerms` in one walk over the text. Linear in the text; pure.
 */
export function textCounter({ phrases, terms }: ContentQuery): (text: string) => TextCounts {
  const byHash = new Map<number, Entry[]>();
  const sieve = new Uint8Array(sieveMask + 1);
  const enter = (word: string, entry: Entry): void => {
    const hash = hashOf(word);
    byHash.set(hash, [...(byHash.get(hash) ?? []), entry]);
    sieve[hash & sieveMask] = 1;
  };
  for (const [index, term] of terms.entries())
    enter(term, { word: term, position: phrases.length + index, phrase: false });
  // A phrase that occurs has its runs of letters and digits as whole runs of the text: the longest is looked for first.
  for (const [position, phrase] of phrases.entries()) {
    const runs = phrase.match(/[a-z0-9]+/g) ?? [];
    const longest = runs.reduce((best, run) => (run.length > best.length ? run : best), '');
    enter(longest, { word: longest, position, phrase: true });
  }

  return (text) => {
    const counts = new Map<number, number>();
    const likely = new Set<number>();
    const find = (hash: number, start: number, end: number, phrase: boolean): void => {
      for (const entry of byHash.get(hash) ?? []) {
        if (entry.phrase !== phrase || entry.word.length !== end - start) continue;
        if (text.slice(start, end).toLowerCase() !== entry.word) continue;
        if (phrase) likely.add(entry.position);
        else counts.set(entry.position, Math.min(mostCounted, (counts.get(entry.position) ?? 0) + 1));
      }
    };
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
      if (kind === 0 || (kind === 2 && before === 1)) {
        if (at > start) {
          length += 1;
          const plural = at - start > 4 && endsAsPlural(text, at);
          const token = plural ? shorter : hash;
          if (sieve[token & sieveMask] === 1) find(token, start, plural ? at - 1 : at, false);
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

    if (likely.size > 0) {
      const lower = text.toLowerCase();
      for (const position of likely) {
        const count = occurrences(lower, phrases[position] ?? '');
        if (count > 0) counts.set(position, count);
      }
    }
    return { counts, length };
  };
}

interface Entry {
  /** A term, or the longest run of a phrase. */
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

function occurrences(text: string, phrase: string): number {
  let count = 0;
  for (let at = text.indexOf(phrase); at >= 0 && count < mostCounted; at = text.indexOf(phrase, at + phrase.length)) {
    const end = at + phrase.length;
    const opens = !isLetterOrDigit(text, at) || !isLetterOrDigit(text, at - 1);
    const closes = !isLetterOrDigit(text, end - 1) || !isLetterOrDigit(text, end);
    if (opens && closes) count += 1;
  }
  return count;
}

function isLetterOrDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return (code >= 97 && code <= 122) || (code >= 48 && code <= 57);
}
