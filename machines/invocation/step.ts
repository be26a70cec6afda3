import { initialTransition, type SnapshotFrom, transition } from 'xstate';
import type { InvocationContext, InvocationInput } from './context.ts';
import type { Denial, InvocationEffect, MachineEffect, Stay } from './effects.ts';
import type { InvocationEvent, Payload, Ruling, Waiting } from './events.ts';
import { invocationMachine } from './invocation.ts';
import { isFinal, type StoredState } from './state.ts';

type MachineSnapshot = SnapshotFrom<typeof invocationMachine>;

/** An invocation as it is stored. */
export type StoredInvocation = Readonly<{ state: StoredState; context: InvocationContext }>;

/** How an admitted call begins, or why it is answered and never stored. */
export type Begun =
  | (Readonly<{ outcome: 'opened'; effects: readonly InvocationEffect[] }> & StoredInvocation)
  | Readonly<{ outcome: 'denied'; denied: Denial }>;

/** What one event does to a stored invocation. */
export type InvocationStep<P extends Payload = Payload> =
  /** Store state and context where the version is still the old one, then carry out the effects. */
  | (Readonly<{ outcome: 'moved'; effects: readonly InvocationEffect<P>[] }> & StoredInvocation)
  /** Taken, but nothing to store: a repeated call brings the open ask before the person again. */
  | Readonly<{ outcome: 'noted'; effects: readonly InvocationEffect<P>[] }>
  /** Not taken: the stored invocation stays as it is. */
  | Readonly<{ outcome: 'stayed'; why: Stay }>;

type RawEffect = Readonly<{ type: string; params?: unknown }>;

const ours: ReadonlySet<string> = new Set<MachineEffect['type']>([
  'openAsk',
  'announceAsk',
  'closeAsk',
  'startDeadline',
  'wakeWaiters',
  'runApp',
  'abortApp',
  'storeEdits',
  'storeFailure',
  'commit',
  'refuse',
  'deny',
]);
const isOurs = <P extends Payload>(effect: RawEffect): effect is MachineEffect<P> => ours.has(effect.type);

/** The effects without what the engine keeps beside them. */
const effectsOf = <P extends Payload>(raw: readonly RawEffect[]): readonly MachineEffect<P>[] =>
  raw
    .map(({ type, params }): RawEffect => (params === undefined ? { type } : { type, params }))
    .filter((effect) => isOurs<P>(effect));

const isToHost = <P extends Payload>(effect: MachineEffect<P>): effect is InvocationEffect<P> =>
  effect.type !== 'refuse' && effect.type !== 'deny';

const storedOf = ({ value, context }: MachineSnapshot): StoredInvocation => {
  const state = typeof value === 'string' ? value : value.ended;
  if (state === 'checking') throw new Error('An invocation that is still checked is never stored.');
  return { state, context };
};

const snapshotOf = ({ state, context }: StoredInvocation): MachineSnapshot =>
  invocationMachine.resolveState({ value: isFinal(state) ? { ended: state } : state, context });

/**
 * Decides on a new call: asks the person, runs at once, or denies (workspace-wire 5.1, `checking`).
 * @param input what is known of the call, `ruling` what the host found about it
 * @returns the first stored version and what to do then; or the code of the failure, with nothing to store
 */
export const beginInvocation = (input: InvocationInput, ruling: Ruling & Waiting): Begun => {
  const [checking] = initialTransition(invocationMachine, input);
  const [next, raw] = transition(invocationMachine, checking, { type: 'ADMIT', by: 'host', ...ruling });
  const effects = effectsOf(raw);
  const denial = effects.find((effect) => effect.type === 'deny');
  return denial
    ? { outcome: 'denied', denied: denial.params.code }
    : { outcome: 'opened', ...storedOf(next), effects: effects.filter(isToHost) };
};

/**
 * Takes one event, purely: the same invocation and event give the same step.
 * @param invocation as stored
 * @param event what came in, with its channel, and the times and findings that the machine cannot know
 * @returns the next version and what to do then, or why nothing changed; the payload of the event is handed on untouched
 */
export const stepInvocation = <P extends Payload>(
  invocation: StoredInvocation,
  event: InvocationEvent<P>,
): InvocationStep<P> => {
  const [next, raw] = transition(invocationMachine, snapshotOf(invocation), event);
  const effects = effectsOf<P>(raw);
  const refusal = effects.find((effect) => effect.type === 'refuse');
  if (refusal) return { outcome: 'stayed', why: refusal.params.why };
  const toDo = effects.filter(isToHost);
  return next.context.version === invocation.context.version
    ? { outcome: 'noted', effects: toDo }
    : { outcome: 'moved', ...storedOf(next), effects: toDo };
};
