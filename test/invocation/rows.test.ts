import { describe, expect, it } from 'vitest';
import {
  type InvocationContext,
  type InvocationEvent,
  type InvocationInput,
  type InvocationState,
  type StoredInvocation,
  type StoredState,
  stepInvocation,
} from '../../machines/invocation/index.ts';

/** The table of workspace-wire 5.1: each row taken once, and once where its guard or its sender does not hold. */

const input: InvocationInput = { kind: 'outside', preAllowed: false, abortable: true, replayKey: false, secret: false };

const waits: readonly InvocationState[] = ['asking', 'allowed'];

const stored = (state: StoredState, over: Partial<InvocationContext> = {}): StoredInvocation => ({
  state,
  context: { ...input, version: 7, edited: false, deadlineMs: waits.includes(state) ? 2000 : null, ...over },
});

const seen = { by: 'person', version: 7 } as const;
const call = { type: 'CALL', by: 'caller', sameArgs: true, granted: true, refusals: 0, deadlineMs: 4000 } as const;
const allow = { type: 'ALLOW', ...seen, deadlineMs: 3000 } as const;
const allowEdited = { type: 'ALLOW_EDITED', ...seen, deadlineMs: 3000, valid: true, edits: { to: 'sam' } } as const;
const refuse = { type: 'REFUSE', ...seen, reason: 'not to them' } as const;
const cancel = { type: 'CANCEL', by: 'caller' } as const;
const cancelByPerson = { type: 'CANCEL', ...seen } as const;
const expire = { type: 'EXPIRE', by: 'host', nowMs: 2000 } as const;
const appOk = { type: 'APP_OK', by: 'app', outcome: { result: 1 } } as const;
const appFail = { type: 'APP_FAIL', by: 'app', failure: { code: 'full' } } as const;
const appAborted = { type: 'APP_ABORTED', by: 'app' } as const;
const restarted = { type: 'RESTARTED', by: 'host' } as const;

const wake = { type: 'wakeWaiters' };
const close = (as: string) => ({ type: 'closeAsk', params: { as } });
const deadline = (deadlineMs: number) => ({ type: 'startDeadline', params: { deadlineMs } });
const run = (edited: boolean, again = false) => ({ type: 'runApp', params: { edited, again } });
const keepReason = { type: 'storeFailure', params: { code: 'refused', reason: 'not to them' } };
const keepInterruption = { type: 'storeFailure', params: { code: 'interrupted' } };
const commit = { type: 'commit', params: { outcome: { result: 1 } } };

type Taken = readonly [
  row: string,
  from: StoredInvocation,
  event: InvocationEvent,
  state: StoredState,
  changed: Partial<InvocationContext>,
  effects: readonly unknown[],
];

const asking = stored('asking');
const allowed = stored('allowed');
const running = stored('running');
const cancelling = stored('cancelling');
const expired = stored('expired');

