import type { Edge, RunGraph } from './runGraph.ts';

/** Labels from the start of a run. */
export type Path = readonly string[];

const stateName = (graph: RunGraph, key: string): string => JSON.stringify(graph.states.get(key)?.value);

/** An edge as a reader of the routing table calls it: two named states and the label between them. */
export const edgeName = (graph: RunGraph, { from, label, to }: Edge): string =>
  `${stateName(graph, from)} ${label} ${stateName(graph, to)}`;

/** A way over an edge: its labels, and the name of each edge that they take. */
export type Way = Readonly<{ labels: Path; edges: readonly string[] }>;

/** One named edge, and the shortest ways over it. */
export interface Target {
  readonly name: string;
  /** Shortest first; each ends with the edge. */
  readonly ways: readonly Way[];
}

const start: Way = { labels: [], edges: [] };

/**
 * For each named edge the shortest ways over it, one for each abstract state that it starts in, at most `most` of them:
 * where artifacts cannot take the first, another may do. Edges that lie deepest come first, so that what their ways pass
 * need not be walked again.
 */
export const edgeTargets = (graph: RunGraph, most: number): readonly Target[] => {
  const reached = new Map<string, Way>([[graph.start, start]]);
  const found = new Map<string, Way[]>();
  // A map is walked in the order of its entries, those added meanwhile included: breadth first.
  for (const [key, way] of reached)
    for (const edge of graph.edges.get(key) ?? []) {
      const name = edgeName(graph, edge);
      const over = { labels: [...way.labels, edge.label], edges: [...way.edges, name] };
      const known = found.get(name);
      if (!known) found.set(name, [over]);
      else if (known.length < most) known.push(over);
      if (!reached.has(edge.to)) reached.set(edge.to, over);
    }
  const depth = ({ ways }: Target): number => ways[0]?.labels.length ?? 0;
  return [...found].map(([name, ways]) => ({ name, ways })).toSorted((one, other) => depth(other) - depth(one));
};

/**
 * A whole path from the start to an end, without self-loops.
 *
 * @param random numbers from 0 (inclusive) to 1 (exclusive)
 */
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
