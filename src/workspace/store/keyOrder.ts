import { canonicalJson } from '../../../schemas/canonical.ts';
import type { Json, Write } from '../apps/app.ts';

/** One key of an app's state and what stands there. */
export type Row = readonly [key: string, value: Json];

/** A UTF-16 unit's place among the code points: surrogates, which are parts of the highest ones, come after all others. */
const rank = (unit: number): number => (unit >= 0xe000 ? unit - 0x800 : unit >= 0xd800 ? unit + 0x2000 : unit);

/** Orders keys by their bytes in UTF-8, as SQLite does. */
export const compareKeys = (one: string, other: string): number => {
  const shared = Math.min(one.length, other.length);
  for (let index = 0; index < shared; index++) {
    const difference = one.charCodeAt(index) - other.charCodeAt(index);
    if (difference !== 0) return rank(one.charCodeAt(index)) - rank(other.charCodeAt(index));
  }
  return one.length - other.length;
};

/** The first text after all that begin with the prefix; null when there is none. */
export const afterPrefix = (prefix: string): string | null => {
  const points = [...prefix];
  for (let last = points.pop(); last !== undefined; last = points.pop()) {
    const point = last.codePointAt(0) ?? 0;
    if (point < 0x10_ffff) return points.join('') + String.fromCodePoint(point === 0xd7ff ? 0xe000 : point + 1);
  }
  return null;
};

/** The rows whose keys begin with the prefix, of rows in order. */
export const rowsUnder = (rows: readonly Row[], prefix: string): readonly Row[] => {
  let low = 0;
  for (let high = rows.length; low < high; ) {
    const middle = (low + high) >>> 1;
    const row = rows[middle];
    if (row !== undefined && compareKeys(row[0], prefix) < 0) low = middle + 1;
    else high = middle;
  }
  let end = low;
  while (rows[end]?.[0].startsWith(prefix)) end++;
  return rows.slice(low, end);
};

/** What the writes leave at each key they name: the last one counts, null takes the key away. */
export type Changes = ReadonlyMap<string, Json | null>;

/** Rows in order after some changes. */
export const merged = (rows: readonly Row[], changes: Changes): readonly Row[] => {
  if (changes.size === 0) return rows;
  const writes = [...changes].sort(([one], [other]) => compareKeys(one, other));
  const result: Row[] = [];
  let at = 0;
  for (const [key, value] of writes) {
    for (let row = rows[at]; row !== undefined && compareKeys(row[0], key) < 0; row = rows[++at]) result.push(row);
    if (rows[at]?.[0] === key) at++;
    if (value !== null) result.push([key, value]);
  }
  for (let row = rows[at]; row !== undefined; row = rows[++at]) result.push(row);
  return result;
};

const freeze = (value: Json): Json => {
  if (typeof value === 'object' && value !== null) {
    for (const part of Object.values(value)) freeze(part);
    Object.freeze(value);
  }
  return value;
};

/** A stored value. Frozen, for a state is changed by operations alone. */
export const parseValue = (text: string): Json => freeze(JSON.parse(text));

/**
 * The changes of some writes, with each value as it will be read after it was stored.
 *
 * @throws CanonicalError for what JSON cannot say; RangeError for a key that UTF-8 cannot say
 */
export const changesOf = (writes: readonly Write[]): Changes => {
  const changes = new Map<string, Json | null>();
  for (const { key, value } of writes) {
    if (/\p{Surrogate}/u.test(key)) throw new RangeError('A key of an app state holds half a character.');
    changes.set(key, value === null ? null : parseValue(canonicalJson(value)));
  }
  return changes;
};
