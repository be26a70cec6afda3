import {
  assignsSecret,
  nameOnly,
  type Operator,
  openingQuote,
  operatorAfterName,
  skipBlanks,
  startsAsPlaceholder,
} from './assignment.ts';
import { type Characters, codeAt, isLower, isValue, isWord, matches, oneOf, runEnd } from './characters.ts';

/** What the name of a credential ends in, in the two ways that names are put together. */
const endings = [
  ['password', 'Password'],
  ['passwd', 'Passwd'],
  ['passphrase', 'Passphrase'],
  ['secret', 'Secret'],
  ['token', 'Token'],
  ['apikey', 'Apikey'],
  ['api_key', 'ApiKey'],
  ['secret_key', 'SecretKey'],
  ['access_key', 'AccessKey'],
  ['account_key', 'AccountKey'],
  ['private_key', 'PrivateKey'],
] as const;

/** The last two letters of every word that names a credential, in any case. */
const lastLetters = new Uint8Array(0x40_00);
for (const pair of ['rd', 'wd', 'se', 'et', 'en', 'ey', 'on']) {
  for (const first of [pair.charCodeAt(0), pair.charCodeAt(0) - 32])
    for (const second of [pair.charCodeAt(1), pair.charCodeAt(1) - 32]) lastLetters[(first << 7) | second] = 1;
}

/** Whether a word (`start` to `end`, ASCII) may name a credential at all: one look spares nearly all the rest. */
export function mayNameSecret(text: Characters, start: number, end: number): boolean {
  return end - start > 2 && lastLetters[(text.charCodeAt(end - 2) << 7) | text.charCodeAt(end - 1)] === 1;
}

/** A longer value is judged by what it starts with. */
const longestValue = 128;
const longestKey = 64;

const underscore = 0x5f;
const comma = 0x2c;
const ampersand = 0x26;
const equalsSign = 0x3d;
const greater = 0x3e;
const backslash = 0x5c;
const isQuote = oneOf('"\'`');
const endsQuoted = oneOf('"\'`\\\n\r');
const endsLine = oneOf('\n\r');
/** Before a name in a line of settings: the rest of its key, a list, a comment. */
const isKeySign = oneOf('.-#;"\' \t');
/** Behind a value of a settings file, a command line, a connection string, a query. */
const endsSetting = oneOf('\n\r\t ;&"\'`\\');

const inKey = (code: number): boolean => isWord(code) || isKeySign(code);
/** Other characters that an unquoted value may hold. */
const isSign = oneOf('!#$%^*~?');
const inSetting = (code: number): boolean => isValue(code) || isSign(code);

