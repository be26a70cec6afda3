import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type InvocationEvent, type StoredInvocation, stepInvocation } from '../../machines/invocation/index.ts';
import { eventOf, inputs, offered } from './events.ts';
import { explore, storedIn } from './graph.ts';

/** Each state that an invocation can be stored in, over all inputs. */
const everywhere: readonly StoredInvocation[] = inputs.flatMap((input) => storedIn(explore(input)));

const decided = (version: number): readonly InvocationEvent[] => [
  { type: 'ALLOW', by: 'person', version, deadlineMs: 9000 },
  { type: 'ALLOW_EDITED', by: 'person', version, deadlineMs: 9000, valid: true, edits: {} },
  { type: 'REFUSE', by: 'person', version, reason: null },
  { type: 'CANCEL', by: 'person', version },
];

const frozen = ({ state, context }: StoredInvocation): StoredInvocation =>
  Object.freeze({ state, context: Object.freeze({ ...context }) });

it('W-31 a stale version changes nothing in any state', () => {
  const states = new Set(everywhere.map(({ state }) => state));
  expect(states.size).toBe(9);
  for (const invocation of everywhere.map(frozen)) {
    const before = JSON.stringify(invocation);
    const { version } = invocation.context;
    for (const saw of [-1, 0, version - 1, version + 1, version + 100, Number.NaN])
      for (const event of decided(saw))
        expect(stepInvocation(invocation, event), `${event.type} in ${invocation.state}`).toEqual({
          outcome: 'stayed',
          why: 'stale',
        });
    expect(JSON.stringify(invocation)).toBe(before);
  }
});

it('W-31 a stale version changes nothing, however far it is from the stored one', () => {
  fc.assert(
    fc.property(fc.constantFrom(...everywhere), fc.integer(), fc.integer({ min: 0, max: 3 }), (one, saw, which) => {
      fc.pre(saw !== one.context.version);
      const event = decided(saw)[which];
      if (!event) throw new Error('There are four events of a person.');
      expect(stepInvocation(frozen(one), event)).toEqual({ outcome: 'stayed', why: 'stale' });
    }),
  );
});

it('W-31 of two tabs that show the same version only the first decides', () => {
  const asking = everywhere.find(({ state }) => state === 'asking');
  const allowed = everywhere.find(({ state }) => state === 'allowed');
  if (!asking || !allowed) throw new Error('Both states can be stored.');
  const labels = [
    'ALLOW person fresh',
    'ALLOW_EDITED person fresh valid',
    'REFUSE person fresh',
    'CANCEL person fresh',
  ];
  let decisions = 0;
  for (const shown of [asking, allowed])
    for (const first of labels) {
      const step = stepInvocation(shown, eventOf(shown.context, first));
      if (step.outcome !== 'moved') continue;
      decisions += 1;
      // The second tab sends what it displayed: the version before the first decision.
      for (const second of labels)
        expect(stepInvocation(step, eventOf(shown.context, second))).toEqual({ outcome: 'stayed', why: 'stale' });
    }
  expect(decisions).toBe(6);
});

it('W-31 nothing that is refused touches the stored invocation, and the same event gives the same step', () => {
  for (const invocation of everywhere.map(frozen)) {
    const before = JSON.stringify(invocation);
    for (const { event } of offered(invocation.context)) {
      const once = stepInvocation(invocation, event);
      expect(stepInvocation(invocation, event)).toEqual(once);
      if (once.outcome === 'moved') expect(once.context.version).toBe(invocation.context.version + 1);
      if (once.outcome === 'noted') expect(once.effects).toEqual([{ type: 'announceAsk' }]);
    }
    expect(JSON.stringify(invocation)).toBe(before);
  }
});
