import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { reportOf } from '../../src/cli/verifyReport.ts';
import { type Verification, verifyRun } from '../../src/controller/verifyRun.ts';
import { bed, verified } from './bed.ts';

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

const runs = 500;
const request = 'x'.repeat(32_000);

describe('five hundred runs', () => {
  it('are verified one after the other, and nothing of a whole run is kept', async () => {
    const world = bed();
    const { controller, ledger } = world.open();
    for (let count = 0; count < runs; count += 1)
      await controller.start({ originalRequest: `${count} ${request}`, mode: 'plan_only' });
    const held: number[] = [];
    function* each(): Generator<Verification> {
      for (const [at, runId] of ledger.runIds().entries()) {
        yield verifyRun(ledger, runId);
        if (at % 100 !== 99) continue;
        collect();
        held.push(process.memoryUsage().heapUsed);
      }
    }
    expect(reportOf(each())).toMatchObject({ ok: true, runs, differences: [] });
    expect(held).toHaveLength(5);
    // Four hundred runs hold over 12 MB of requests.
    expect((held.at(-1) ?? 0) - (held[0] ?? 0)).toBeLessThan(4 * 1024 * 1024);
    controller.close();
    expect(await verified(world)).toMatchObject({ ok: true, runs, events: runs, artifacts: 2 * runs });
  });
});
