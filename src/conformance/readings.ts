import { z } from 'zod';
import { type Difference, differing } from './compare.ts';
import { type Model, runOf } from './model.ts';

/** What reading a run must show, beside run and next action: its trace, its row in the list, its replay. */

export const TraceAnswer = z.looseObject({
  events: z.array(
    z.looseObject({
      sequence: z.number(),
      actor: z.string(),
      phase: z.string(),
      eventType: z.string(),
      inputRefs: z.array(z.string()),
      outputRefs: z.array(z.string()),
      rationaleSummary: z.string(),
      budgetSnapshot: z.unknown(),
      permissionDecision: z.unknown(),
    }),
  ),
  hasMore: z.boolean(),
});
export type TraceLine = z.infer<typeof TraceAnswer>['events'][number];

/** Words that the protocol fixes: a topology's reason, and the digest over what was verified. */
const fixedSummaries: readonly string[] = ['topology_classified', 'topology_escalated', 'digest_verified'];

const comparable = (
  line: Pick<
    TraceLine,
    'sequence' | 'actor' | 'phase' | 'eventType' | 'inputRefs' | 'outputRefs' | 'rationaleSummary'
  > &
    Readonly<{ budgetSnapshot?: unknown; permissionDecision?: unknown }>,
  strict: boolean,
): unknown => {
  const { sequence, actor, phase, eventType, inputRefs, outputRefs, budgetSnapshot, permissionDecision } = line;
  if (!strict) return { sequence, actor, phase, eventType };
  const summary = fixedSummaries.includes(eventType) ? line.rationaleSummary : null;
  return { sequence, actor, phase, eventType, inputRefs, outputRefs, budgetSnapshot, permissionDecision, summary };
};

/** Of two lists the first entries that differ: whole traces would bury the one line that matters. */
const firstDifference = (expected: unknown, actual: unknown): readonly Difference[] => {
  const [wanted, got] = [expected, actual].map((list): readonly unknown[] => (Array.isArray(list) ? list : []));
  for (let at = 0; at < Math.max(wanted?.length ?? 0, got?.length ?? 0); at += 1) {
    const [difference] = differing(`trace.${at + 1}`, wanted?.[at], got?.[at]);
    if (difference) return [difference];
  }
  return [];
};

export const traceDifferences = (model: Model, lines: readonly TraceLine[], strict: boolean): readonly Difference[] =>
  firstDifference(
    model.trace.map((line) => comparable(line, strict)),
    lines.map((line) => comparable(line, strict)),
  );

export const RunList = z.looseObject({ runs: z.array(z.looseObject({ runId: z.string() })) });

const rowFields = [
  'requestedMode',
  'topology',
  'status',
  'phase',
  'resumePhase',
  'version',
  'outcomeHint',
  'createdAt',
  'updatedAt',
] as const;

/** The row of the run in `telic_list_runs`, newest first: it must be there and say what the run says. */
export const rowDifferences = (model: Model, { runs }: z.infer<typeof RunList>): readonly Difference[] => {
  const run = runOf(model);
  const row = runs.find(({ runId }) => runId === run.runId);
  if (!row) return [{ field: 'runs', expected: `a row of ${run.runId}`, actual: null }];
  return rowFields.flatMap((name) => differing(`runs.${name}`, run[name], row[name]));
};

export const Replay = z.looseObject({
  report: z.looseObject({
    topology: z.string(),
    steps: z.array(z.looseObject({ artifactRef: z.string(), digestStatus: z.string() })),
  }),
});

/** A replay finds every digest as it was written. */
export const replayDifferences = (model: Model, { report }: z.infer<typeof Replay>): readonly Difference[] => [
  ...differing('report.topology', runOf(model).topology, report.topology),
  ...report.steps.flatMap(({ artifactRef, digestStatus }) => differing(`digest of ${artifactRef}`, 'ok', digestStatus)),
];
