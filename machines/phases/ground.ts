import { admit, ends, enter, keep, kit, standalone } from '../kit.ts';

/** The controller selects the context; nothing else is done with the repository before. */
export const ground = kit.createStateConfig({
  initial: 'open',
  states: {
    open: {
      entry: enter('context_grounding'),
      on: { 'submit.ContextManifest': [...admit, { target: 'grounded', actions: keep }] },
    },
    ...ends('grounded'),
  },
});

export const groundMachine = standalone('ground', ground);
