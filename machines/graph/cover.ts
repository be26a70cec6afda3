import type { Edge, RunGraph } from './runGraph.ts';

/** Labels from the start of a run. */
export type Path = readonly string[];

const stateName = (graph: RunGraph, key: string): string => JSON.stringify(graph.states.get(key)?.value);

/** An edge as a reader of the routing table calls it: two named states and the label between them. */
export const edgeName = (graph: RunGraph, { from, label, to }: Edge): string =>
  `${stateName(graph, from)} ${label} ${stateName(graph, to)}`;

/** One target of a cover, and the ways that lead over it. */
export interface Target {
  readonly name: string;
  /** Shortest first; each ends with the edge. */
  readonly paths: readonly Path[];
}

/**
 * For each named edge the shortest paths over it, one for each abstract state that it starts in, at most `ways` of them:
 * where artifacts cannot take the first, another may do.
 */
export const edgeTargets = (graph: RunGraph, ways: number): readonly Target[] => {
  const reached = new Map<string, Path>([[graph.start, []]]);
  const found = new Map<string, Path[]>();
  // A map is walked in the order of its entries, those added meanwhile included: breadth first.
  for (const [key, path] of reached)
    for (const edge of graph.edges.get(key) ?? []) {
      const over = [...path, edge.label];
      const name = edgeName(graph, edge);
      const known = found.get(name);
      if (!known) found.set(name, [over]);
      else if (known.length < ways) known.push(over);
      if (!reached.has(edge.to)) reached.set(edge.to, over);
    }
  return [...found].map(([name, paths]) => ({ name, paths }));
};

/** Distinct whole paths to an end, drawn with a generator of numbers from 0 (inclusive) to 1 (exclusive). */
export const drawPath = (graph: RunGraph, random: () => number): Path => {
  const path: string[] = [];
  for (let key = graph.start; !graph.states.get(key)?.matches('terminal'); ) {
    const onward = (graph.edges.get(key) ?? []).filter(({ to }) => to !== key);
    const edge = onward[Math.floor(random() * onward.length)];
    if (!edge) throw new Error(`The graph has no way on from ${key}.`);
    path.push(edge.label);
    key = edge.to;
  }
  return path;
};
