import { limits } from '../../schemas/vocabulary.ts';
import { verifyRun } from '../../src/controller/verifyRun.ts';
import { type Bench, openBoth } from './benchWorld.ts';
import { analysis, followOne, followUpTo, tokenOf } from './runs.ts';
import { connectSurface } from './surfaceClient.ts';
import { print, printTable, timeCells, timeHead } from './table.ts';

const rounds = 10;
const manyRuns = 500;
const capabilities = ['repository.read', 'shell.inspect', 'repository.write', 'network.read'] as const;

const timed = (samples: number[], work: () => unknown): void => {
  const start = performance.now();
  work();
  samples.push(performance.now() - start);
};

/** What it costs to execute runs again: the longest one that there can be, and many short ones. */
export const measureVerifying = async (bench: Bench): Promise<void> => {
  const { controller, ledger } = openBoth(bench.newState());
  const client = await connectSurface(controller);
  const runId = await followUpTo(client.call, bench.root, analysis, 'WorkResult');
  const { action_id: actionId, expected_run_version: expectedVersion } = tokenOf(ledger, runId);
  for (let at = ledger.run(runId)?.traceCount ?? 0; at < limits.traceEvents - limits.reservedTraceEvents; at += 1)
    await controller.check({
      runId,
      actionId,
      expectedVersion,
      capability: capabilities[at % capabilities.length] ?? 'repository.read',
      target: `src/file-${at}.ts`,
    });
  const [verify, replay]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    timed(verify, () => {
      if (verifyRun(ledger, runId).differences.length > 0) throw new Error('The run does not come out again.');
    });
    await client.call('telic_replay_run', { run_id: runId });
    replay.push(client.calls.at(-1)?.milliseconds ?? Number.NaN);
  }
  const events = ledger.head(runId);
  await client.close();
  controller.close();

  const many = openBoth(bench.newState());
  const other = await connectSurface(many.controller);
  for (let count = 0; count < manyRuns; count += 1) await followOne(other.call, bench.root);
  const [each, heap]: [number[], number[]] = [[], []];
  for (const id of many.ledger.runIds()) {
    timed(each, () => verifyRun(many.ledger, id));
    heap.push(process.memoryUsage().heapUsed / 2 ** 20);
  }
  const total = each.reduce((sum, value) => sum + value, 0);
  await other.close();
  many.controller.close();

  printTable(
    '6. Executing runs again',
    ['what', ...timeHead],
    [
      [`verify, one run of ${events} events`, ...timeCells(verify)],
      [`telic_replay_run, the same`, ...timeCells(replay)],
      [`verify, each of ${manyRuns} whole runs`, ...timeCells(each)],
    ],
  );
  print(
    `${manyRuns} runs in ${(total / 1000).toFixed(2)} s; heap used: at most ${Math.max(...heap.slice(0, 50)).toFixed(0)} MB in the first 50, ` +
      `${Math.max(...heap.slice(-50)).toFixed(0)} MB in the last 50`,
  );
};
