import { describe, expect, it } from 'vitest';
import { offered } from '../../machines/graph/labels.ts';
import { exploreRun, foldPaths, pairs, type RunGraph } from '../../machines/graph/runGraph.ts';
import { type RunSnapshot, step } from '../../machines/step.ts';
import { freezeStates } from './frozenStates.ts';

const graphs = pairs.map((pair) => ({ name: pair.join(' in '), graph: exploreRun(pair) }));

const open = (graph: RunGraph): readonly (readonly [string, RunSnapshot])[] =>
  [...graph.states].filter(([, snapshot]) => !snapshot.matches('terminal'));

describe('every state of the run machine', () => {
  for (const { name, graph } of graphs) {
    it(`I11 ${name}: audit, report, clarification and terminal take no question`, () => {
      for (const [key, edges] of graph.edges) {
        const snapshot = graph.states.get(key);
        const asks = edges.some(({ label }) => label.startsWith('ClarificationRequest'));
        expect(asks, key).toBe(snapshot?.matches('working') ?? false);
      }
    });

    it(`I13 ${name}: a terminal state takes nothing, and a cancel there writes nothing`, () => {
      const ends = [...graph.states.values()].filter((snapshot) => snapshot.matches('terminal'));
      expect(ends.length).toBeGreaterThanOrEqual(4);
      for (const end of ends)
        for (const { label, event } of offered(end))
          expect(step(end, event).outcome, label).toBe(label === 'CANCEL' ? 'ended' : 'refused');
    });

    it(`I14 ${name}: a cancel leads to cancelled in one step from everywhere else`, () => {
      for (const [key] of open(graph)) {
        const cancel = graph.edges.get(key)?.find(({ label }) => label === 'CANCEL');
        expect(cancel?.to, key).toBe(JSON.stringify({ terminal: 'cancelled' }));
      }
    });

    it(`I15 ${name}: no state is a dead end: an end other than cancelled can be reached`, () => {
      const alive = new Set(
        [...graph.states.keys()].filter(
          (key) => graph.states.get(key)?.matches('terminal') && !key.includes('cancelled'),
        ),
      );
      for (let grew = true; grew; ) {
        grew = false;
        for (const [key, edges] of graph.edges)
          if (!alive.has(key) && edges.some(({ to }) => alive.has(to))) {
            alive.add(key);
            grew = true;
          }
      }
      expect(
        open(graph)
          .filter(([key]) => !alive.has(key))
          .map(([key]) => key),
      ).toEqual([]);
    });

    it(`I37 ${name}: every path is finite, and none is longer than 22 events`, () => {
      // The fold throws on a cycle other than a self-loop.
      expect(foldPaths(graph).longest).toBeLessThanOrEqual(22);
    });

    // All states are frozen apart (frozenStates.proof.ts).
    it(`${name}: freezing and thawing every fourth state gives the same state, which behaves the same`, () =>
      freezeStates(graph, 4));
  }
});
