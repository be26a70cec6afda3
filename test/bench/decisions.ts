import { offered } from '../../machines/graph/labels.ts';
import { exploreRun, type Pair, pairs } from '../../machines/graph/runGraph.ts';
import { step } from '../../machines/step.ts';
import { SubmittedType } from '../../schemas/vocabulary.ts';
import { createRunStore } from '../../src/controller/runStore.ts';
import { submitEvent } from '../../src/controller/submitting.ts';
import type { CallTool } from '../../src/sdk/index.ts';
import { type Bench, openBoth } from './benchWorld.ts';
import { lowest, median } from './figures.ts';
import { followOne } from './runs.ts';
import { connectSurface } from './surfaceClient.ts';
import { printTable } from './table.ts';

const passes = 9;
const repeats = 200;

const perSecond = (count: number, milliseconds: number): string => String(Math.round((count / milliseconds) * 1000));

/** Runs `work` several times; its count of decisions over the lowest and the median time. */
const rate = (what: string, count: number, work: () => void): readonly string[] => {
  work();
  const times = Array.from({ length: passes }, () => {
    const from = performance.now();
    work();
    return performance.now() - from;
  });
  return [what, perSecond(count, lowest(times)), perSecond(count, median(times)), String(count), String(passes)];
};

/** Every label in every abstract state: the machine alone, with neither bodies nor a record. */
const overGraph = (pair: Pair): readonly string[] => {
  const graph = exploreRun(pair);
  const moves = [...graph.states.values()].flatMap((snapshot) =>
    offered(snapshot).map(({ event }) => ({ snapshot, event })),
  );
  return rate(`${pair.join(' ')}: ${graph.states.size} states`, moves.length, () => {
    for (const { snapshot, event } of moves) step(snapshot, event);
  });
};

/** Submissions of a real run, each judged in full (schema, references, rules, digest) and again and again; nothing is stored. */
const overRun = async (bench: Bench): Promise<readonly (readonly string[])[]> => {
  const { controller, ledger } = openBoth(bench.newState());
  const client = await connectSurface(controller);
  const rows = new Map<string, readonly string[]>();
  const judging: CallTool = async (tool, args) => {
    const type = SubmittedType.safeParse(args.artifact_type);
    if (tool === 'telic_submit_artifact' && type.success && !rows.has(type.data)) {
      const run = createRunStore(() => ledger).load(String(args.run_id));
      const make = submitEvent(
        {
          runId: String(args.run_id),
          actionId: String(args.action_id),
          expectedVersion: Number(args.expected_run_version),
          artifactType: type.data,
          body: args.body,
          sourceRefs: [],
        },
        type.data,
        new Date().toISOString(),
        bench.root,
      );
      rows.set(
        type.data,
        rate(`${type.data}, judged in full`, repeats, () => {
          for (let turn = 0; turn < repeats; turn += 1) step(run.snapshot, make(run));
        }),
      );
    }
    return client.call(tool, args);
  };
  await followOne(judging, bench.root);
  await client.close();
  controller.close();
  return [...rows.values()];
};

/** How many events a second the machine decides, without a ledger. */
export const measureDecisions = async (bench: Bench): Promise<void> => {
  const rows = [...pairs.map(overGraph), ...(await overRun(bench))];
  printTable(
    '5. Decisions of the machine',
    ['what', 'per second, lowest time', 'per second, p50', 'decisions a pass', 'passes'],
    rows,
  );
};
