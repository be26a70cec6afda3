/**
 * JSON as people keep it in configuration files: with comments and trailing commas, and with a place for everything, so
 * that one entry can be put in or taken out while every other character stays.
 */

interface Placed {
  /** Of its first character in the text. */
  readonly start: number;
  /** After its last character. */
  readonly end: number;
}
export type Member = Placed & Readonly<{ key: string; value: JsonNode }>;
export type JsonObject = Placed & Readonly<{ kind: 'object'; parts: readonly Member[] }>;
export type JsonArray = Placed & Readonly<{ kind: 'array'; parts: readonly JsonNode[] }>;
export type JsonScalar = Placed & Readonly<{ kind: 'scalar'; value: string | number | boolean | null }>;
export type JsonNode = JsonObject | JsonArray | JsonScalar;

/** A text that is no such JSON; the message says where. */
export class JsonTextError extends Error {
  override readonly name = 'JsonTextError';
}

const blanks = /(?:[ \t\r\n]|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y;
const scalars = /"(?:[^"\\\u0000-\u001f]|\\.)*"|-?\d[\d.eE+-]*|true|false|null/y;

/** Deeper nesting is no configuration, and would end in a stack that overflows. */
const deepest = 256;

/**
 * Parses a text and keeps where everything stands.
 *
 * @throws JsonTextError for what is no JSON, and for a key that an object has twice: readers differ in which one counts
 */
export const parseJsonText = (text: string): JsonNode => {
  let at = text.startsWith('\ufeff') ? 1 : 0;

  const fail = (what: string): never => {
    const line = text.slice(0, at).split('\n').length;
    throw new JsonTextError(`${what} in line ${line}`);
  };

  const skip = (): void => {
    blanks.lastIndex = at;
    at += blanks.exec(text)?.[0].length ?? 0;
  };

  const scalar = (): JsonScalar => {
    scalars.lastIndex = at;
    const word = scalars.exec(text)?.[0];
    if (word === undefined) return fail('something that is no JSON');
    const start = at;
    try {
      const value: JsonScalar['value'] = JSON.parse(word);
      at += word.length;
      return { kind: 'scalar', start, end: at, value };
    } catch {
      return fail('something that is no JSON');
    }
  };

  /** What stands between two brackets, separated by commas; one more comma may stand at the end. */
  const list = <T>(close: string, read: () => T): readonly T[] => {
    const parts: T[] = [];
    at += 1;
    for (skip(); text[at] !== close; skip()) {
      parts.push(read());
      skip();
      if (text[at] === ',') at += 1;
      else if (text[at] !== close) return fail(`no ${close} or comma`);
    }
    at += 1;
    return parts;
  };

  const node = (depth: number): JsonNode => {
    if (depth > deepest) return fail('nesting that is too deep');
    const start = at;
    if (text[at] === '{') {
      const keys = new Set<string>();
      const parts = list('}', () => member(depth, keys));
      return { kind: 'object', start, end: at, parts };
    }
    if (text[at] === '[') {
      const parts = list(']', () => node(depth + 1));
      return { kind: 'array', start, end: at, parts };
    }
    return scalar();
  };

  const member = (depth: number, keys: Set<string>): Member => {
    const { start, value: key } = scalar();
    if (typeof key !== 'string') return fail('a key that is no text');
    if (keys.has(key)) return fail(`the key ${JSON.stringify(key)} for the second time`);
    keys.add(key);
    skip();
    if (text[at] !== ':') return fail('no colon');
    at += 1;
    skip();
    const value = node(depth + 1);
    return { key, start, end: value.end, value };
  };

  skip();
  const whole = node(0);
  skip();
  if (at !== text.length) return fail('something after the end');
  return whole;
};

/** The value that a node stands for. */
export const plainOf = (node: JsonNode): unknown => {
  switch (node.kind) {
    case 'scalar':
      return node.value;
    case 'array':
      return node.parts.map(plainOf);
    case 'object':
      return Object.fromEntries(node.parts.map(({ key, value }) => [key, plainOf(value)]));
  }
};

export const memberOf = (node: JsonNode | undefined, key: string): JsonNode | undefined =>
  node?.kind === 'object' ? node.parts.find((part) => part.key === key)?.value : undefined;

/** A text that goes in or out at a place. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Carries out edits that do not overlap. */
export const applyEdits = (text: string, edits: readonly Edit[]): string =>
  edits
    .toSorted((one, other) => other.start - one.start)
    .reduce((done, edit) => done.slice(0, edit.start) + edit.text + done.slice(edit.end), text);

const lineEndOf = (text: string): string => (text.includes('\r\n') ? '\r\n' : '\n');

/** The blanks at the beginning of the line in which a place stands. */
const indentAt = (text: string, place: number): string =>
  /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', place - 1) + 1, place))?.[0] ?? '';

/** One step of indentation as the text has it. */
const stepOf = (text: string): string => /\n([ \t]+)[^\s]/.exec(text)?.[1] ?? '  ';

/**
 * Puts one more part at the end of an object or array, laid out as the text is: in a line of its own where the parts
 * before it have theirs.
 *
 * @param key the key of a member; null for an item of an array
 */
export const appendPart = (text: string, into: JsonObject | JsonArray, key: string | null, value: unknown): Edit => {
  const last = into.parts.at(-1);
  const flat = last !== undefined && !text.slice(into.start, last.start).includes('\n');
  const step = stepOf(text);
  const eol = lineEndOf(text);
  const outer = indentAt(text, into.start);
  const inner = last === undefined || flat ? outer + step : indentAt(text, last.start);
  const lines = flat ? JSON.stringify(value) : JSON.stringify(value, null, step).replaceAll('\n', eol + inner);
  const part = key === null ? lines : `${JSON.stringify(key)}: ${lines}`;
  if (last === undefined) {
    const place = into.start + 1;
    return { start: place, end: place, text: `${eol}${inner}${part}${eol}${outer}` };
  }
  return { start: last.end, end: last.end, text: flat ? `, ${part}` : `,${eol}${inner}${part}` };
};

/** Where the comma after a place stands; null when the list ends first. */
const commaAfter = (text: string, place: number): number | null => {
  blanks.lastIndex = place;
  const at = place + (blanks.exec(text)?.[0].length ?? 0);
  return text[at] === ',' ? at : null;
};

/** Takes one part out, with the comma that belongs to it and the line that it leaves empty. */
export const removePart = (text: string, from: JsonObject | JsonArray, index: number): readonly Edit[] => {
  const part = from.parts[index];
  if (!part) return [];
  const before = from.parts[index - 1];
  const blanksBefore = /\s*$/.exec(text.slice(before?.end ?? from.start + 1, part.start))?.[0].length ?? 0;
  const comma = commaAfter(text, part.end);
  const cut = { start: part.start - blanksBefore, end: part.end, text: '' };
  if (comma !== null) return [cut, { start: comma, end: comma + 1, text: '' }];
  const left = before ? commaAfter(text, before.end) : null;
  return left === null ? [cut] : [{ start: left, end: left + 1, text: '' }, cut];
};
