import {
  type Characters,
  codeAt,
  isDigit,
  isLower,
  isUpper,
  isValue,
  isWord,
  matches,
  oneOf,
  runEnd,
} from './characters.ts';
import { readsAsText } from './noValue.ts';

/** What a value starts with when it only stands in for one. */
const placeholders = ['example', 'placeholder', 'redacted', 'changeme', 'your_', 'your-'];

/** What stands before the value of an authorization header. */
const schemes = ['bearer', 'basic', 'token'];

/** Words that stand after a name in code and prose and are no values. */
const plainWords = ['undefined', 'function', 'required', 'optional', 'uint8array'];

/** The words that name a credential, each the last part of its name. */
const ownWords = ['password', 'secret', 'token', 'authorization', 'key'];

/** Names and values have a length; a look beyond these bounds would only read hostile text again and again. */
const longestGap = 64;
const longestExpression = 128;

const blank = 0x20;
const colonSign = 0x3a;
const equalsSign = 0x3d;
const less = 0x3c;
const greater = 0x3e;
const ampersand = 0x26;
const fullStop = 0x2e;
const roundOpen = 0x28;
const squareOpen = 0x5b;
const squareClose = 0x5d;
const questionMark = 0x3f;
const semicolon = 0x3b;

/** What stands between a name and its operator. */
const closesName = oneOf('\\"\'`]?!');
const isQuote = oneOf('"\'`');
const prefixesQuote = oneOf('bfruBFRU@$\\');
const isBlank = oneOf(' \t');
const isSpace = oneOf('\n\r\t ');
const breaksLine = oneOf('\n\r');
const startsPlainWord = oneOf('uUfFrRoO');
const startsScheme = oneOf('bBtT');
const followsType = oneOf(';|&');
const followsName = oneOf(';,)}]|&?');
const followsVariable = oneOf(';,)}]|&?+');
const closesBracket = oneOf(')}]');

export function startsAsPlaceholder(text: Characters, start: number): boolean {
  return placeholders.some((word) => matches(text, start, word, true));
}

/**
 * Says whether what follows the name of a credential (it ends at `at`, the operator stands behind it) gives it a
 * literal value: eight or more characters of a value, no placeholder, no place or sentence, and no code that only
 * mentions the name (a member expression, a call, a type). Reads at most a fixed number of characters. Rule: grounding
 * section 7, secret content, row 5.
 */
export function assignsSecret(text: Characters, at: number, operator: Operator): boolean {
  const own = ownWords.find((word) => matches(text, at - word.length, word, true)) ?? null;
  // `arn:…:secret:name`, a role of markup: one part of a chain.
  const chained = own !== null && codeAt(text, at - own.length - 1) === colonSign;
  if (chained && operator.colon && operator.tight) return false;
  const first = judgeValue(text, operator, own);
  if (first.kind !== 'name') return first.kind === 'literal';
  // `password: string = "…"`: behind the type stands the value itself.
  const after = skipBlanks(text, first.end);
  const behind = codeAt(text, after + 1);
  if (codeAt(text, after) !== equalsSign || behind === equalsSign || behind === greater) return false;
  return (
    judgeValue(text, { ...operator, end: after + 1, colon: false, expression: false, tight: false }, own).kind ===
    'literal'
  );
}

export interface Operator {
  readonly end: number;
  readonly colon: boolean;
  /** `=>`, `==`, `===` or `::`: what follows without quotes is an expression. */
  readonly expression: boolean;
  /** No blank between the name and the value, as in a connection string or an environment file. */
  readonly tight: boolean;
  /** The name is a text in quotes. */
  readonly quotedName: boolean;
  /** `map["name"] =`: what follows without quotes is code. */
  readonly subscript: boolean;
}

/** Behind a name may stand `?` or `!`, a closing quote (escaped or not), a bracket, blanks; then the operator. */
export function operatorAfterName(text: Characters, at: number): Operator | null {
  let index = at;
  let quotedName = false;
  let subscript = false;
  while (index < at + 4 && closesName(codeAt(text, index))) {
    quotedName ||= isQuote(codeAt(text, index));
    subscript ||= codeAt(text, index) === squareClose;
    index += 1;
  }
  const start = skipBlanks(text, index);
  let end = start;
  while (end < start + 3 && (codeAt(text, end) === colonSign || codeAt(text, end) === equalsSign)) end += 1;
  if (end === start) return null;
  const arrow = codeAt(text, end) === greater;
  const close = arrow ? end + 1 : end;
  const doubled = end - start > 1 && codeAt(text, start) === codeAt(text, start + 1);
  return {
    end: close,
    colon: codeAt(text, start) === colonSign,
    expression: arrow || doubled,
    tight: start === index && !isBlank(codeAt(text, close)),
    quotedName,
    subscript,
  };
}

