/**
 * What several rules read of one query, worked out once: a plan of 64 nodes is judged by thirty rules.
 * Queries and all they hold are immutable, so the first answer stays right.
 */
export const perQuery = <Q extends object, V>(read: (query: Q) => V): ((query: Q) => V) => {
  const known = new WeakMap<Q, Readonly<{ value: V }>>();
  return (query) => {
    const kept = known.get(query) ?? { value: read(query) };
    known.set(query, kept);
    return kept.value;
  };
};
