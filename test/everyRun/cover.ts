import type { Edge, RunGraph } from '../../machines/graph/runGraph.ts';

/** Labels from the start of a run. */
export type Path = readonly string[];

/** What counts as one edge: with a coarser name, one of many alike is covered. */
export type NameEdge = (edge: Edge, graph: RunGraph) => string;

const stateName = (graph: RunGraph, key: string): string => JSON.stringify(graph.states.get(key)?.value);

/** The named states that an edge joins, and its label: what a reader of the routing table calls an edge. */
export const byNamedStates: NameEdge = ({ from, label, to }, graph) =>
  `${stateName(graph, from)} ${label} ${stateName(graph, to)}`;

/** The abstract states that an edge joins (run-machine section 17). */
export const byAbstractStates: NameEdge = ({ from, label, to }) => `${from} ${label} ${to}`;

/** The rule that keeps real artifacts from a label, where the machine alone would take it; null where none does. */
export type Forbids = (label: string) => string | null;

/** An edge that a rule forbids: the way to it, what to try there, and the rule. */
export type Forbidden = Readonly<{ path: Path; label: string; rule: string }>;

export interface Cover {
  /** One shortest path to and over each edge; a path that another one begins with is left out. */
  readonly paths: readonly Path[];
  readonly forbidden: readonly Forbidden[];
  /** How many edges the paths cover. */
  readonly edges: number;
  /** Labels of the graph that no covered edge bears: forbidden ones, and those that only they lead to. */
  readonly never: ReadonlySet<string>;
}

const withoutBeginnings = (paths: readonly Path[]): readonly Path[] => {
  const beginnings = new Set(paths.flatMap((path) => path.map((_, end) => path.slice(0, end).join('\n'))));
  return paths.filter((path) => !beginnings.has(path.join('\n')));
};

/** Covers the part of a graph that real artifacts reach, breadth first: each edge from a reached state, if no rule forbids it. */
export const coverOf = (graph: RunGraph, nameOf: NameEdge, forbids: Forbids): Cover => {
  const reached = new Map<string, Path>([[graph.start, []]]);
  const covered = new Map<string, Path>();
  const forbidden = new Map<string, Forbidden>();
  // A map is walked in the order of its entries, those added meanwhile included: breadth first.
  for (const [key, path] of reached) {
    for (const edge of graph.edges.get(key) ?? []) {
      const { label, to } = edge;
      const name = nameOf(edge, graph);
      const rule = forbids(label);
      if (rule !== null) {
        if (!forbidden.has(name)) forbidden.set(name, { path, label, rule });
        continue;
      }
      if (!covered.has(name)) covered.set(name, [...path, label]);
      if (!reached.has(to)) reached.set(to, [...path, label]);
    }
  }
  const taken = new Set([...covered.values()].flat());
  const never = [...graph.edges.values()].flat().filter(({ label }) => !taken.has(label));
  return {
    paths: withoutBeginnings([...covered.values()]),
    forbidden: [...forbidden.values()],
    edges: covered.size,
    never: new Set(never.map(({ label }) => label)),
  };
};
