import { startsAsPlaceholder } from './assignment.ts';
import {
  alphanumeric,
  base64Url,
  type Characters,
  isValue,
  isWord,
  matches,
  runEnd,
  upperOrDigit,
} from './characters.ts';
import { assignsCredential, mayNameSecret } from './namedValue.ts';
import { isBadgeParameter } from './noValue.ts';

/** The pattern that was found, never the text that matched it. */
export interface SecretFinding {
  readonly rule: string;
}

/** Also where it begins: at its first word, or at the name that it is given to. */
interface PlacedSecret extends SecretFinding {
  readonly at: number;
}

/** What a whole word starts with, what must follow it, and how much of that at least. */
interface Head {
  readonly rule: string;
  readonly literal: string;
  readonly tail: (code: number) => boolean;
  readonly least: number;
  /** A key of fixed length ends with its word. */
  readonly exact?: true;
}

const head = (rule: string, literal: string, tail: Head['tail'], least: number): Head => ({
  rule,
  literal,
  tail,
  least,
});

/** Tokens that are told by their head. The lengths are those of grounding section 7. */
const heads: readonly Head[] = [
  { ...head('aws_access_key', 'AKIA', upperOrDigit, 16), exact: true },
  { ...head('aws_access_key', 'ASIA', upperOrDigit, 16), exact: true },
  ...['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'].map((literal) => head('github_token', literal, alphanumeric, 20)),
  head('github_token', 'github_pat_', isWord, 20),
  head('gitlab_token', 'glpat-', base64Url, 16),
  ...['xoxa-', 'xoxb-', 'xoxp-', 'xoxr-', 'xoxs-'].map((literal) => head('slack_token', literal, base64Url, 10)),
  head('anthropic_key', 'sk-ant-', base64Url, 16),
  head('google_api_key', 'AIza', base64Url, 35),
  head('npm_token', 'npm_', alphanumeric, 36),
  // Beyond the page, whose outcome is that no secret is selected: heads that nothing else begins with.
  ...['sk_live_', 'rk_live_'].map((literal) => head('stripe_key', literal, alphanumeric, 20)),
  head('slack_token', 'xapp-', base64Url, 20),
  head('google_client_secret', 'GOCSPX-', base64Url, 20),
  head('huggingface_token', 'hf_', alphanumeric, 34),
  head('shopify_token', 'shpat_', alphanumeric, 32),
  head('digitalocean_token', 'dop_v1_', alphanumeric, 64),
  head('pypi_token', 'pypi-AgEIcHlwaS5vcmc', base64Url, 40),
  head('age_key', 'AGE-SECRET-KEY-1', upperOrDigit, 40),
];

const none: readonly never[] = [];
/** By the first two characters: one look spares nearly all words the rest. */
const headsByStart = new Map<number, Head[]>();
const headStarts = new Uint8Array(0x40_00);
for (const entry of heads) {
  const pair = (entry.literal.charCodeAt(0) << 7) | entry.literal.charCodeAt(1);
  headsByStart.set(pair, [...(headsByStart.get(pair) ?? []), entry]);
  headStarts[pair] = 1;
}

/**
 * One value may hold several names, and each would read the rest of it: what has more of them is made for that, or is a
 * list of names.
 */
const longestChain = 8;

const dash = 0x2d;
const dot = 0x2e;

/**
 * Finds the first thing in a text that looks like a credential. Takes any text; gives the name of the pattern, never
 * the value, or null. Never throws, and reads each character a bounded number of times. A heuristic, not a scanner.
 * Rules: grounding section 7, secret content.
 */
export function findSecret(text: string): SecretFinding | null {
  return scanForSecret(text);
}

/**
 * `findSecret` over anything that can be read by the character: a string, or in a test a source that counts its reads.
 */
export function scanForSecret(text: Characters): SecretFinding | null {
  const found = placeSecret(text);
  return found === null ? null : { rule: found.rule };
}

/**
 * As `findSecret`, and where it begins; whoever calls it shows neither.
 *
 * One walk over the words of the text (maximal runs of letters, digits and `_`); every pattern starts at the start of
 * a word, and a run that was measured once is not measured again from inside. Hence linear (trap T31).
 */
