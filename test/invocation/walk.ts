import {
  beginInvocation,
  type InvocationEffect,
  type InvocationInput,
  type StoredInvocation,
  stepInvocation,
} from '../../machines/invocation/index.ts';
import { eventOf } from './events.ts';
import { admitted, type Edge, edgesFrom, type Graph, nodeAt } from './graph.ts';

/** One step of a path; the first has nothing before it. */
export interface Frame {
  readonly label: string;
  readonly before: StoredInvocation | null;
  readonly after: StoredInvocation;
  readonly effects: readonly InvocationEffect[];
}

/** How often a path may take what could go on for ever. */
export type Bounds = Readonly<{ restarts: number; repeatedAsks: number }>;

export const isRestart = ({ label }: Pick<Edge, 'label'>): boolean => label.startsWith('RESTARTED');
export const repeatsAsk = (graph: Graph, { from }: Edge): boolean => nodeAt(graph, from).state === 'expired';

/**
 * Every path of an admitted call within the bounds, each step taken with `stepInvocation` on what the step before gave;
 * the graph only says which labels to try. A path is whole where no more may be taken.
 */
export const pathsOf = (input: InvocationInput, graph: Graph, bounds: Bounds): readonly (readonly Frame[])[] => {
  const paths: (readonly Frame[])[] = [];
  const follow = (path: readonly Frame[], key: string, from: StoredInvocation, left: Bounds): void => {
    const onward = edgesFrom(graph, key).filter(
      (edge) => (!isRestart(edge) || left.restarts > 0) && (!repeatsAsk(graph, edge) || left.repeatedAsks > 0),
    );
    if (onward.length === 0) paths.push(path);
    for (const edge of onward) {
      const step = stepInvocation(from, eventOf(from.context, edge.label));
      if (step.outcome !== 'moved') throw new Error(`${edge.label} moves in the graph, but not in ${key}.`);
      const { state, context, effects } = step;
      const after = { state, context };
      follow([...path, { label: edge.label, before: from, after, effects }], edge.to, after, {
        restarts: left.restarts - (isRestart(edge) ? 1 : 0),
        repeatedAsks: left.repeatedAsks - (repeatsAsk(graph, edge) ? 1 : 0),
      });
    }
  };
  const begun = beginInvocation(input, admitted);
  const first = edgesFrom(graph, graph.start).find(({ label }) => label === 'ADMIT granted');
  if (begun.outcome !== 'opened' || !first) throw new Error('A granted call was denied.');
  const { state, context, effects } = begun;
  const after = { state, context };
  follow([{ label: first.label, before: null, after, effects }], first.to, after, bounds);
  return paths;
};

/** The effects of a kind in a path, in order. */
export const effectsIn = <T extends InvocationEffect['type']>(path: readonly Frame[], type: T) =>
  path.flatMap(({ effects }) =>
    effects.filter((effect): effect is Extract<InvocationEffect, { type: T }> => effect.type === type),
  );
