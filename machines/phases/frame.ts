import { admit, ends, enter, keep, kit, standalone } from '../kit.ts';

/** The scenario author states the problem: facts with their sources, unknowns, criteria. */
export const frame = kit.createStateConfig({
  initial: 'open',
  states: {
    open: {
      entry: enter('agent_1_frame'),
      on: { 'submit.ProblemFrame': [...admit, { target: 'framed', actions: keep }] },
    },
    ...ends('framed'),
  },
});

export const frameMachine = standalone('frame', frame);
