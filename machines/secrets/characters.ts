/** Anything that can be read by the UTF-16 code unit; a string is one. */
export interface Characters {
  readonly length: number;
  charCodeAt(index: number): number;
}

const digit = 1;
const upper = 2;
const lower = 4;
const underscore = 8;
const hyphen = 16;
/** The other characters that the value of an assignment may hold. */
const valueSign = 32;

const classes = new Uint8Array(128);
for (let code = 0x30; code <= 0x39; code += 1) classes[code] = digit;
for (let code = 0x41; code <= 0x5a; code += 1) classes[code] = upper;
for (let code = 0x61; code <= 0x7a; code += 1) classes[code] = lower;
classes[0x5f] = underscore;
classes[0x2d] = hyphen;
for (const sign of '+./:@=') classes[sign.charCodeAt(0)] = valueSign;

const of =
  (mask: number) =>
  (code: number): boolean =>
    code >= 0 && code < 128 && ((classes[code] ?? 0) & mask) !== 0;

export const isDigit = of(digit);
export const isUpper = of(upper);
export const isLower = of(lower);
export const upperOrDigit = of(upper | digit);
export const alphanumeric = of(upper | lower | digit);
export const isWord = of(upper | lower | digit | underscore);
export const base64Url = of(upper | lower | digit | underscore | hyphen);
export const isValue = of(upper | lower | digit | underscore | hyphen | valueSign);

/** Membership in a set of ASCII characters. */
export function oneOf(characters: string): (code: number) => boolean {
  const set = new Uint8Array(128);
  for (let index = 0; index < characters.length; index += 1) set[characters.charCodeAt(index)] = 1;
  return (code) => code >= 0 && code < 128 && set[code] === 1;
}

/** The code unit at an index, -1 outside the text. */
export function codeAt(text: Characters, index: number): number {
  return index >= 0 && index < text.length ? text.charCodeAt(index) : -1;
}

/** The index after the last of the characters from `from` on that `member` accepts, looking no further than `limit`. */
export function runEnd(
  text: Characters,
  from: number,
  member: (code: number) => boolean,
  limit: number = text.length,
): number {
  const end = Math.min(limit, text.length);
  let index = from;
  while (index < end && member(text.charCodeAt(index))) index += 1;
  return index;
}

/**
 * Whether `literal` stands at `at`; with `anyCase` an ASCII capital in the text equals the small letter of the literal.
 */
export function matches(text: Characters, at: number, literal: string, anyCase = false): boolean {
  if (at < 0 || at + literal.length > text.length) return false;
  for (let index = 0; index < literal.length; index += 1) {
    const code = text.charCodeAt(at + index);
    const wanted = literal.charCodeAt(index);
    if (code !== wanted && !(anyCase && isUpper(code) && code + 32 === wanted)) return false;
  }
  return true;
}
