/** Comparisons that rules are made of (admission section 0). */

import { isJsonObject } from '../../schemas/jsonObject.ts';

/**
 * Whether two JSON values are the same in canonical form: the order of keys does not count, the order of a list does.
 * Keys that hold `undefined` count as absent.
 */
export const canonicalEqual = (a: unknown, b: unknown): boolean => {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((value, index) => canonicalEqual(value, b[index]));
  if (!isJsonObject(a) || !isJsonObject(b)) return false;
  const keysOf = (value: Readonly<Record<string, unknown>>): string[] =>
    Object.keys(value).filter((key) => value[key] !== undefined);
  const keys = keysOf(a);
  return (
    keys.length === keysOf(b).length && keys.every((key) => Object.hasOwn(b, key) && canonicalEqual(a[key], b[key]))
  );
};

/** How a list differs from a set that it should hold, each member once. */
export interface SetDifference {
  readonly missing: readonly string[];
  readonly extra: readonly string[];
  readonly repeated: readonly string[];
}

/** The difference between a list and the set of `wanted`, or null when the list holds each member once and no other. */
export const setDifference = (given: readonly string[], wanted: readonly string[]): SetDifference | null => {
  const have = new Set(given);
  const want = new Set(wanted);
  const missing = [...want].filter((member) => !have.has(member));
  const extra = [...have].filter((member) => !want.has(member));
  const repeated = [...new Set(given.filter((member, index) => given.indexOf(member) !== index))];
  return missing.length + extra.length + repeated.length === 0 ? null : { missing, extra, repeated };
};
