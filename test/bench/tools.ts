import { type Bench, openBoth } from './benchWorld.ts';
import { durableCommit } from './durableCommit.ts';
import { lowest, median } from './figures.ts';
import { analysis, evidenceArguments, fill, followOne, followUpTo, tokenOf } from './runs.ts';
import { connectSurface, type Measured } from './surfaceClient.ts';
import { print, printTable, ratio, timeCells, timeHead } from './table.ts';

const wholeRuns = 12;
const reads = 300;
const submissions = 100;
const warmUp = 10;

const times = (calls: readonly Measured[]): readonly number[] => calls.map(({ milliseconds }) => milliseconds);

/**
 * Each tool inside the server, from the parsed request to the written answer, on a ledger in a file; between the
 * submissions one bare durable commit, so that both meet the same disk.
 */
export const measureTools = async (bench: Bench): Promise<void> => {
  const state = bench.newState();
  const { controller, ledger } = openBoth(state);
  const client = await connectSurface(controller);
  const { call, calls } = client;
  const rows: (readonly string[])[] = [];
  const note = (what: string, samples: readonly number[]): void => void rows.push([what, ...timeCells(samples)]);

  // The first runs compile and fill caches.
  const warm = await followOne(call, bench.root);
  await followOne(call, bench.root);
  await call('telic_replay_run', { run_id: warm.runId });
  calls.length = 0;
  let lastRun = warm.runId;
  for (let run = 0; run < wholeRuns; run += 1) lastRun = (await followOne(call, bench.root)).runId;
  const ofRuns = [...calls];
  const by = (tool: string): readonly Measured[] => ofRuns.filter((one) => one.tool === tool);
  note('telic_start_run', times(by('telic_start_run')));
  note('telic_ground_context (6 files)', times(by('telic_ground_context')));
  const submitted = by('telic_submit_artifact');
  for (const type of new Set(submitted.map(({ args }) => String(args.artifact_type))))
    note(`telic_submit_artifact ${type}`, times(submitted.filter(({ args }) => args.artifact_type === type)));

  const reference = durableCommit(state.database);
  const small = await followUpTo(call, bench.root, analysis, 'WorkResult');
  const large = await followUpTo(call, bench.root, analysis, 'ProblemFrame');
  fill(ledger, large, { artifacts: 2000 - 8 });
  await followUpTo(call, bench.root, { runId: large }, 'WorkResult');
  const sizeOf = (runId: string): number => ledger.run(runId)?.artifactCount ?? 0;

  const series = async (count: number, one: (index: number) => Promise<unknown>): Promise<readonly number[]> => {
    for (let index = 0; index < warmUp; index += 1) await one(-1 - index);
    calls.length = 0;
    for (let index = 0; index < count; index += 1) await one(index);
    return times(calls);
  };
  const next = (runId: string) => () => call('telic_get_next_action', { run_id: runId });
  const nextSmall = await series(reads, next(small));
  const nextLarge = await series(reads, next(large));
  note(`telic_get_next_action, ${sizeOf(small)} artifacts`, nextSmall);
  note(`telic_get_next_action, ${sizeOf(large)} artifacts*`, nextLarge);
  const token = tokenOf(ledger, small);
  note(
    'telic_get_next_action, brief alone',
    await series(reads, () => call('telic_get_next_action', { run_id: small, parts: ['brief'] })),
  );
  note('telic_list_runs', await series(reads, () => call('telic_list_runs', {})));
  note(
    `telic_get_run, ${sizeOf(small)} artifacts`,
    await series(reads, () => call('telic_get_run', { run_id: small })),
  );
  note(
    `telic_get_run, ${sizeOf(large)} artifacts*, a page`,
    await series(reads, () => call('telic_get_run', { run_id: large })),
  );
  note(
    'telic_get_artifact',
    await series(reads, () => call('telic_get_artifact', { run_id: small, artifact_id: small })),
  );
  note('telic_get_trace', await series(reads, () => call('telic_get_trace', { run_id: small })));
  note('telic_replay_run, a whole run', await series(50, () => call('telic_replay_run', { run_id: lastRun })));

  const commits: number[] = [];
  // Before and after in turn: right after another commit the disk may be slower or faster.
  const beside = async <T>(one: () => Promise<T>): Promise<T> => {
    const first = commits.length % 2 === 0;
    if (first) commits.push(reference.measure());
    const got = await one();
    if (!first) commits.push(reference.measure());
    return got;
  };
  const checks = await series(submissions, () =>
    beside(() => call('telic_check_tool_action', { ...token, capability: 'repository.read', target: 'README.md' })),
  );
  note('telic_check_tool_action', checks);
  const evidence = await series(submissions, (index) =>
    beside(() => call('telic_submit_artifact', evidenceArguments(token, index + warmUp))),
  );
  const commitCost = commits.slice(-submissions);
  const largeToken = tokenOf(ledger, large);
  const evidenceLarge = await series(submissions, (index) =>
    beside(() => call('telic_submit_artifact', evidenceArguments(largeToken, index + warmUp))),
  );
  note('Evidence beside bare commits', evidence);
  note(`Evidence, ${sizeOf(large)} artifacts*`, evidenceLarge);

  // A phase artifact moves the run: contracts, frames and plans of new runs, each beside one bare commit.
  const phases: number[] = [];
  commits.length = 0;
  for (let run = 0; run < wholeRuns; run += 1) {
    calls.length = 0;
    await followOne(
      (tool, args) =>
        tool === 'telic_submit_artifact' && args.artifact_type !== 'Evidence'
          ? beside(() => call(tool, args))
          : call(tool, args),
      bench.root,
    );
    phases.push(
      ...times(calls.filter(({ tool, args }) => tool === 'telic_submit_artifact' && args.artifact_type !== 'Evidence')),
    );
  }
  note('all phase artifacts beside bare commits', phases);
  const phaseCommits = [...commits];
  const cancelled: string[] = [];
  for (let run = 0; run < wholeRuns; run += 1)
    cancelled.push(await followUpTo(call, bench.root, analysis, 'ProblemFrame'));
  calls.length = 0;
  for (const runId of cancelled) await call('telic_cancel_run', { ...tokenOf(ledger, runId) });
  note('telic_cancel_run', times(calls));
  note('bare durable commit, 8 KiB (beside Evidence)', commitCost);
  note('bare durable commit, 8 KiB (beside phases)', phaseCommits);

  printTable(
    '2. Tools inside the server, from the parsed request to the written answer (analyze_only, ledger in a file)',
    ['what', ...timeHead],
    rows,
  );
  print('* filled by hand with context documents, through the ledger');
  print(
    `next action: p50 ${median(nextSmall).toFixed(3)} ms and ${median(nextLarge).toFixed(3)} ms (target: at most 1 ms)`,
  );
  print(
    `a submission over one durable commit: Evidence p50 ${ratio(median(evidence), median(commitCost))}, lowest ${ratio(lowest(evidence), lowest(commitCost))}; ` +
      `phase artifact p50 ${ratio(median(phases), median(phaseCommits))}, lowest ${ratio(lowest(phases), lowest(phaseCommits))} (target of p50: at most 4)`,
  );
  reference.close();
  await client.close();
  controller.close();
};
