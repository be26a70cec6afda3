import { expect, it } from 'vitest';
import {
  beginInvocation,
  type InvocationState,
  isFinal,
  isStored,
  type StoredState,
  stepInvocation,
  wireStatus,
} from '../../machines/invocation/index.ts';
import { inputs } from './events.ts';

const ruling = { granted: true, refusals: 0, deadlineMs: 3000 };

it('asks the person for an outside action that was not allowed before, and runs everything else at once', () => {
  for (const input of inputs) {
    const asks = input.kind === 'outside' && !input.preAllowed;
    expect(beginInvocation(input, ruling)).toEqual({
      outcome: 'opened',
      state: asks ? 'asking' : 'running',
      context: { ...input, version: 1, edited: false, deadlineMs: asks ? 3000 : null },
      effects: asks
        ? [
            { type: 'openAsk', params: { again: false } },
            { type: 'startDeadline', params: { deadlineMs: 3000 } },
          ]
        : [{ type: 'runApp', params: { edited: false, again: false } }],
    });
  }
});

it('denies what is not granted, whatever it is', () => {
  for (const input of inputs)
    expect(beginInvocation(input, { ...ruling, granted: false, refusals: 2 })).toEqual({
      outcome: 'denied',
      denied: 'not_granted',
    });
});

it('denies a third ask for what the person refused twice, and only what would ask', () => {
  for (const input of inputs) {
    const asks = input.kind === 'outside' && !input.preAllowed;
    const opened = { outcome: 'opened', state: asks ? 'asking' : 'running' };
    expect(beginInvocation(input, { ...ruling, refusals: 1 })).toMatchObject(opened);
    for (const refusals of [2, 3])
      expect(beginInvocation(input, { ...ruling, refusals })).toMatchObject(
        asks ? { outcome: 'denied', denied: 'refused' } : opened,
      );
  }
});

const told: readonly (readonly [StoredState, object])[] = [
  ['asking', { status: 'pending', ask: true }],
  ['allowed', { status: 'pending', ask: true }],
  ['running', { status: 'pending', ask: false }],
  ['cancelling', { status: 'pending', ask: false }],
  ['expired', { status: 'failed', code: 'ask_expired' }],
  ['succeeded', { status: 'ok' }],
  ['failed', { status: 'failed', code: null }],
  ['refused', { status: 'failed', code: 'refused' }],
  ['cancelled', { status: 'failed', code: 'cancelled' }],
];

it.each(told)('tells %s on the wire as it is', (state, status) => {
  expect(wireStatus(state)).toEqual(status);
});

it('is final in the four ends and nowhere else', () => {
  const states: readonly InvocationState[] = ['checking', ...told.map(([state]) => state)];
  expect(states.filter(isFinal)).toEqual(['succeeded', 'failed', 'refused', 'cancelled']);
});

it('hands the payload of an event on untouched, and says which effects belong into the transaction', () => {
  interface Mine {
    readonly edits: Readonly<{ to: string }>;
    readonly failure: Readonly<{ code: string }>;
    readonly outcome: Readonly<{ result: number }>;
  }
  const context = {
    ...inputs[0],
    kind: 'outside',
    preAllowed: false,
    version: 4,
    edited: false,
    deadlineMs: null,
  } as const;
  const invocation = {
    state: 'running',
    context: { abortable: false, replayKey: false, secret: false, ...context },
  } as const;
  const outcome = { result: 3 };
  const step = stepInvocation<Mine>(invocation, { type: 'APP_OK', by: 'app', outcome });
  if (step.outcome !== 'moved') throw new Error('An app that is done ends the invocation.');
  const [commit, wake] = step.effects;
  if (commit?.type !== 'commit' || !wake) throw new Error('What succeeded is committed.');
  const result: number = commit.params.outcome.result;
  expect(result).toBe(3);
  expect(commit.params.outcome).toBe(outcome);
  expect([commit, wake].map(isStored)).toEqual([true, false]);
});