/** Values that say of themselves that they are none, beside the placeholders of a bare word. */
const standsIn = /^(?:change[-_]me|your|my[-_]|test|fake|dummy|mock|sample|some[-_]|insert|replace|todo|x{3})/i;
/** Something else than a value: filled in later, a place, a number, an alphabet. */
const refersElsewhere = /[<>{}[\]]|\$[(\w]|^%|\*{3}|:\/\/|^arn:|^(?:~|\.{0,2})\/.*\/|^0x[0-9a-f]+$|0123456789/i;
/** Words that may carry a number, joined by signs: a name, a scope, a message. */
const wordsAndNumbers = /^(?:[A-Za-z]+\d{0,3}|\d*)(?:[-_./:](?:[A-Za-z]+\d{0,3}|\d+)?)*$/;
/** Named after what it would hold, with a number in it: a name once more. */
const nameOfOne = /^(?=\D*(?:\d\D*){1,3}$)[A-Za-z][\w-]*(?:password|secret|token|key)$/i;
/** In an environment file, more than a name would have. */
const plainLetters = /^[a-z]{16,}$/;
/** More than a variable with a number in its name: a second number, or a sign in a long value. */
const noVariable = /\d[^\d]+\d|^(?=.*[/+=]).{20}/;
/** A type: unquoted, this is code. */
const typeName = /^[A-Z][a-z]\w*$/;

/**
 * Says whether a word (`start` to `end`) names a credential, and what follows gives it a literal value. `own` says that
 * it is the bare word. A longer name that ends in such a word (`DB_PASSWORD`, `accessToken`, `aws_secret_access_key`)
 * is taken only with a value of letters and digits mixed as no name is, since `next_token` or `INVALID_PASSWORD` name
 * other things as well. Reads at most a fixed number of characters. Rule: grounding section 7, whose outcome is that no
 * secret is selected.
 */
export function assignsCredential(text: Characters, start: number, end: number, own: boolean): boolean {
  if (!own && !endsInSecretWord(text, start, end)) return false;
  const operator = operatorAfterName(text, end);
  if (operator === null) return isMixed(secondArgument(text, start, end));
  return (own && assignsSecret(text, end, operator)) || assignsMixed(text, start, end, operator, own);
}

function assignsMixed(text: Characters, start: number, end: number, operator: Operator, own: boolean): boolean {
  const from = skipBlanks(text, operator.end);
  const opened = openingQuote(text, from);
  // Of a bare word this value was judged already.
  const plain = opened ?? from;
  if (own && runEnd(text, plain, isValue, plain + 8) === plain + 8) return false;
  if (opened !== null) return isMixed(quotedValue(text, opened));
  if (operator.expression) return false;
  if (!own && operator.colon && isMixed(valueBehindType(text, from, operator))) return true;
  // Most names in code have something short behind them.
  if (runEnd(text, from, inSetting, from + 8) < from + 8) return false;
  const valueEnd = runEnd(text, from + 8, inSetting, from + longestValue);
  const next = codeAt(text, valueEnd);
  const constant = isConstant(text, start, end);
  const ends = next === -1 || endsSetting(next) || (constant && operator.tight && next === comma);
  if (valueEnd < from + longestValue && !ends) return false;
  const value = textOf(text, from, valueEnd);
  const mixed = isMixed(value);
  if (!mixed && !(constant && operator.tight && plainLetters.test(value))) return false;
  if (nameOnly(text, from, operator, null) !== null) return false;
  // As in an environment file; other names are those of code as well, where only a setting has no blank or a colon.
  if (constant) return true;
  const line = next === -1 || endsLine(next) || endsLine(codeAt(text, skipBlanks(text, valueEnd)));
  const setting = operator.tight || (line && noVariable.test(value));
  // In the middle of a line there are addresses of examples; as long as that is no example.
  const placed = value.length >= 40 || beginsLine(text, start);
  return (operator.colon ? line : setting && placed) && !typeName.test(value);
}

/** `accessToken: string = "…"`: the value behind the type, or nothing. */
function valueBehindType(text: Characters, from: number, operator: Operator): string {
  const name = nameOnly(text, codeAt(text, from) === ampersand ? from + 1 : from, operator, null);
  if (name === null) return '';
  const after = skipBlanks(text, name);
  const behind = codeAt(text, after + 1);
  if (codeAt(text, after) !== equalsSign || behind === equalsSign || behind === greater) return '';
  const quoted = openingQuote(text, skipBlanks(text, after + 1));
  return quoted === null ? '' : quotedValue(text, quoted);
}

/**
 * `define('DB_PASSWORD', '…')`, `environ.get("DB_PASSWORD", "…")`: the quoted text behind a quoted constant and a
 * comma.
 */
function secondArgument(text: Characters, start: number, end: number): string {
  if (!isQuote(codeAt(text, end)) || !isConstant(text, start, end)) return '';
  const after = skipBlanks(text, end + 1);
  const opened = codeAt(text, after) === comma ? openingQuote(text, skipBlanks(text, after + 1)) : null;
  return opened === null ? '' : quotedValue(text, opened);
}

/** Only a longer key, or a comment sign, before the name. */
function beginsLine(text: Characters, start: number): boolean {
  let at = start - 1;
  while (at >= start - longestKey && inKey(codeAt(text, at))) at -= 1;
  const before = codeAt(text, at);
  return before === -1 || endsLine(before);
}

function endsInSecretWord(text: Characters, start: number, end: number): boolean {
  if (end - start < 6) return false;
  const last = text.charCodeAt(end - 2) | 0x20;
  for (const [snake, camel] of endings) {
    if (snake.charCodeAt(snake.length - 2) !== last) continue;
    const at = end - snake.length;
    if (at >= start && matches(text, at, snake, true)) {
      if (at === start || codeAt(text, at - 1) === underscore) return true;
    }
    const hump = end - camel.length;
    if (hump > start && matches(text, hump, camel)) return true;
    // `secretKey` by itself has a hump as well.
    if (hump === start && matches(text, hump + 1, camel.slice(1))) return true;
  }
  return false;
}

function isConstant(text: Characters, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) if (isLower(text.charCodeAt(at))) return false;
  return true;
}

/** What stands in quotes, or nothing where it does not end as one value. */
function quotedValue(text: Characters, start: number): string {
  const end = runEnd(text, start, (code) => !endsQuoted(code), start + longestValue);
  if (end === start + longestValue) return textOf(text, start, end);
  const closing = codeAt(text, end);
  const closes = isQuote(closing) || (closing === backslash && isQuote(codeAt(text, end + 1)));
  return closes ? textOf(text, start, end) : '';
}

function textOf(text: Characters, start: number, end: number): string {
  if (end - start < 8) return '';
  let value = '';
  for (let at = start; at < end; at += 1) value += String.fromCharCode(text.charCodeAt(at));
  return value;
}

/** Eight or more characters without a blank, letters and digits among them, that neither read as names nor stand in. */
function isMixed(value: string): boolean {
  if (value.length < 8 || !/\d/.test(value) || !/[A-Za-z]/.test(value) || /\s/.test(value)) return false;
  if (wordsAndNumbers.test(value) || refersElsewhere.test(value) || standsIn.test(value)) return false;
  return !nameOfOne.test(value) && !startsAsPlaceholder(value, 0) && new Set(value).size >= 5;
}
