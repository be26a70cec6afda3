import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  beginInvocation,
  type InvocationEffect,
  isFinal,
  type StoredInvocation,
  stepInvocation,
} from '../../machines/invocation/index.ts';
import { inputs, offered } from './events.ts';
import { admitted } from './graph.ts';

/** Which of the offered events comes next; labels are the same in each state. */
const labels = offered({
  ...admitted,
  kind: 'read',
  preAllowed: false,
  abortable: false,
  replayKey: false,
  secret: false,
  version: 1,
  edited: false,
}).map(({ label }) => label);

/** Half of the events are of the kind that an honest sender makes, so that sequences get somewhere. */
const honest = [
  'ALLOW person fresh',
  'ALLOW_EDITED person fresh valid',
  'REFUSE person fresh',
  'CANCEL caller',
  'CALL caller same',
  'EXPIRE host due',
  'APP_OK app',
  'APP_FAIL app',
  'APP_ABORTED app',
  'RESTARTED host',
];

const sequences = fc.array(fc.oneof(fc.constantFrom(...honest), fc.constantFrom(...labels)), { maxLength: 60 });

it('keeps its promises under any sequence of events from anyone', () => {
  const reached = new Set<string>();
  fc.assert(
    fc.property(fc.constantFrom(...inputs), sequences, (input, sequence) => {
      const begun = beginInvocation(input, admitted);
      if (begun.outcome !== 'opened') throw new Error('A granted call was denied.');
      let invocation: StoredInvocation = { state: begun.state, context: begun.context };
      let moves = 1;
      let restarts = 0;
      let permitted = begun.state === 'running';
      const did: InvocationEffect[] = [...begun.effects];
      const count = (type: InvocationEffect['type']): number => did.filter((effect) => effect.type === type).length;

      for (const label of sequence) {
        const event = offered(invocation.context).find((one) => one.label === label)?.event;
        if (!event) throw new Error(`No event is called ${label}.`);
        const before = invocation;
        const step = stepInvocation(before, event);
        if (step.outcome !== 'moved') continue;
        invocation = { state: step.state, context: step.context };
        moves += 1;
        expect(isFinal(before.state)).toBe(false);
        if (before.state === 'asking' && step.state === 'allowed') {
          expect(event.by).toBe('person');
          permitted = true;
        }
        if (step.state === 'asking') permitted = false;
        if (event.type === 'RESTARTED' && step.state === 'running') restarts += 1;
        if (step.effects.some(({ type }) => type === 'runApp')) expect(permitted).toBe(true);
        did.push(...step.effects);
      }

      reached.add(invocation.state);
      expect(invocation.context).toEqual({ ...invocation.context, ...input, version: moves });
      expect(count('commit')).toBe(invocation.state === 'succeeded' ? 1 : 0);
      expect(count('runApp')).toBeLessThanOrEqual(1 + restarts);
      if (input.secret || (input.kind === 'outside' && !input.replayKey))
        expect(count('runApp')).toBeLessThanOrEqual(1);
      expect(count('openAsk') - count('closeAsk')).toBe(invocation.state === 'asking' ? 1 : 0);
      expect(invocation.context.deadlineMs !== null).toBe(['asking', 'allowed'].includes(invocation.state));
    }),
    { numRuns: 2000 },
  );
  // Random sequences that end in one corner would prove little.
  expect(reached.size).toBeGreaterThanOrEqual(6);
});
