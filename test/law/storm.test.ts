import { describe, expect, it } from 'vitest';
import { changedBy, lacksOf, storm } from './storm.ts';
import { newWorld } from './world.ts';

/** A part of the storm of `npm run storm`, small enough for every run of the tests. */
describe('random submissions', () => {
  it('crash nothing, change nothing when they are refused, and are told what is wrong and what would be right', async () => {
    const { faults, codes, accepted, submissions } = await storm(1, 1000);
    expect(faults.slice(0, 5)).toEqual([]);
    expect(submissions).toBeGreaterThanOrEqual(1000);
    // They reach the rules, not the schemas alone, and some of them are taken.
    expect(accepted).toBeGreaterThan(0);
    expect([...codes.keys()].filter((code) => code.startsWith('ADM-')).length).toBeGreaterThan(20);
  });
});

describe('the judgement of a refusal', () => {
  it('sees what it lacks', () => {
    const failure = { ok: false, error: '', code: 'rule_broken', kind: 'stale', issues: [], next_steps: [] } as const;
    expect(lacksOf(failure).length).toBeGreaterThan(3);
    const issue = { path: '', code: 'ADM-PLAN-01', message: 'No.', fix: '' };
    const bare = { ...failure, kind: 'refused', error: 'No.', rule: 'ADM-PLAN-01', next_steps: ['Mend it.'] } as const;
    expect(lacksOf({ ...bare, issues: [issue] })).toEqual(['ADM-PLAN-01: no fix', 'ADM-PLAN-01: no path']);
    expect(lacksOf({ ...bare, issues: [{ ...issue, path: 'nodes', fix: 'Mend it.' }] })).toEqual([]);
  });

  it('sees what it changed', () => {
    const image = { run: { version: 1, head: 1 }, events: [1], artifacts: [1], trace: [1], elsewhere: {} };
    const failure = {
      ok: false,
      error: 'No.',
      code: 'rule_broken',
      kind: 'refused',
      issues: [],
      next_steps: [],
    } as const;
    const noted = { ...image, run: { version: 1, head: 2 }, events: [1, 2], trace: [1, 2] };
    expect(changedBy(failure, image, noted)).toBeNull();
    expect(changedBy(failure, image, { ...noted, run: { version: 2, head: 2 } })).toBe('the run changed');
    expect(changedBy(failure, image, { ...noted, artifacts: [1, 2] })).toBe('artifacts changed');
    expect(changedBy(failure, image, { ...noted, trace: [2, 2] })).toBe('the trace was rewritten');
    expect(changedBy(failure, image, { ...noted, trace: [1, 2, 3] })).toBe('2 entries were added');
  });

  it('reads a ledger as it lies on the disk', async () => {
    const world = newWorld();
    const { controller } = world.open();
    const { run } = await controller.start({ originalRequest: 'Say hello.', mode: 'report_only' });
    expect(world.imageOf(run.runId)).toMatchObject({ run: { run_id: run.runId, version: 1 }, artifacts: [{}, {}] });
    world.close();
  });
});
