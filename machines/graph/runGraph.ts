import { adjacencyMapToArray, getAdjacencyMap } from '@xstate/graph';
import { transition } from 'xstate';
import type { RunContext } from '../context.ts';
import type { RunEvent } from '../events.ts';
import { runMachine } from '../run.ts';
import { begin, type RunSnapshot } from '../step.ts';
import { keyOf, offered } from './labels.ts';

/** One abstract edge: a label that the machine took, and where it led. */
export type Edge = Readonly<{ label: string; from: string; to: string }>;

export interface RunGraph {
  readonly start: string;
  /** One snapshot of each abstract state. */
  readonly states: ReadonlyMap<string, RunSnapshot>;
  /** The accepted edges of each state. */
  readonly edges: ReadonlyMap<string, readonly Edge[]>;
}

export type Pair = readonly [mode: RunContext['mode'], topology: RunContext['topology']];

/** Modes and topologies that a run can start in. */
export const pairs: readonly Pair[] = [
  ['report_only', 'micro'],
  ['report_only', 'standard'],
  ['report_only', 'forensic'],
  ['plan_only', 'standard'],
  ['plan_only', 'forensic'],
  ['analyze_only', 'standard'],
  ['analyze_only', 'forensic'],
  ['fix_only', 'micro'],
  ['fix_only', 'standard'],
  ['fix_only', 'forensic'],
  ['analyze_and_fix', 'forensic'],
];

/** A run at its start, with fixed identity. */
export const newSnapshot = ([mode, topology]: Pair): RunSnapshot =>
  begin({
    runId: 'run-1',
    repositoryRoot: '/repository',
    mode,
    topology,
    priorRunId: null,
    createdAt: '2026-01-01T00:00:00.000Z',
  });

/** Far above the largest pair: a row that forgets its budget makes the graph endless, and the limit makes the test fail instead of hanging. */
const limit = 200_000;

/** Whether the machine refuses the event in this snapshot. */
export const refuses = (snapshot: RunSnapshot, event: RunEvent): boolean => {
  const [, effects] = transition(runMachine, snapshot, event);
  return effects.some(({ type }) => type === 'refuse');
};

/** The abstract graph of one pair, explored with @xstate/graph; refused events are left out. */
export const exploreRun = (pair: Pair): RunGraph => {
  const labels = new Map<RunEvent, string>();
  const map = getAdjacencyMap(runMachine, {
    fromState: newSnapshot(pair),
    events: (snapshot) => {
      const known = offered(snapshot);
      for (const { label, event } of known) labels.set(event, label);
      return known.map(({ event }) => event);
    },
    serializeState: keyOf,
    serializeEvent: (event) => labels.get(event as RunEvent) ?? event.type,
    stopWhen: (snapshot) => snapshot.matches('terminal'),
    limit,
  });
  const states = new Map<string, RunSnapshot>();
  const edges = new Map<string, Edge[]>();
  for (const [key, { state }] of Object.entries(map)) {
    states.set(key, state);
    edges.set(key, []);
  }
  for (const { state, event, nextState } of adjacencyMapToArray(map)) {
    if (state.matches('terminal') || refuses(state, event as RunEvent)) continue;
    const from = keyOf(state);
    edges.get(from)?.push({ label: labels.get(event as RunEvent) ?? event.type, from, to: keyOf(nextState) });
  }
  return { start: keyOf(newSnapshot(pair)), states, edges };
};

/** Drops the edges whose label begins with one of the words, and what can no longer be reached. */
export const without = (graph: RunGraph, ...words: readonly string[]): RunGraph => {
  const states = new Map<string, RunSnapshot>();
  const edges = new Map<string, readonly Edge[]>();
  const queue = [graph.start];
  for (let key = queue.pop(); key !== undefined; key = queue.pop()) {
    const snapshot = graph.states.get(key);
    if (states.has(key) || !snapshot) continue;
    states.set(key, snapshot);
    const kept = (graph.edges.get(key) ?? []).filter(({ label }) => !words.some((word) => label.startsWith(word)));
    edges.set(key, kept);
    queue.push(...kept.map(({ to }) => to));
  }
  return { start: graph.start, states, edges };
};

/** What one fold over the acyclic graph says of all paths from its start to a terminal state. */
export interface PathSums {
  readonly paths: number;
  readonly longest: number;
  /** Paths by the terminal state that they end in. */
  readonly ends: ReadonlyMap<string, number>;
}

/** Counts all simple paths by one memoised fold; the only cycles are self-loops, and a simple path takes none. */
export const foldPaths = (graph: RunGraph): PathSums => {
  const known = new Map<string, PathSums>();
  const open = new Set<string>();
  const sums = (key: string): PathSums => {
    const before = known.get(key);
    if (before) return before;
    if (open.has(key)) throw new Error(`The graph has a cycle through ${key}.`);
    open.add(key);
    const state = graph.states.get(key);
    const ends = new Map<string, number>();
    let paths = 0;
    let longest = 0;
    if (state?.matches('terminal')) {
      paths = 1;
      ends.set(key, 1);
    }
    for (const { to } of (graph.edges.get(key) ?? []).filter((edge) => edge.to !== edge.from)) {
      const rest = sums(to);
      paths += rest.paths;
      longest = Math.max(longest, rest.longest + 1);
      for (const [end, count] of rest.ends) ends.set(end, (ends.get(end) ?? 0) + count);
    }
    open.delete(key);
    const result = { paths, longest, ends };
    known.set(key, result);
    return result;
  };
  return sums(graph.start);
};

export const edgeCount = (graph: RunGraph): number =>
  [...graph.edges.values()].reduce((sum, list) => sum + list.length, 0);
