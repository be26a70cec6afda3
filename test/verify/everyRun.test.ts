import { afterAll, describe, expect, it } from 'vitest';
import { pairs } from '../../machines/graph/runGraph.ts';
import { verifyRun } from '../../src/controller/verifyRun.ts';
import { walk } from '../law/journal.ts';
import { newWorld } from '../law/world.ts';

const world = newWorld();
const table = { world, one: world.open(), two: world.open() };
afterAll(() => world.close());

describe('a run of every kind', () => {
  for (const pair of pairs)
    it(`in ${pair.join(', ')} comes out again as it stands in the ledger`, async () => {
      for (let seed = 1; seed <= 4; seed += 1) {
        const { runId, name } = await walk(table, pair, seed);
        const { differences, notJudged, events } = verifyRun(table.two.ledger, runId);
        expect({ name, differences, notJudged }).toEqual({ name, differences: [], notJudged: [] });
        expect(events).toBeGreaterThan(1);
      }
    });
});
