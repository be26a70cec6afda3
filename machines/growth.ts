import type { RunContext } from './context.ts';
import type { RecordEffect, TraceEntry } from './events.ts';
import type { RunRecord, TraceGrowth } from './record.ts';
import { checkKey } from './rules/recordedDenials.ts';

const isSpawn = ({ event, decision }: TraceEntry): boolean =>
  event === 'broker_decision' && decision?.decision === 'allow' && decision.capability === 'subagent.spawn';

/** What makes another work node pending: its plan, the micro pack of a frame, the result of the node before it. */
const renewsNode: readonly string[] = ['ProblemFrame', 'WorkPlan', 'WorkResult'];

/**
 * How the trace of a run grows with what an event leaves: numbers that later rules read. One function for the run that
 * moves and for the one that is executed again.
 *
 * @param record the record before the event
 * @param before the context before the event
 * @param after the context after it
 */
export const growthOf = (
  record: RunRecord,
  before: RunContext,
  after: RunContext,
  { artifacts, trace }: Pick<RecordEffect, 'artifacts' | 'trace'>,
): Required<TraceGrowth> => ({
  added: trace.length,
  spawned: artifacts.some(({ type }) => renewsNode.includes(type)) ? 0 : record.spawned + trace.filter(isSpawn).length,
  denials:
    (after.version === before.version ? record.denials : 0) +
    trace.filter(({ event }) => event === 'transition_denied').length,
  deniedChecks: trace
    .filter(({ event, decision }) => event === 'permission_checked' && decision?.decision === 'deny')
    .map(checkKey),
});