type Judgement =
  | { readonly kind: 'literal' }
  | { readonly kind: 'none' }
  | { readonly kind: 'name'; readonly end: number };

const literal: Judgement = { kind: 'literal' };
const none: Judgement = { kind: 'none' };

function judgeValue(text: Characters, operator: Operator, own: string | null): Judgement {
  let start = skipBlanks(text, operator.end);
  const opened = openingQuote(text, start);
  if (opened !== null) return judgeQuoted(text, opened, own);
  if (breaksLine(codeAt(text, start))) {
    // A long line that was broken after the operator: the next line counts when it opens a quote.
    const next = openingQuote(text, skipSpace(text, start));
    return next === null ? none : judgeQuoted(text, next, own);
  }
  if (operator.colon && codeAt(text, start) === ampersand) start += 1;
  const scheme = schemeEnd(text, start);
  if (scheme !== null) start = scheme;
  if (operator.expression && scheme === null) return none;
  if (scheme === null) {
    const nameEnd = nameOnly(text, start, operator, own);
    if (nameEnd !== null) return { kind: 'name', end: nameEnd };
  }
  return literalAt(text, start, { quoted: false, sentence: operator.colon && scheme === null });
}

function judgeQuoted(text: Characters, start: number, own: string | null): Judgement {
  // The label of a field or a sentence about it, as forms and translations have them: "Password", "Password is short".
  if (own !== null && isUpper(codeAt(text, start)) && matches(text, start, own, true)) {
    if (codeAt(text, start + own.length) === blank) return none;
  }
  // `password: "password"`: a default of everybody, or the name of a field.
  if (own !== null && matches(text, start, own, true) && openingQuote(text, start + own.length) !== null) return none;
  const scheme = schemeEnd(text, start);
  return literalAt(text, scheme ?? start, { quoted: true, sentence: scheme === null });
}

function literalAt(text: Characters, start: number, how: Parameters<typeof readsAsText>[2]): Judgement {
  const long = runEnd(text, start, isValue, start + 8) - start === 8;
  if (!long || startsAsPlaceholder(text, start) || plainWordEnd(text, start) !== null) return none;
  return readsAsText(text, start, how) ? none : literal;
}

/** `Bearer`, `Basic` or `Token` and blanks before the value of an authorization header. */
function schemeEnd(text: Characters, start: number): number | null {
  if (!startsScheme(codeAt(text, start))) return null;
  for (const scheme of schemes) {
    if (!matches(text, start, scheme, true)) continue;
    const after = start + scheme.length;
    const value = skipBlanks(text, after);
    if (value > after) return value;
  }
  return null;
}

/** After an opening quote, which may carry a prefix (`f"`, `b'`, `@"`) or be escaped; null where there is none. */
export function openingQuote(text: Characters, start: number): number | null {
  let index = start;
  while (index < start + 3 && prefixesQuote(codeAt(text, index))) index += 1;
  return isQuote(codeAt(text, index)) ? index + 1 : null;
}

/**
 * The end of an unquoted name that is code rather than a value, or null. A name is a chain of identifiers without a
 * digit-laden part; what follows it, or its form, must show that it is code.
 */