export function placeSecret(text: Characters): PlacedSecret | null {
  // A run that failed for its first head fails for every later one inside it, which has less of it to go by.
  let webTokenTriedUntil = 0;
  let longKeyTriedUntil = 0;
  let previousWord = { start: -1, end: -1 };
  /** Names of credentials since a character that no value holds. */
  let chained = 0;
  let index = 0;
  while (index < text.length) {
    const code = text.charCodeAt(index);
    if (!isWord(code)) {
      if (!isValue(code)) chained = 0;
      if (code === 0x3a && urlPassword(text, index)) return { rule: 'url_password', at: previousWord.start };
      index += 1;
      continue;
    }
    const start = index;
    const end = runEnd(text, start, isWord);
    index = end;

    if (code === 0x42 && end - start === 5 && privateKeyHeader(text, start)) return { rule: 'private_key', at: start };
    const pair = end - start > 1 ? (code << 7) | text.charCodeAt(start + 1) : 0;
    for (const entry of headStarts[pair] === 1 ? (headsByStart.get(pair) ?? none) : none) {
      if (!matches(text, start, entry.literal)) continue;
      const from = start + entry.literal.length;
      const tail = runEnd(text, from, entry.tail, from + entry.least) - from;
      if (tail === entry.least && (entry.exact !== true || from + tail === end)) return { rule: entry.rule, at: start };
    }
    if (code === 0x73 && end - start === 2 && start >= longKeyTriedUntil && matches(text, start, 'sk-')) {
      longKeyTriedUntil = runEnd(text, start, base64Url);
      if (longKey(text, end + 1, longKeyTriedUntil)) return { rule: 'openai_key', at: start };
    }
    if (code === 0x65 && start >= webTokenTriedUntil && matches(text, start, 'eyJ')) {
      webTokenTriedUntil = runEnd(text, start, base64Url);
      if (webTokenTriedUntil - start >= 8 && webTokenTail(text, webTokenTriedUntil))
        return { rule: 'json_web_token', at: start };
    }
    if (chained < longestChain && mayNameSecret(text, start, end)) {
      chained += 1;
      const own = isSecretWord(text, start, end, previousWord);
      if (assignsCredential(text, start, end, own) && !isBadgeParameter(text, start))
        return { rule: 'assignment', at: start };
    }
    previousWord = { start, end };
  }
  return null;
}

/** At the word BEGIN: five dashes (four and a blank in the SSH2 form) before it, PRIVATE KEY in the label after it. */
function privateKeyHeader(text: Characters, start: number): boolean {
  if (!matches(text, start, 'BEGIN ')) return false;
  if (!matches(text, start - 5, '-----') && !matches(text, start - 5, '---- ')) return false;
  // A label is short; without the bound, each header of a text made of headers could read the rest of it.
  const limit = Math.min(text.length, start + 86);
  for (let index = start + 6; index < limit; index += 1) {
    const code = text.charCodeAt(index);
    if (code !== 0x20 && !upperOrDigit(code)) return false;
    if (code === 0x50 && matches(text, index, 'PRIVATE KEY')) return true;
  }
  return false;
}

/** After `sk-`: at least 40 characters, one stretch of 20 without `-` or `_`, which names made of words do not have. */
function longKey(text: Characters, from: number, end: number): boolean {
  if (end - from < 40) return false;
  let at = from;
  while (at < end) {
    const stretch = runEnd(text, at, alphanumeric);
    if (stretch - at >= 20) return true;
    at = stretch + 1;
  }
  return false;
}

/** After the first part of a JSON web token: two more parts of at least eight characters, each after a dot. */
function webTokenTail(text: Characters, from: number): boolean {
  let at = from;
  for (let part = 0; part < 2; part += 1) {
    if (at >= text.length || text.charCodeAt(at) !== dot) return false;
    const end = runEnd(text, at + 1, base64Url);
    if (end - at - 1 < 8) return false;
    at = end;
  }
  return true;
}

/** At a colon: `scheme://user:password@`, the password of eight characters or more and no placeholder. */
function urlPassword(text: Characters, colon: number): boolean {
  if (colon === 0 || !alphanumeric(text.charCodeAt(colon - 1)) || !matches(text, colon, '://')) return false;
  let separator = -1;
  // Stops at a slash: so no two addresses read the same characters.
  for (let index = colon + 3; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === 0x40) return separator >= 0 && index - separator > 8 && !placeholderPassword(text, separator + 1);
    if (code <= 0x20 || '/?#"\'`<>\\'.includes(String.fromCharCode(code))) return false;
    if (code === 0x3a && separator < 0) separator = index;
  }
  return false;
}

function placeholderPassword(text: Characters, start: number): boolean {
  const first = String.fromCharCode(text.charCodeAt(start));
  // `user:password@`, as documentation has it.
  if (matches(text, start, 'password@', true)) return true;
  return '${%*['.includes(first) || startsAsPlaceholder(text, start);
}

const secretWords = [
  'apikey',
  'api_key',
  'authorization',
  'client_secret',
  'clientsecret',
  'password',
  'secret',
  'token',
];

const secretWordsByLength = new Map<number, readonly string[]>();
for (const word of secretWords) {
  secretWordsByLength.set(word.length, [...(secretWordsByLength.get(word.length) ?? []), word]);
}
const longestSecretWord = Math.max(...secretWordsByLength.keys());

/** A whole word that names a credential; `api key` and `api-key` are two words with one character between. */
function isSecretWord(
  text: Characters,
  start: number,
  end: number,
  previous: { readonly start: number; readonly end: number },
): boolean {
  const length = end - start;
  if (length === 3 && previous.end === start - 1 && previous.end - previous.start === 3) {
    const between = text.charCodeAt(previous.end);
    return (
      (between === dash || between === 0x20) &&
      matches(text, start, 'key', true) &&
      matches(text, previous.start, 'api', true)
    );
  }
  if (length > longestSecretWord) return false;
  for (const word of secretWordsByLength.get(length) ?? none) {
    if (matches(text, start, word, true)) return true;
  }
  return false;
}
