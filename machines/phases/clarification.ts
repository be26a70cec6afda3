import { current, ends, kit, recorded, refuse, standalone, when } from '../kit.ts';

/** The run waits for its one answer; nothing else but cancelling is accepted. */
export const clarification = kit.createStateConfig({
  initial: 'open',
  states: {
    open: {
      on: {
        'user.answer': [
          current,
          refuse('unknownChoice'),
          { guard: when({ exit: 'resume' }), target: 'resume', actions: ['step', recorded('answer'), 'answered'] },
          { guard: when({ exit: 'cancel' }), target: 'cancel', actions: ['step', recorded('answer'), 'answered'] },
          { guard: when({ exit: 'new_run' }), target: 'new_run', actions: ['step', recorded('answer'), 'answered'] },
        ],
      },
    },
    ...ends('resume', 'cancel', 'new_run'),
  },
});

export const clarificationMachine = standalone('clarification', clarification);