export function nameOnly(text: Characters, start: number, operator: Operator, own: string | null): number | null {
  const word = plainWordEnd(text, start);
  if (word !== null) return word;
  const limit = Math.min(text.length, start + longestExpression);
  let members = 0;
  let digits = 0;
  let humps = 0;
  let index = start;
  while (index < limit) {
    const part = runEnd(text, index, isWord, limit);
    if (part === index || isDigit(codeAt(text, index))) return null;
    members += 1;
    for (let at = index; at < part; at += 1) {
      const code = text.charCodeAt(at);
      if (isDigit(code)) digits += 1;
      else if (code === 0x5f || (isUpper(code) && (at === index || isLower(text.charCodeAt(at - 1))))) humps += 1;
    }
    index = part;
    const separator = memberSeparator(text, index);
    if (separator === 0) break;
    index += separator;
  }
  // `@`, `/`, `+` or `-` inside the run is no part of a name; a type may be followed by its colon or equals sign.
  const next = codeAt(text, index);
  const more = isValue(next) && next !== equalsSign && next !== colonSign;
  if (more || members === 0) return null;
  // A call may have a name like `base64.b16decode`, which no key looks like with a bracket behind it.
  if (digits > (next === roundOpen ? 8 : 3)) return null;
  const pascal = isUpper(text.charCodeAt(start)) && index - start > 1 && isLower(text.charCodeAt(start + 1));
  if (next === roundOpen || next === squareOpen || (next === less && (operator.colon || pascal))) return index;
  if (next === questionMark && codeAt(text, index + 1) === fullStop) return index;
  if (members > 1) return index;
  const follower = codeAt(text, skipBlanks(text, index));
  // Behind a name in quotes a value would be in quotes as well.
  if (operator.subscript && !operator.colon) return index;
  if (
    operator.quotedName &&
    operator.colon &&
    (followsName(follower) || closesBracket(codeAt(text, skipSpace(text, index))))
  )
    return index;
  if (digits > 0) return null;
  if (own !== null && namedAfter(text, start, index, own) && readsAsCode(text, start, index, operator, own))
    return index;
  if (operator.colon && follower === equalsSign) return index;
  if (operator.colon && pascal && followsType(follower)) return index;
  if (!operator.colon && operator.tight && follower === semicolon) return null;
  const compound = pascal ? humps > 1 : humps > 0;
  return compound && followsName(follower) ? index : null;
}

/** How many characters part a name from its member: `.`, or `::` of paths; 0 where no member follows. */
function memberSeparator(text: Characters, at: number): number {
  const code = codeAt(text, at);
  if (code === fullStop) return isWord(codeAt(text, at + 1)) ? 1 : 0;
  return code === colonSign && codeAt(text, at + 1) === colonSign && isWord(codeAt(text, at + 2)) ? 2 : 0;
}

/**
 * Whether an identifier is the word itself or has it as its first or last part: `password`, `user_password`,
 * `accessToken`, `token_ptr`. A variable is named after what it holds; what it holds is not named after itself.
 */
function namedAfter(text: Characters, start: number, end: number, own: string): boolean {
  const last = end - own.length;
  if (last === start) return matches(text, start, own, true);
  if (last < start) return false;
  if (matches(text, last, own, true)) {
    const before = text.charCodeAt(last - 1);
    if (before === 0x5f || (isUpper(text.charCodeAt(last)) && isLower(before))) return true;
  }
  if (!matches(text, start, own, true)) return false;
  const after = text.charCodeAt(start + own.length);
  return after === 0x5f || (isUpper(after) && isLower(text.charCodeAt(start + own.length - 1)));
}

/**
 * An assignment with blanks, as code has it and few files of settings; the bare word in a sentence or behind a key; or
 * a value that a sign of code follows, for a key with a colon also on the next line.
 */
function readsAsCode(text: Characters, start: number, end: number, operator: Operator, own: string): boolean {
  if (followsVariable(codeAt(text, skipBlanks(text, end)))) return true;
  if (!operator.colon || end - start === own.length) return !operator.tight;
  return closesBracket(codeAt(text, skipSpace(text, end)));
}

function plainWordEnd(text: Characters, start: number): number | null {
  if (!startsPlainWord(codeAt(text, start))) return null;
  let end = runEnd(text, start, isValue, start + 12);
  // The full stop of a sentence.
  if (codeAt(text, end - 1) === fullStop) end -= 1;
  return plainWords.some((word) => word.length === end - start && matches(text, start, word, true)) ? end : null;
}

export function skipBlanks(text: Characters, from: number): number {
  let index = from;
  while (index < from + longestGap && isBlank(codeAt(text, index))) index += 1;
  return index;
}

function skipSpace(text: Characters, from: number): number {
  let index = from;
  while (index < from + longestGap && isSpace(codeAt(text, index))) index += 1;
  return index;
}
