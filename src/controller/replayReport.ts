import { uriOf } from '../../machines/record.ts';
import type { ArtifactMeta, Ledger, TraceRow } from '../ledger/ledger.ts';
import type { ReplayDifference, ReplayReport } from './api.ts';
import { type Verification, verifyRun } from './verifyRun.ts';

type Step = ReplayReport['steps'][number];

/** Artifacts and trace entries come in pages; a run has at most 2,048 and 10,000 of them. */
const page = 500;

const pages = function* <T>(
  read: (after: number) => readonly T[],
  keyOf: (item: T, at: number) => number,
): Generator<T> {
  let after = 0;
  for (;;) {
    const items = read(after);
    yield* items;
    const last = items.at(-1);
    if (last === undefined || items.length < page) return;
    after = keyOf(last, after + items.length);
  }
};

const artifactsOf = (ledger: Ledger, runId: string): readonly ArtifactMeta[] => [
  ...pages(
    (after) => ledger.artifactMeta(runId, after, page),
    (_, at) => at,
  ),
];

/** Every trace entry of a run, in order. */
export const traceOf = (ledger: Ledger, runId: string): readonly TraceRow[] => [
  ...pages(
    (after) => ledger.trace(runId, after, page),
    (row) => row.sequence,
  ),
];

const stepsOf = (ledger: Ledger, runId: string, trace: readonly TraceRow[]): readonly Step[] => {
  const stored = new Map<string, TraceRow>();
  const escalated = new Map<string, TraceRow>();
  for (const row of trace)
    for (const ref of row.outputRefs) {
      if (row.event === 'topology_escalated') escalated.set(ref, row);
      else if (!stored.has(ref)) stored.set(ref, row);
    }
  const steps = artifactsOf(ledger, runId).map((artifact): Step => {
    const artifactRef = uriOf(artifact);
    const row = stored.get(artifactRef);
    const escalation = escalated.get(artifactRef);
    return {
      // The request and the envelope have no event of their own: they come first, in the order in which they were stored.
      sequence: row?.sequence ?? 0,
      phase: row?.phase ?? 'context_grounding',
      artifactRef,
      artifactType: artifact.type,
      digestStatus: ledger.digestStatus(runId, artifact.id),
      ...(escalation && { escalationReason: escalation.summary }),
    };
  });
  return steps.toSorted((a, b) => a.sequence - b.sequence);
};

/** A run that was damaged all over would otherwise fill the host's window. */
const mostDifferences = 100;

/** An event that cannot be judged again is no proof of anything: it counts as a difference here. */
const differencesOf = ({ differences, notJudged }: Verification): readonly ReplayDifference[] => [
  ...differences.map(({ sequence, kind, expected, found }) => ({ sequence, kind, expected, found })),
  ...notJudged.map(({ sequence, why }) => ({
    sequence,
    kind: 'not_judged' as const,
    expected: 'an event that can be executed again',
    found: why,
  })),
];

/**
 * What the trace, the stored digests and the re-execution say of a run, without bodies (mcp-surface, telic_replay_run). A micro run is told
 * to be one instead of claiming the fidelity of a longer procedure.
 */
export const replayReport = (ledger: Ledger, runId: string, topology: ReplayReport['topology']): ReplayReport => {
  if (topology === 'micro')
    return { runId, topology, steps: [], traceHighlights: [], degraded: true, reason: 'micro_topology' };
  const trace = traceOf(ledger, runId);
  const escalations = trace.filter(({ event }) => event === 'topology_escalated');
  const denials = trace.filter(({ event, decision }) => event === 'broker_decision' && decision?.decision === 'deny');
  const differences = differencesOf(verifyRun(ledger, runId));
  return {
    runId,
    topology,
    steps: stepsOf(ledger, runId, trace),
    traceHighlights: [...escalations, ...denials].map(({ summary }) => summary),
    consistent: differences.length === 0,
    differences: differences.slice(0, mostDifferences),
  };
};
