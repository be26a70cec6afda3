import { type RunContext, viewOf } from '../../machines/context.ts';
import type { RunEvent, Token, TraceEntry } from '../../machines/events.ts';
import type { AnyArtifact, RunRecord } from '../../machines/record.ts';
import { checkKey } from '../../machines/rules/recordedDenials.ts';
import type { RunSnapshot } from '../../machines/step.ts';
import type { BodyOf } from '../../schemas/artifacts/index.ts';
import { traceEventOf } from '../controller/traceView.ts';

/** The event that stored an artifact, so that sending it again can be foretold (decisions 11). */
export interface Past {
  readonly token: Token;
  /** The version of the run after it. */
  readonly version: number;
  /** The choice, when the artifact is an answer. */
  readonly answer: string | null;
}

/**
 * One run as our machine sees it. The record holds what the server itself says that it stored, so a server whose
 * companions are worded otherwise is still judged by its own artifacts.
 */
export interface Model {
  readonly snapshot: RunSnapshot;
  readonly record: RunRecord;
  /** The whole trace that the run must have. */
  readonly trace: readonly BodyOf<'TraceEvent'>[];
  /** By the id of the artifact. */
  readonly past: ReadonlyMap<string, Past>;
}

/** How the trace grew: what later events must know of it. */
const growth = (model: Model, context: RunContext, trace: readonly TraceEntry[]) => ({
  added: trace.length,
  denials:
    (context.version === model.snapshot.context.version ? model.record.denials : 0) +
    trace.filter(({ event }) => event === 'transition_denied').length,
  deniedChecks: trace
    .filter(({ event, decision }) => event === 'permission_checked' && decision?.decision === 'deny')
    .map(checkKey),
});

const shown = (
  before: readonly BodyOf<'TraceEvent'>[],
  context: RunContext,
  trace: readonly TraceEntry[],
): readonly BodyOf<'TraceEvent'>[] => [
  ...before,
  ...trace.map((entry, index) => {
    const sequence = before.length + index + 1;
    const id = `event-${String(sequence).padStart(4, '0')}`;
    return traceEventOf({
      ...entry,
      runId: context.runId,
      sequence,
      id,
      at: context.updatedAt,
      budgets: context.budgets,
    });
  }),
];

/** A run that has just begun. */
export const beginModel = (
  snapshot: RunSnapshot,
  empty: RunRecord,
  stored: readonly AnyArtifact[],
  trace: readonly TraceEntry[],
): Model => ({
  snapshot,
  record: empty.extend(stored, { added: trace.length, denials: 0 }),
  trace: shown([], snapshot.context, trace),
  past: new Map(),
});

/**
 * The run after an event, accepted or not.
 *
 * @param next the machine's snapshot; the same object when the version stays
 * @param stored the artifacts as the server keeps them
 */
export const advance = (
  model: Model,
  next: RunSnapshot,
  stored: readonly AnyArtifact[],
  trace: readonly TraceEntry[],
  event: RunEvent | null,
): Model => {
  const { context } = next;
  const past = new Map(model.past);
  const answer = event?.type === 'user.answer' ? event.answer : null;
  if (event) for (const { id } of stored) past.set(id, { token: event.token, version: context.version, answer });
  return {
    snapshot: next,
    record: model.record.extend(stored, growth(model, context, trace)),
    trace: shown(model.trace, context, trace),
    past,
  };
};

export const runOf = ({ snapshot }: Model): ReturnType<typeof viewOf> => viewOf(snapshot.context);
export const isEnded = ({ snapshot }: Model): boolean => snapshot.matches('terminal');
