import type { RunContext } from '../../machines/context.ts';
import type { RecordEffect, Refusal, RunEvent, SubmitEvent } from '../../machines/events.ts';
import { growthOf } from '../../machines/growth.ts';
import type { BrokerDecision } from '../../machines/permissions/brokerDecision.ts';
import { type PartialAction, projectNextAction } from '../../machines/projection/nextAction.ts';
import { ProjectionError } from '../../machines/projection/projectionError.ts';
import type { RunRecord } from '../../machines/record.ts';
import { freeze, machineVersion, type RunSnapshot, step } from '../../machines/step.ts';
import type { Commit, Json, Ledger } from '../ledger/ledger.ts';
import { payloadOf, withAfter } from './payload.ts';
import { currentOf, nextStepsFor, refusalError } from './refusal.ts';
import type { LoadedRun, RunStore } from './runStore.ts';
import { type FailureParts, TelicError } from './telicError.ts';

/** How an accepted event left the run. */
export interface Dispatched {
  readonly run: LoadedRun;
  /** Null after a check, which is answered without it. */
  readonly nextAction: PartialAction | null;
  readonly record: RecordEffect;
  readonly decision: BrokerDecision | null;
}

/** Makes the event for the run as it stands; asked again when another writer was faster. */
export type EventMaker = (run: LoadedRun) => RunEvent;

/**
 * A writer that is always overtaken would otherwise spin: each lost race means that another event was accepted, so this
 * many in a row only happen to a defect.
 */
const mostRaces = 1000;

const typeOf = (event: RunEvent): string | undefined =>
  event.type.startsWith('submit.') ? event.type.slice('submit.'.length) : undefined;

const isStored = (event: SubmitEvent, artifacts: RecordEffect['artifacts']): boolean =>
  artifacts.some(({ id }) => id === event.case.dossier?.artifact?.id);

/** The next action of the state that an event leads to; an event that leads nowhere is refused (D12). */
const projected = (run: RunContext, context: RunContext, record: RunRecord, event: RunEvent): PartialAction => {
  try {
    return projectNextAction(context, record);
  } catch (error) {
    if (!(error instanceof ProjectionError)) throw error;
    throw refusalError(run, { code: error.refusal, findings: [error.finding], trace: [] }, typeOf(event));
  }
};

/** The sentence of an escalation (ESC-04): the event was accepted, the artifact was not stored. */
const movedError = (context: RunContext, type: string | undefined, nextAction: PartialAction): TelicError => {
  const message =
    `The ${type ?? 'artifact'} was not stored: claims that rest on the user's word alone need the ${context.topology} procedure. ` +
    `The run moved to ${nextAction.phase}, version ${context.version}.`;
  const fix = 'Fetch the next action and follow it.';
  const path = type === 'ReleaseAudit' ? 'claimEvidenceMatrix' : 'completionClaims';
  return new TelicError('run_escalated', message, {
    findings: [{ path, code: 'ADM-ESC-04', message, fix }],
    nextSteps: nextStepsFor('run_escalated', context),
    current: currentOf(context),
  });
};

/** What a door may add to a refusal: an accepted submission that is sent again is told so (decisions 11). */
export type Explain = (run: LoadedRun, event: RunEvent, refusal: Refusal) => FailureParts;

/**
 * The one way to move a run: load, transition, commit everything in one transaction on the condition that nobody else
 * wrote, project. A lost race is judged again on what the other writer left, so it ends as the same refusal that a stale
 * token gets.
 *
 * @param onMoved told after each accepted versioned event, once it is durable
 */
export const createDispatch = (
  ledger: () => Ledger,
  store: RunStore,
  onMoved: (run: RunContext) => void,
): ((runId: string, make: EventMaker, explain?: Explain) => Dispatched) => {
  const write = (
    runId: string,
    before: LoadedRun,
    snapshot: RunSnapshot,
    event: Readonly<{ type: string; at: string; payload: Readonly<Record<string, Json>> }>,
    effect: RecordEffect,
    record: RunRecord,
  ): LoadedRun | null => {
    const { context } = snapshot;
    const frozen = freeze(snapshot);
    const commit: Commit = {
      runId,
      expectedHead: before.head,
      event: { ...event, payload: withAfter(event.payload, frozen) },
      run: { context, snapshot: frozen, machineVersion },
      artifacts: effect.artifacts,
      trace: effect.trace.map((entry) => ({ ...entry, at: event.at, budgets: context.budgets })),
    };
    if (!ledger().commit(commit)) {
      store.forget(runId);
      return null;
    }
    const after: LoadedRun = { snapshot, record, head: before.head + 1 };
    store.keep(runId, after);
    return after;
  };

  /** Writes what a refusal leaves; false when another writer was faster and everything must be judged again. */
  const noteRefusal = (runId: string, before: LoadedRun, event: RunEvent, refusal: Refusal): boolean => {
    if (refusal.trace.length === 0) return true;
    const effect: RecordEffect = { artifacts: [], trace: refusal.trace };
    const { snapshot } = before;
    const record = before.record.extend([], growthOf(before.record, snapshot.context, snapshot.context, effect));
    const recorded = { type: 'refused', at: event.at, payload: { event: event.type } };
    return write(runId, before, snapshot, recorded, effect, record) !== null;
  };

  const attempt = (runId: string, make: EventMaker, explain?: Explain): Dispatched | null => {
    const before = store.load(runId);
    const { context } = before.snapshot;
    const event = make(before);
    const taken = step(before.snapshot, event);
    if (taken.outcome === 'refused') {
      if (!noteRefusal(runId, before, event, taken.refusal)) return null;
      throw refusalError(context, taken.refusal, typeOf(event), explain?.(before, event, taken.refusal));
    }
    if (taken.outcome === 'ended') {
      const nextAction = projectNextAction(context, before.record);
      return { run: before, nextAction, record: { artifacts: [], trace: [] }, decision: null };
    }
    const { next, record: effect, moved } = taken;
    const isRepeat = effect.artifacts.length === 0 && effect.trace.length === 0;
    const record = before.record.extend(effect.artifacts, growthOf(before.record, context, next.context, effect));
    // A check leads nowhere: the action stays the one that could be told before.
    const nextAction = event.type === 'host.check' ? null : projected(context, next.context, record, event);
    if (isRepeat) return { run: before, nextAction, record: effect, decision: null };
    const kept = !('case' in event) || isStored(event, effect.artifacts);
    const recorded = { type: event.type, at: event.at, payload: payloadOf(event, kept) };
    const run = write(runId, before, next, recorded, effect, record);
    if (!run) return null;
    if (next.context.version !== context.version) onMoved(next.context);
    if (moved && nextAction) throw movedError(next.context, typeOf(event), nextAction);
    return { run, nextAction, record: effect, decision: effect.decision ?? null };
  };

  return (runId, make, explain) => {
    for (let race = 0; race < mostRaces; race += 1) {
      const done = attempt(runId, make, explain);
      if (done) return done;
    }
    throw new TelicError('internal', `Run ${runId} changed ${mostRaces} times while one event was handled.`);
  };
};
