import { createHash } from 'node:crypto';

/** A value that canonical JSON cannot say. */
export class CanonicalError extends Error {
  override readonly name = 'CanonicalError';
  /** Where in the value, keys and indices joined with `.`. */
  readonly path: string;

  constructor(path: readonly (string | number)[], what: string) {
    super(`${what} at "${path.join('.')}" has no canonical JSON`);
    this.path = path.join('.');
  }
}

/** Copies a value in canonical order; `trail` leads to it and `around` holds the objects that it stands in. */
const ordered = (value: unknown, trail: (string | number)[], around: object[]): unknown => {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      if (!Number.isFinite(value)) throw new CanonicalError(trail, String(value));
      return value;
    case 'object':
      if (value === null) return null;
      break;
    case 'undefined':
      throw new CanonicalError(trail, 'undefined');
    default:
      throw new CanonicalError(trail, `a ${typeof value}`);
  }
  if (around.includes(value)) throw new CanonicalError(trail, 'a cycle');
  around.push(value);
  const copy = Array.isArray(value) ? orderedList(value, trail, around) : orderedObject(value, trail, around);
  around.pop();
  return copy;
};

const orderedList = (value: readonly unknown[], trail: (string | number)[], around: object[]): unknown[] =>
  // Not `map`, which would leave holes unjudged.
  Array.from(value, (item, index) => {
    trail.push(index);
    const copy = ordered(item, trail, around);
    trail.pop();
    return copy;
  });

const orderedObject = (value: object, trail: (string | number)[], around: object[]): object => {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) throw new CanonicalError(trail, 'an object of a class');
  if (Object.getOwnPropertySymbols(value).length > 0) throw new CanonicalError(trail, 'a symbol');
  const items: Record<string, unknown> = { ...value };
  // Without a prototype, so that a key `__proto__` stays a key.
  const copy: Record<string, unknown> = Object.create(null);
  for (const key of Object.keys(items).sort()) {
    trail.push(key);
    copy[key] = ordered(items[key], trail, around);
    trail.pop();
  }
  return copy;
};

/**
 * A copy of a JSON value with the keys of every object in canonical order: ascending by UTF-16 units. (Keys that read
 * as list indices come first, in numeric order, as everywhere in the language; no body has such keys.)
 *
 * @throws CanonicalError for undefined, functions, bigints, symbols, NaN, infinities, cycles and class instances.
 */
export const canonicalOrder = (value: unknown): unknown => ordered(value, [], []);

/**
 * The canonical JSON text of a value (artifacts 11.3).
 *
 * @throws CanonicalError as `canonicalOrder` does.
 */
export const canonicalJson = (value: unknown): string => JSON.stringify(ordered(value, [], []));

/** `sha256:` and the lower-case hex SHA-256 of the UTF-8 bytes of a text. */
export const digestOfText = (text: string): string =>
  `sha256:${createHash('sha256').update(text, 'utf8').digest('hex')}`;

/**
 * The digest of a value: that of its canonical JSON.
 *
 * @throws CanonicalError as `canonicalOrder` does.
 */
export const digest = (value: unknown): string => digestOfText(canonicalJson(value));

/**
 * How many UTF-8 bytes the canonical JSON of a value has.
 *
 * @throws CanonicalError as `canonicalOrder` does.
 */
export const canonicalBytes = (value: unknown): number => Buffer.byteLength(canonicalJson(value), 'utf8');

/** Text, size in UTF-8 bytes and digest of a value, with one pass over it. */
export interface CanonicalForm {
  readonly text: string;
  readonly bytes: number;
  readonly sha256: string;
}

/**
 * All three at once, for who stores a body.
 *
 * @throws CanonicalError as `canonicalOrder` does.
 */
export const canonicalForm = (value: unknown): CanonicalForm => {
  const text = canonicalJson(value);
  return { text, bytes: Buffer.byteLength(text, 'utf8'), sha256: digestOfText(text) };
};