const taken: readonly Taken[] = [
  ['asking, ALLOW', asking, allow, 'allowed', { deadlineMs: 3000 }, [close('allowed'), deadline(3000), wake]],
  [
    'asking, ALLOW_EDITED',
    asking,
    allowEdited,
    'allowed',
    { deadlineMs: 3000, edited: true },
    [{ type: 'storeEdits', params: { edits: { to: 'sam' } } }, close('allowed'), deadline(3000), wake],
  ],
  ['asking, REFUSE', asking, refuse, 'refused', {}, [keepReason, close('refused'), wake]],
  ['asking, CANCEL by the caller', asking, cancel, 'cancelled', {}, [close('cancelled'), wake]],
  ['asking, CANCEL by the person', asking, cancelByPerson, 'cancelled', {}, [close('cancelled'), wake]],
  ['asking, EXPIRE', asking, expire, 'expired', {}, [close('expired'), wake]],
  ['allowed, CALL', allowed, call, 'running', {}, [run(false)]],
  ['allowed after edits, CALL', stored('allowed', { edited: true }), call, 'running', { edited: true }, [run(true)]],
  ['allowed, CALL after refusals of the same', allowed, { ...call, refusals: 5 }, 'running', {}, [run(false)]],
  ['allowed, REFUSE takes the permission back', allowed, refuse, 'refused', {}, [keepReason, wake]],
  ['allowed, CANCEL by the caller', allowed, cancel, 'cancelled', {}, [wake]],
  ['allowed, CANCEL by the person', allowed, cancelByPerson, 'cancelled', {}, [wake]],
  ['allowed, EXPIRE', allowed, { ...expire, nowMs: 2001 }, 'expired', {}, [wake]],
  ['running, APP_OK', running, appOk, 'succeeded', {}, [commit, wake]],
  [
    'running, APP_FAIL',
    running,
    appFail,
    'failed',
    {},
    [{ type: 'storeFailure', params: { code: null, failure: { code: 'full' } } }, wake],
  ],
  ['running, CANCEL by the caller', running, cancel, 'cancelling', {}, [{ type: 'abortApp' }]],
  ['running, CANCEL by the person', running, cancelByPerson, 'cancelling', {}, [{ type: 'abortApp' }]],
  [
    'running, RESTARTED: undoable',
    stored('running', { kind: 'undoable' }),
    restarted,
    'running',
    { kind: 'undoable' },
    [run(false, true)],
  ],
  [
    'running, RESTARTED: read',
    stored('running', { kind: 'read' }),
    restarted,
    'running',
    { kind: 'read' },
    [run(false, true)],
  ],
  [
    'running, RESTARTED: outside with a key, the edits of the person stay',
    stored('running', { replayKey: true, edited: true }),
    restarted,
    'running',
    { replayKey: true, edited: true },
    [run(true, true)],
  ],
  ['running, RESTARTED: outside without a key', running, restarted, 'failed', {}, [keepInterruption]],
  [
    'running, RESTARTED: outside with a key and a secret',
    stored('running', { replayKey: true, secret: true }),
    restarted,
    'failed',
    { replayKey: true, secret: true },
    [keepInterruption],
  ],
  ...(['read', 'undoable'] as const).map(
    (kind): Taken => [
      `running, RESTARTED: ${kind} with a secret`,
      stored('running', { kind, secret: true }),
      restarted,
      'failed',
      { kind, secret: true },
      [keepInterruption],
    ],
  ),
  ['cancelling, APP_ABORTED', cancelling, appAborted, 'cancelled', {}, [wake]],
  ['cancelling, APP_FAIL', cancelling, appFail, 'cancelled', {}, [wake]],
  ['cancelling, APP_OK: too late to stop', cancelling, appOk, 'succeeded', {}, [commit, wake]],
  ...(['read', 'undoable'] as const).map(
    (kind): Taken => [
      `cancelling, RESTARTED: ${kind}, with a secret as without`,
      stored('cancelling', { kind, secret: true }),
      restarted,
      'cancelled',
      { kind, secret: true },
      [],
    ],
  ),
  [
    'cancelling, RESTARTED: outside, with a key as without',
    stored('cancelling', { replayKey: true }),
    restarted,
    'failed',
    { replayKey: true },
    [keepInterruption],
  ],
  [
    'expired, CALL asks again, without the edits of before',
    stored('expired', { edited: true }),
    call,
    'asking',
    { deadlineMs: 4000, edited: false },
    [{ type: 'openAsk', params: { again: true } }, deadline(4000)],
  ],
];

