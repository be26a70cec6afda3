import { type Bench, openBoth } from './benchWorld.ts';
import { lowest, median } from './figures.ts';
import { analysis, followUpTo, tokenOf } from './runs.ts';
import { connectSurface } from './surfaceClient.ts';
import { print } from './table.ts';

const series = 8;
const checksOfSeries = 1000;

/** How many tool checks a second one process takes through its controller, each a durable commit. */
export const measureChecks = async (bench: Bench): Promise<void> => {
  const { controller, ledger } = openBoth(bench.newState());
  const client = await connectSurface(controller);
  const runId = await followUpTo(client.call, bench.root, analysis, 'WorkResult');
  const { action_id: actionId, expected_run_version: expectedVersion } = tokenOf(ledger, runId);
  const seconds: number[] = [];
  for (let round = 0; round < series; round += 1) {
    const start = performance.now();
    for (let at = 0; at < checksOfSeries; at += 1)
      await controller.check({
        runId,
        actionId,
        expectedVersion,
        capability: 'repository.read',
        target: `src/file-${at}.ts`,
      });
    seconds.push((performance.now() - start) / 1000);
  }
  await client.close();
  controller.close();
  const rate = (second: number): string => Math.round(checksOfSeries / second).toString();
  print(
    `\n8. Tool checks a second through the controller, ${series} series of ${checksOfSeries}: median ${rate(median(seconds))}, ` +
      `best ${rate(lowest(seconds))}, worst ${rate(Math.max(...seconds))} (target: 2,000)`,
  );
};
