import { isWord, runEnd } from './characters.ts';
import { findSecret, placeSecret } from './content.ts';

/** Words from the name of a credential to its value, with signs, a type and a scheme between. */
const mostWords = 6;

/**
 * A text without what looks like a credential: a line break stands in its place, and the name that a value was given to
 * stays. Takes any text. A heuristic, like the detector. Rule: grounding section 7, secret content.
 */
export function withoutSecrets(text: string): string {
  let kept = '';
  let rest = text;
  for (let found = placeSecret(rest); found !== null; found = placeSecret(rest)) {
    const { rule, at } = found;
    kept += `${rest.slice(0, rule === 'assignment' ? runEnd(rest, at, isWord) : at)}\n`;
    rest = rest.slice(rule === 'private_key' ? endOfKey(rest, at) : endOfValue(rest, at));
  }
  return kept + rest;
}

/** Behind the last line of the key; where there is none, all of the rest is key. */
function endOfKey(text: string, at: number): number {
  const footer = text.indexOf('-----END', at);
  const end = footer < 0 ? -1 : text.indexOf('\n', footer);
  return end < 0 ? text.length : end;
}

/** Behind the first word with which the text from `at` on looks like a credential. */
function endOfValue(text: string, at: number): number {
  const words = /\S+/g;
  words.lastIndex = at;
  let end = at;
  for (let count = 0; count < mostWords; count += 1) {
    const match = words.exec(text);
    if (match === null) return text.length;
    end = words.lastIndex;
    if (findSecret(text.slice(at, end)) !== null) return end;
  }
  return end;
}
