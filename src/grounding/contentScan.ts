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

/**
 * Prepares a query for many texts. The function it gives counts phrases regardless of case, bounded by what is no letter
 * or digit, and terms by the tokens of `requestTerms` in one walk over the text. Linear in the text; pure.
 */
export function textCounter({ phrases, terms }: ContentQuery): (text: string) => TextCounts {
  const byHash = new Map<number, { readonly term: string; readonly position: number }[]>();
  for (const [index, term] of terms.entries()) {
    let hash = 0;
    for (let at = 0; at < term.length; at += 1) hash = mixed(hash, term.charCodeAt(at));
    byHash.set(hash, [...(byHash.get(hash) ?? []), { term, position: phrases.length + index }]);
  }

  return (text) => {
    const counts = new Map<number, number>();
    let length = 0;
    let start = 0;
    let hash = 0;
    /** The hash without the last character: of the token once its final `s` is taken off. */
    let shorter = 0;
    let previousIsSmall = false;
    const end = (until: number): void => {
      const size = until - start;
      if (size === 0) return;
      length += 1;
      const plural = size > 4 && endsAsPlural(text, until);
      for (const { term, position } of byHash.get(plural ? shorter : hash) ?? []) {
        if (term.length !== (plural ? size - 1 : size)) continue;
        if (text.slice(start, start + term.length).toLowerCase() !== term) continue;
        counts.set(position, Math.min(mostCounted, (counts.get(position) ?? 0) + 1));
      }
    };
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      const capital = code >= 65 && code <= 90;
      const small = (code >= 97 && code <= 122) || (code >= 48 && code <= 57);
      if (!capital && !small) {
        end(at);
        start = at + 1;
        hash = 0;
      } else {
        if (capital && previousIsSmall) {
          end(at);
          start = at;
          hash = 0;
        }
        shorter = hash;
        hash = mixed(hash, capital ? code + 32 : code);
      }
      previousIsSmall = small;
    }
    end(text.length);

    if (phrases.length > 0) {
      const lower = text.toLowerCase();
      for (const [position, phrase] of phrases.entries()) {
        const count = occurrences(lower, phrase);
        if (count > 0) counts.set(position, count);
      }
    }
    return { counts, length };
  };
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
