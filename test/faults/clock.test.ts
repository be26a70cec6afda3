import { describe, expect, it } from 'vitest';
import { createController } from '../../src/controller/controller.ts';
import { verifyRun } from '../../src/controller/verifyRun.ts';
import { workbench } from '../controller/bench.ts';

describe('a clock that goes back', () => {
  it('changes no order: runs, trace and chain follow their own numbers, and the run verifies', async () => {
    const bench = workbench();
    const { ledger } = bench.open();
    let hour = 1000;
    let id = 0;
    const controller = createController({
      ledger: () => ledger,
      // An hour earlier with each look.
      clock: { now: () => new Date(Date.UTC(2026, 0, 1) + 3_600_000 * hour--).toISOString() },
      ids: { uuid: () => `00000000-0000-4000-9000-${String(++id).padStart(12, '0')}` },
      repositoryRoot: bench.repository,
      excludedRoots: [bench.state],
      brokerScope: 'envelope',
      close: () => {},
    });
    const started: string[] = [];
    for (let index = 0; index < 3; index += 1) {
      const { run, nextAction } = await controller.start({ originalRequest: `Plan ${index}.`, mode: 'plan_only' });
      await controller.ground({ runId: run.runId, actionId: nextAction.id, expectedVersion: run.version });
      started.push(run.runId);
    }
    const { runs } = await controller.listRuns(10);
    expect(runs.map(({ runId }) => runId)).toEqual(started.toReversed());
    for (const runId of started) {
      const { events } = await controller.trace(runId, 0, 100);
      expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1));
      const times = events.map(({ timestamp }) => timestamp);
      expect(times).toEqual(times.toSorted().toReversed());
      expect(verifyRun(ledger, runId).differences).toEqual([]);
    }
  });
});