const stayed: readonly (readonly [row: string, from: StoredInvocation, event: InvocationEvent, why: string])[] = [
  ['ALLOW by the caller', asking, { ...allow, by: 'caller' }, 'wrong_channel'],
  ['ALLOW on another version', asking, { ...allow, version: 6 }, 'stale'],
  ['ALLOW_EDITED by the caller', asking, { ...allowEdited, by: 'caller' }, 'wrong_channel'],
  ['ALLOW_EDITED on another version', asking, { ...allowEdited, version: 8 }, 'stale'],
  ['ALLOW_EDITED with edits that do not fit', asking, { ...allowEdited, valid: false }, 'invalid_edits'],
  ['REFUSE by the caller', asking, { ...refuse, by: 'caller' }, 'wrong_channel'],
  ['REFUSE on another version', asking, { ...refuse, version: 6 }, 'stale'],
  ['CANCEL by the app', asking, { type: 'CANCEL', by: 'app' }, 'wrong_channel'],
  ['CANCEL by the person on another version', asking, { ...cancelByPerson, version: 6 }, 'stale'],
  ['EXPIRE before the deadline', asking, { ...expire, nowMs: 1999 }, 'not_due'],
  ['EXPIRE by the caller', asking, { ...expire, by: 'caller' }, 'wrong_channel'],
  ['a call with other arguments while it asks', asking, { ...call, sameArgs: false }, 'mismatch'],
  ['an end of the app while it asks', asking, appOk, 'not_accepted'],
  ['RESTARTED while it asks', asking, restarted, 'not_accepted'],
  ['a call with other arguments once allowed', allowed, { ...call, sameArgs: false }, 'mismatch'],
  ['a call that is not granted, once allowed', allowed, { ...call, granted: false }, 'not_granted'],
  ['a call by the host, once allowed', allowed, { ...call, by: 'host' }, 'wrong_channel'],
  ['ALLOW a second time', allowed, allow, 'not_accepted'],
  ['REFUSE of a permission on another version', allowed, { ...refuse, version: 6 }, 'stale'],
  ['CANCEL of a permission by the app', allowed, { type: 'CANCEL', by: 'app' }, 'wrong_channel'],
  ['EXPIRE of a permission before its deadline', allowed, { ...expire, nowMs: 1999 }, 'not_due'],
  ['RESTARTED while a permission waits', allowed, restarted, 'not_accepted'],
  ['APP_OK by the caller', running, { ...appOk, by: 'caller' }, 'wrong_channel'],
  ['APP_FAIL by the caller', running, { ...appFail, by: 'caller' }, 'wrong_channel'],
  ['APP_ABORTED by an app that was not told to stop', running, appAborted, 'not_accepted'],
  ['CANCEL of what cannot stop', stored('running', { abortable: false }), cancel, 'not_abortable'],
  ['RESTARTED by the caller', running, { ...restarted, by: 'caller' }, 'wrong_channel'],
  ['REFUSE of what runs already', running, refuse, 'not_accepted'],
  ['a second call while it runs', running, call, 'not_accepted'],
  ['EXPIRE while it runs', running, expire, 'not_accepted'],
  ['APP_ABORTED by the caller', cancelling, { ...appAborted, by: 'caller' }, 'wrong_channel'],
  ['APP_FAIL by the caller while it stops', cancelling, { ...appFail, by: 'caller' }, 'wrong_channel'],
  ['APP_OK by the caller while it stops', cancelling, { ...appOk, by: 'caller' }, 'wrong_channel'],
  ['a second CANCEL while it stops', cancelling, cancel, 'not_accepted'],
  ['RESTARTED by the app while it stops', cancelling, { ...restarted, by: 'app' }, 'wrong_channel'],
  ['a call with other arguments after it expired', expired, { ...call, sameArgs: false }, 'mismatch'],
  ['a call that is not granted after it expired', expired, { ...call, granted: false }, 'not_granted'],
  ['a call after two refusals of the same', expired, { ...call, refusals: 2 }, 'worn_down'],
  ['ALLOW after it expired', expired, allow, 'not_accepted'],
  ['CANCEL after it expired', expired, cancel, 'not_accepted'],
];

describe('a row of the table', () => {
  it.each(taken)('is taken: %s', (_, from, event, state, changed, effects) => {
    expect(stepInvocation(from, event)).toEqual({
      outcome: 'moved',
      state,
      context: { ...from.context, version: 8, deadlineMs: null, ...changed },
      effects,
    });
  });

  it.each(stayed)('is not taken: %s', (_, from, event, why) => {
    expect(stepInvocation(from, event)).toEqual({ outcome: 'stayed', why });
  });

  it('is not needed for a repeated call while it asks: the ask is announced anew and nothing is stored', () => {
    expect(stepInvocation(asking, call)).toEqual({ outcome: 'noted', effects: [{ type: 'announceAsk' }] });
  });

  it.each(['succeeded', 'failed', 'refused', 'cancelled'] as const)('is not there once it %s', (state) => {
    const end = stored(state);
    for (const event of [allow, refuse, cancelByPerson, cancel, expire, call, appOk, appFail, appAborted, restarted])
      expect(stepInvocation(end, event)).toEqual({ outcome: 'stayed', why: 'final' });
    expect(stepInvocation(end, { ...call, sameArgs: false })).toEqual({ outcome: 'stayed', why: 'mismatch' });
  });
});
