import { createActor, initialTransition, type SnapshotFrom, transition } from 'xstate';
import type { RunInput } from './context.ts';
import type { Effect, EscalationReason, RecordEffect, Refusal, RunEvent } from './events.ts';
import { runMachine } from './run.ts';

/**
 * Stored with every run: a ledger written by a machine of another version is readable but takes no events. Raise it with
 * every change that could make an old run replay differently.
 */
export const machineVersion = '1';

export type RunSnapshot = SnapshotFrom<typeof runMachine>;

/** What one event does to a run. */
export type Step =
  | Readonly<{ outcome: 'refused'; refusal: Refusal }>
  /** Accepted; `next` is the same object as before when the version stays. */
  | Readonly<{ outcome: 'accepted'; next: RunSnapshot; record: RecordEffect; moved: EscalationReason | null }>
  /** A finished run was cancelled again: success, nothing to write. */
  | Readonly<{ outcome: 'ended' }>;

type RawEffect = Readonly<{ type: string; params?: unknown }>;
const isOurs = (effect: RawEffect): effect is Effect => ['record', 'refuse', 'moved', 'ended'].includes(effect.type);

/** An event that nothing took: a defect of the machine, never of the caller. */
export class UnhandledEventError extends Error {
  constructor(type: string) {
    super(`The run machine neither accepted nor refused ${type}.`);
    this.name = 'UnhandledEventError';
  }
}

/** The snapshot of a new run at version 1. */
export const begin = (input: RunInput): RunSnapshot => initialTransition(runMachine, input)[0];

const merged = (effects: readonly RecordEffect[]): RecordEffect => {
  const decision = effects.find((effect) => effect.decision)?.decision;
  return {
    artifacts: effects.flatMap(({ artifacts }) => artifacts),
    trace: effects.flatMap(({ trace }) => trace),
    ...(decision && { decision }),
  };
};

/**
 * Takes one event, purely: the same snapshot and event give the same step.
 * @throws UnhandledEventError when the machine is silent about the event
 */
export const step = (snapshot: RunSnapshot, event: RunEvent): Step => {
  const [next, raw] = transition(runMachine, snapshot, event);
  const effects = (raw as readonly RawEffect[]).filter(isOurs);
  const refusal = effects.find((effect) => effect.type === 'refuse');
  if (refusal) return { outcome: 'refused', refusal: refusal.params };
  if (effects.some(({ type }) => type === 'ended')) return { outcome: 'ended' };
  const records = effects.flatMap((effect) => (effect.type === 'record' ? [effect.params] : []));
  if (records.length === 0 && next === snapshot) throw new UnhandledEventError(event.type);
  const moved = effects.find((effect) => effect.type === 'moved');
  return { outcome: 'accepted', next, record: merged(records), moved: moved?.params.reason ?? null };
};

/** The snapshot as text for the ledger. */
export const freeze = (snapshot: RunSnapshot): string => JSON.stringify(runMachine.getPersistedSnapshot(snapshot));

/** A snapshot from the ledger's text. Only for runs of this `machineVersion`: an unknown state value throws. */
export const thaw = (text: string): RunSnapshot =>
  createActor(runMachine, { snapshot: JSON.parse(text), input: noInput }).getSnapshot();

const noInput: RunInput = {
  runId: '',
  repositoryRoot: '',
  mode: 'report_only',
  topology: 'standard',
  priorRunId: null,
  createdAt: '',
};
