import { expect } from 'vitest';
import { keyOf, offered } from '../../machines/graph/labels.ts';
import type { RunGraph } from '../../machines/graph/runGraph.ts';
import { freeze, type RunSnapshot, step, thaw } from '../../machines/step.ts';

/** What every offered event does in a snapshot: taken with the state that it leads to, or the code of the refusal. */
const behaviour = (snapshot: RunSnapshot): readonly string[] =>
  offered(snapshot).map(({ label, event }) => {
    const taken = step(snapshot, event);
    if (taken.outcome === 'accepted') return `${label} -> ${keyOf(taken.next)}`;
    return taken.outcome === 'refused'
      ? `${label} refused ${taken.refusal.findings[0]?.code}`
      : `${label} ${taken.outcome}`;
  });

/** Freezes and thaws each `every`th state of a graph: it must be the same state, and behave the same. */
export const freezeStates = (graph: RunGraph, every: number): void => {
  for (const [key, snapshot] of [...graph.states].filter((_, at) => at % every === 0)) {
    const text = freeze(snapshot);
    const back = thaw(text);
    expect(freeze(back), key).toBe(text);
    expect(behaviour(back), key).toEqual(behaviour(snapshot));
    // The remembered phase and the history agree: the answer leads where `resumePhase` says (I32).
    if (back.matches('clarification')) {
      const answer = offered(back).find(({ label }) => label === 'ANSWER resume');
      const taken = answer ? step(back, answer.event) : null;
      expect(taken?.outcome === 'accepted' ? taken.next.context.phase : null, key).toBe(back.context.resumePhase);
    }
  }
};
