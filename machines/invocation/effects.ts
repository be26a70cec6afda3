import type { InvocationContext } from './context.ts';
import type { Payload } from './events.ts';

/** Why an event changed nothing. */
export type Stay =
  /** Its kind never comes by this channel. */
  | 'wrong_channel'
  /** Decided on another version than the stored one. */
  | 'stale'
  /** A call with this id, but another action or other arguments. */
  | 'mismatch'
  | 'invalid_edits'
  /** The deadline is still to come, or there is none. */
  | 'not_due'
  | 'not_abortable'
  | 'not_granted'
  /** The person refused the same twice within an hour (D-22). */
  | 'worn_down'
  /** Nothing of this kind is taken in this state. */
  | 'not_accepted'
  /** The invocation has ended. */
  | 'final';

/** Why a new call is not admitted: the code of its failure. */
export type Denial = 'not_granted' | 'refused';

/** A failure that the state alone does not tell in full. */
export type KeptFailure<P extends Payload = Payload> =
  | Readonly<{ code: 'refused'; reason: string | null }>
  | Readonly<{ code: 'interrupted' }>
  /** The app's own, with a code of its own. */
  | Readonly<{ code: null; failure: P['failure'] }>;

type Does<T extends string, Params> = Readonly<{ type: T; params: Params }>;

/** Belongs into the transaction that stores the transition (workspace-wire 5.2). */
export type StoredEffect<P extends Payload = Payload> =
  | Does<'storeEdits', Readonly<{ edits: P['edits'] }>>
  | Does<'storeFailure', KeptFailure<P>>
  /** The app's operations, history and result. */
  | Does<'commit', Readonly<{ outcome: P['outcome'] }>>;

/** To be carried out once the transition is committed. */
export type LaterEffect =
  /** `again`: the ask expired before; edits of that time are gone. */
  | Does<'openAsk', Readonly<{ again: boolean }>>
  /** A repeated call: the open ask is announced anew on the page. */
  | Readonly<{ type: 'announceAsk' }>
  | Does<'closeAsk', Readonly<{ as: 'allowed' | 'refused' | 'cancelled' | 'expired' }>>
  | Does<'startDeadline', Readonly<{ deadlineMs: number }>>
  | Readonly<{ type: 'wakeWaiters' }>
  /** `edited`: with the stored edits in place of the arguments; `again`: after a restart, with the same key. */
  | Does<'runApp', Readonly<{ edited: boolean; again: boolean }>>
  | Readonly<{ type: 'abortApp' }>;

/** What a transition asks the host to do, in order. */
export type InvocationEffect<P extends Payload = Payload> = StoredEffect<P> | LaterEffect;

/** What the machine says and the step turns into an answer. */
type Answer = Does<'refuse', Readonly<{ why: Stay }>> | Does<'deny', Readonly<{ code: Denial }>>;

/** An action of the machine that is no change of its context; the payload is that of the event it took. */
export type MachineEffect<P extends Payload = Payload> = InvocationEffect<P> | Answer;

const stored: readonly string[] = ['storeEdits', 'storeFailure', 'commit'];

/** Whether an effect is written together with the transition, and not carried out after it. */
export const isStored = <P extends Payload>(effect: InvocationEffect<P>): effect is StoredEffect<P> =>
  stored.includes(effect.type);

// What parameters are computed from: each names the part of an event that it reads, so that it fits only where there is one.
type From<E> = Readonly<{ event: E }>;

export const openAsk = (again: boolean) => ({ type: 'openAsk', params: { again } }) as const;
export const closeAsk = (as: 'allowed' | 'refused' | 'cancelled' | 'expired') =>
  ({ type: 'closeAsk', params: { as } }) as const;
export const startDeadline = {
  type: 'startDeadline',
  params: ({ event }: From<{ deadlineMs: number }>) => ({ deadlineMs: event.deadlineMs }),
} as const;
export const runApp = (again: boolean) =>
  ({
    type: 'runApp',
    params: ({ context }: { context: InvocationContext }) => ({ edited: context.edited, again }),
  }) as const;
export const storeEdits = {
  type: 'storeEdits',
  params: ({ event }: From<{ edits: unknown }>) => ({ edits: event.edits }),
} as const;
export const storeReason = {
  type: 'storeFailure',
  params: ({ event }: From<{ reason: string | null }>) => ({ code: 'refused' as const, reason: event.reason }),
} as const;
export const storeInterruption = { type: 'storeFailure', params: { code: 'interrupted' } } as const;
export const storeFailure = {
  type: 'storeFailure',
  params: ({ event }: From<{ failure: unknown }>) => ({ code: null, failure: event.failure }),
} as const;
export const commit = {
  type: 'commit',
  params: ({ event }: From<{ outcome: unknown }>) => ({ outcome: event.outcome }),
} as const;
export const deny = (code: Denial) => ({ type: 'deny', params: { code } }) as const;
