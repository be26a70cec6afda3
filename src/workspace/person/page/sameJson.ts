/** A value with the keys of its objects in order, so that equal values have equal JSON. */
const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
};

/** Whether two values say the same in JSON, whatever the order of their keys. */
export const sameJson = (a: unknown, b: unknown): boolean =>
  a === undefined || b === undefined ? a === b : JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));
