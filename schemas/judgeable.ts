import type { z } from 'zod';
import { maxItemsOf } from './primitives.ts';
import { below, isObject, unwrapped } from './walk.ts';

/** A body with so many values can have an issue at each of them: a hostile one would keep the server busy for a minute. */
const many = 10_000;

/** Counts the values inside a JSON value, and stops counting above `most`. A list of work, not calls: depth is the sender's. */
const countUpTo = (value: unknown, most: number): number => {
  const open: unknown[] = [value];
  let count = 0;
  while (open.length > 0 && count <= most) {
    const next = open.pop();
    count += 1;
    if (isObject(next)) for (const key of Object.keys(next)) open.push(next[key]);
  }
  return count;
};

/** A copy in which a list longer than its bound keeps one item more than that: it stays too long, at bounded cost. */
const clipped = (schema: z.core.$ZodType | undefined, value: unknown): unknown => {
  if (schema === undefined || !isObject(value)) return value;
  const judge = unwrapped(schema, value);
  const most = maxItemsOf(judge);
  if (Array.isArray(value)) {
    return most === undefined
      ? value
      : value.slice(0, most + 1).map((item, index) => clipped(below(judge, index), item));
  }
  // Only what a schema knows is followed: the rest is refused or passed as it is.
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, clipped(below(judge, key), item)]));
};

/**
 * What of a body is to be judged: all of it, unless it is so large that a list without end would cost seconds.
 *
 * @param schema the schema of the body.
 * @param body a parsed JSON value.
 * @returns the body itself, or a copy whose lists have at most one item more than their bound.
 */
export const judgeable = (schema: z.core.$ZodType, body: unknown): unknown =>
  countUpTo(body, many) > many ? clipped(schema, body) : body;
