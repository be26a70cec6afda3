import type { EscalationReason, RecordEffect } from '../events.ts';
import { type RunSnapshot, step } from '../step.ts';
import { offered } from './labels.ts';
import type { RunGraph } from './runGraph.ts';

/** One step of a path, taken on the machine itself. */
export interface Frame {
  readonly label: string;
  readonly before: RunSnapshot;
  readonly after: RunSnapshot;
  readonly record: RecordEffect;
  readonly moved: EscalationReason | null;
}

/** What a walk did: complete paths, and steps taken on the machine. */
export type Walked = Readonly<{ paths: number; steps: number }>;

/** A walk that took more than this would be a machine without an end. */
const mostSteps = 2_000_000;

/**
 * Walks every simple path of a graph from its start to a terminal state, each step on a real snapshot (never on the
 * representative of an abstract state), and shows each complete path to the visitor. The graph only says which labels to try.
 */
export const walkPaths = (graph: RunGraph, start: RunSnapshot, visit: (path: readonly Frame[]) => void): Walked => {
  const path: Frame[] = [];
  let paths = 0;
  let steps = 0;
  const from = (key: string, snapshot: RunSnapshot): void => {
    if (snapshot.matches('terminal')) {
      paths += 1;
      visit(path);
      return;
    }
    const events = new Map(offered(snapshot).map(({ label, event }) => [label, event]));
    for (const { label, to } of graph.edges.get(key) ?? []) {
      if (to === key) continue;
      const event = events.get(label);
      if (!event) throw new Error(`${label} is in the graph, but not offered in ${key}.`);
      const taken = step(snapshot, event);
      if (taken.outcome !== 'accepted') throw new Error(`${label} is in the graph, but ${taken.outcome} in ${key}.`);
      steps += 1;
      if (steps > mostSteps) throw new Error('The walk does not end.');
      path.push({ label, before: snapshot, after: taken.next, record: taken.record, moved: taken.moved });
      from(to, taken.next);
      path.pop();
    }
  };
  from(graph.start, start);
  return { paths, steps };
};
