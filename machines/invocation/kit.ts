import { assign, setup } from 'xstate';
import type { InvocationContext, InvocationInput } from './context.ts';
import type { Denial, KeptFailure, Stay } from './effects.ts';
import { channels, type MachineEvent } from './events.ts';

/** D-22: after so many refusals of the same within an hour the person is not asked again. */
const mostRefusals = 2;

/** An outside action waits for its person, unless they allowed its kind before. */
const needsPerson = ({ kind, preAllowed }: InvocationContext): boolean => kind === 'outside' && !preAllowed;

/** Guards are objections, whose name is the reason told, and facts to route by; actions are effects and context changes. */
export const kit = setup({
  types: {
    context: {} as InvocationContext,
    events: {} as MachineEvent,
    input: {} as InvocationInput,
  },
  guards: {
    // Objections.
    wrong_channel: ({ event }) => !channels[event.type].includes(event.by),
    stale: ({ context, event }) => 'version' in event && event.version !== context.version,
    mismatch: ({ event }) => event.type === 'CALL' && !event.sameArgs,
    invalid_edits: ({ event }) => event.type === 'ALLOW_EDITED' && !event.valid,
    not_due: ({ context, event }) =>
      event.type === 'EXPIRE' && (context.deadlineMs === null || event.nowMs < context.deadlineMs),
    not_abortable: ({ context }) => !context.abortable,
    not_granted: ({ event }) => 'granted' in event && !event.granted,
    worn_down: ({ context, event }) => 'refusals' in event && needsPerson(context) && event.refusals >= mostRefusals,
    // Facts to route by.
    needsPerson: ({ context }) => needsPerson(context),
    /** A run that was cut off changed nothing, or its key lets the far side drop the second. */
    repeatable: ({ context: { kind, replayKey, secret } }) => !secret && (kind !== 'outside' || replayKey),
    /** Nothing is done before it is committed. */
    leavesNothing: ({ context }) => context.kind !== 'outside',
  },
  actions: {
    // Effects: handed to the caller as data, never run here.
    openAsk: (_, _params: { again: boolean }) => {},
    announceAsk: () => {},
    closeAsk: (_, _params: { as: 'allowed' | 'refused' | 'cancelled' | 'expired' }) => {},
    startDeadline: (_, _params: { deadlineMs: number }) => {},
    wakeWaiters: () => {},
    runApp: (_, _params: { edited: boolean; again: boolean }) => {},
    abortApp: () => {},
    storeEdits: (_, _params: { edits: unknown }) => {},
    storeFailure: (_, _params: KeptFailure) => {},
    commit: (_, _params: { outcome: unknown }) => {},
    refuse: (_, _params: { why: Stay }) => {},
    deny: (_, _params: { code: Denial }) => {},
    // Changes of the context.
    move: assign(({ context }) => ({ version: context.version + 1, deadlineMs: null })),
    wait: assign(({ context }, params: { deadlineMs: number; edited: boolean }) => ({
      version: context.version + 1,
      ...params,
    })),
  },
});

type Objection = Exclude<Stay, 'not_accepted' | 'final'>;

const stay = <const W extends Stay>(why: W) => ({ type: 'refuse', params: { why } }) as const;

/** Stays put and says why, when the objection holds. */
export const refuse = <const O extends Objection>(objection: O) =>
  ({ guard: objection, actions: stay(objection) }) as const;

/** What stands first in every transition list: who sent it, what they saw, whether it is the same call. */
export const admit = [refuse('wrong_channel'), refuse('stale'), refuse('mismatch')] as const;

/** Takes nothing: each event is refused, for the given reason when nothing else is wrong with it. */
export const takesNothing = <const W extends 'not_accepted' | 'final'>(why: W) => {
  const rows = [...admit, { actions: stay(why) }] as const;
  return {
    ADMIT: rows,
    ALLOW: rows,
    ALLOW_EDITED: rows,
    REFUSE: rows,
    CANCEL: rows,
    EXPIRE: rows,
    CALL: rows,
    APP_OK: rows,
    APP_FAIL: rows,
    APP_ABORTED: rows,
    RESTARTED: rows,
  } as const satisfies Record<MachineEvent['type'], unknown>;
};

/** A row that leads on: the version rises, nothing waits any more. */
export const to = <const T extends string, const A extends readonly unknown[]>(target: T, ...effects: A) => ({
  target,
  actions: ['move', ...effects] as const,
});

/** A row that leads to waiting, for the person or for the caller, until the deadline of its event. */
export const waitIn = <const T extends string, const A extends readonly unknown[]>(target: T, ...effects: A) => ({
  target,
  actions: [
    {
      type: 'wait',
      params: ({ event }: { event: { type: string; deadlineMs: number } }) => ({
        deadlineMs: event.deadlineMs,
        edited: event.type === 'ALLOW_EDITED',
      }),
    },
    ...effects,
  ] as const,
});

/** The same row, taken only where the fact holds. */
export const where = <const G extends string, const R extends object>(guard: G, row: R) => ({ guard, ...row });
