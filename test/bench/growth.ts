import { type Bench, openBoth } from './benchWorld.ts';
import { estimate, lowest, median, slopeOf } from './figures.ts';
import { analysis, evidenceArguments, fill, followUpTo, tokenOf } from './runs.ts';
import { connectSurface } from './surfaceClient.ts';
import { print, printTable } from './table.ts';

const rounds = 60;
const warmUp = 3;

interface Sized {
  readonly runId: string;
  readonly size: number;
}

/** Runs of several sizes in one ledger; each round measures every size once, so that all meet the same load. */
const measure = async (
  bench: Bench,
  title: string,
  unit: string,
  sizes: readonly number[],
  make: (size: number) => Readonly<{ artifacts?: number; trace?: number }>,
): Promise<void> => {
  const { controller, ledger } = openBoth(bench.newState());
  const client = await connectSurface(controller);
  const { call, calls } = client;
  const runs: Sized[] = [];
  for (const size of sizes) {
    const runId = await followUpTo(call, bench.root, analysis, 'ProblemFrame');
    fill(ledger, runId, make(size));
    await followUpTo(call, bench.root, { runId }, 'WorkResult');
    const stored = ledger.run(runId);
    runs.push({ runId, size: (unit === 'artifacts' ? stored?.artifactCount : stored?.traceCount) ?? 0 });
  }
  const timed = async (tool: string, args: Readonly<Record<string, unknown>>): Promise<number> => {
    await call(tool, args);
    return calls.at(-1)?.milliseconds ?? Number.NaN;
  };
  const kinds = {
    'next action': (run: Sized) => timed('telic_get_next_action', { run_id: run.runId }),
    'Evidence submission': (run: Sized, round: number) =>
      timed('telic_submit_artifact', evidenceArguments(tokenOf(ledger, run.runId), round)),
  } as const;

  const rows: string[][] = runs.map(({ size }) => [String(size)]);
  const slopes: string[] = [];
  for (const [name, one] of Object.entries(kinds)) {
    const samples: number[][] = runs.map(() => []);
    const ofRounds: number[] = [];
    for (let round = 0; round < rounds + warmUp; round += 1) {
      const points: { x: number; y: number }[] = [];
      // The order turns with the round, so that no size is always the one after a checkpoint.
      for (let turn = 0; turn < runs.length; turn += 1) {
        const index = (turn + round) % runs.length;
        const run = runs[index];
        if (!run) continue;
        const y = await one(run, round);
        points.push({ x: run.size / 1000, y });
        if (round >= warmUp) samples[index]?.push(y);
      }
      if (round >= warmUp) ofRounds.push(slopeOf(points));
    }
    samples.forEach((of, index) => {
      rows[index]?.push(lowest(of).toFixed(3), median(of).toFixed(3));
    });
    const { value, noise } = estimate(ofRounds);
    slopes.push(`${name}: ${(value * 1000).toFixed(1)} ± ${(noise * 1000).toFixed(1)} µs per 1,000 ${unit}`);
  }
  printTable(title, [unit, ...Object.keys(kinds).flatMap((name) => [`${name} lowest ms`, 'p50 ms'])], rows);
  print(`slope (median of ${rounds} rounds ± its standard error): ${slopes.join('; ')}`);
  await client.close();
  controller.close();
};

/** What a submission and the next action cost as a run grows; runs beyond a dozen artifacts are filled by hand. */
export const measureGrowth = async (bench: Bench): Promise<void> => {
  await measure(
    bench,
    '3a. Growth with artifacts (filled by hand with context documents, through the ledger)',
    'artifacts',
    [10, 250, 500, 1000, 1500, 1900],
    (artifacts) => ({ artifacts }),
  );
  await measure(
    bench,
    '3b. Growth with trace events (filled by hand with broker decisions, through the ledger)',
    'events',
    [10, 1000, 3000, 6000, 9000],
    (trace) => ({ trace }),
  );
};
