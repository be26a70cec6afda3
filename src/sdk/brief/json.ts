/** Bodies as JSON, of no type in particular. */

export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
  [key: string]: Json;
}

/** A copy of its own, as JSON. */
export const copyOf = (value: unknown): Json => JSON.parse(JSON.stringify(value));

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** JSON merge patch (RFC 7396). */
export const merged = (target: Json, patch: Json): Json => {
  if (!isObject(patch)) return patch;
  const next: JsonObject = isObject(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch))
    if (value === null) delete next[key];
    else next[key] = merged(next[key] ?? null, value);
  return next;
};
