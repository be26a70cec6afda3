import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { RunEvent } from '../../machines/events.ts';
import { offered } from '../../machines/graph/labels.ts';
import { exploreRun, pairs } from '../../machines/graph/runGraph.ts';
import { freeze, step } from '../../machines/step.ts';

/** Every state of every pair, every label, four wrong tokens: some 650,000 refusals. */
describe('the token', () => {
  for (const pair of pairs) {
    const name = pair.join(' in ');
    const graph = exploreRun(pair);
    it(`${name}: every event with a wrong version or a foreign action id is refused and changes nothing`, () => {
      for (const [key, snapshot] of graph.states) {
        const { version, runId } = snapshot.context;
        const before = freeze(snapshot);
        const wrong: readonly RunEvent['token'][] = [
          { actionId: `action:${runId}:${version}`, expectedVersion: version + 1 },
          { actionId: `action:${runId}:${version - 1}`, expectedVersion: version - 1 },
          { actionId: `action:${runId}:${version + 1}`, expectedVersion: version },
          { actionId: `action:other-run:${version}`, expectedVersion: version },
        ];
        for (const { label, event } of offered(snapshot))
          for (const token of wrong) {
            const taken = step(snapshot, { ...event, token });
            const rule = token.expectedVersion === version ? 'ADM-TR-03' : 'ADM-TR-02';
            const told =
              taken.outcome === 'refused'
                ? [taken.refusal.findings[0]?.code, taken.refusal.trace.length]
                : taken.outcome;
            // Compared before the assertion is made: there are some 650,000 of them.
            if (!isDeepStrictEqual(told, [rule, 0])) expect(told, `${label} in ${key}`).toEqual([rule, 0]);
          }
        expect(freeze(snapshot), key).toBe(before);
      }
    });
  }
});
