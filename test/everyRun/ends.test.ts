import { describe, expect, it } from 'vitest';
import type { Pair } from '../../machines/graph/runGraph.ts';
import { driveToEnds, unreachable } from './ends.ts';
import { handsIn } from './host.ts';
import { drive } from './runs.ts';
import { startOf } from './starts.ts';
import { newWorld, serve } from './world.ts';

/** Every mode and every topology at least once; all pairs are proven apart (ends.proof.ts). */
const some: readonly Pair[] = [
  ['report_only', 'micro'],
  ['plan_only', 'standard'],
  ['analyze_only', 'standard'],
  ['fix_only', 'micro'],
  ['fix_only', 'standard'],
  ['analyze_and_fix', 'forensic'],
];

describe('a run over STDIO', () => {
  it.each(some)('can be driven to each end that it can reach: %s, %s', (...pair) => driveToEnds(pair));

  it.each(unreachable)('cannot end as it never may: %s, %s, %s', async (mode, topology, _, script, rule) => {
    const world = newWorld();
    const { call } = await serve(world);
    const tried = drive({ ...handsIn(world), call }, startOf([mode, topology]), script);
    await expect(tried).rejects.toMatchObject({ failure: { kind: 'refused', rule, issues: [{ code: rule }] } });
  });
});
