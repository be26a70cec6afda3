import { type Characters, codeAt, isLower, isUpper, isValue, isWord, matches, runEnd } from './characters.ts';

/** What stands where the value of a credential would, and is none: places, references, names and sentences. */

const longestLook = 128;
const blank = 0x20;
const hash = 0x23;
const hyphen = 0x2d;

/** An address (a password inside one is found by its own rule), a resource of a vault, a path of plain words. */
const place = /^[a-z][a-z0-9+.-]*:\/\/|^arn:|^projects\/|^\/?(?:[\w.-]+\/)*secrets\/|^(?:\/[A-Za-z_.-]+){2,}$/i;
/** Words joined by dots, as scopes and keys are: no digit, no capital. */
const dottedWords = /^[a-z]+(?:[-_][a-z]+)*(?:\.[a-z]+(?:[-_][a-z]+)*)+$/;

/**
 * Says whether a value (from `start` on) is a place or words. `sentence` says that it is in quotes or behind a colon,
 * where a word without a digit and a blank begin a sentence; `quoted`, that dotted words are no code.
 */
export function readsAsText(
  text: Characters,
  start: number,
  { quoted, sentence }: { readonly quoted: boolean; readonly sentence: boolean },
): boolean {
  const afterWords = runEnd(text, start, inWords, start + longestLook);
  if (sentence && codeAt(text, afterWords) === blank && codeAt(text, afterWords - 1) !== hyphen) {
    const next = codeAt(text, afterWords + 1);
    if (next > blank && next !== hash) return true;
  }
  // A colon, a slash or a dot is in all the others.
  const end = runEnd(text, afterWords, isValue, start + longestLook);
  if (runEnd(text, afterWords, isWordOrHyphen, end) === end) return false;
  let value = '';
  for (let at = start; at < end; at += 1) value += String.fromCharCode(text.charCodeAt(at));
  return place.test(value) || (quoted && dottedWords.test(value));
}

const inWords = (code: number): boolean => isLower(code) || isUpper(code) || code === hyphen;
const isWordOrHyphen = (code: number): boolean => isWord(code) || code === hyphen;

const badge = 'badge';
const opensQuery = [0x3f, 0x26];

/** Whether a word (from `start` on) is a parameter of the address of a badge, whose token is there for everybody. */
export function isBadgeParameter(text: Characters, start: number): boolean {
  if (!opensQuery.includes(codeAt(text, start - 1))) return false;
  for (let at = start - 2; at > start - longestLook; at -= 1) {
    const code = codeAt(text, at);
    if (code <= blank) return false;
    if (isLower(code) && matches(text, at, badge) && !isWord(codeAt(text, at + badge.length))) return true;
  }
  return false;
}
