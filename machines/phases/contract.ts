import { admit, ends, enter, keep, kit, standalone, support } from '../kit.ts';

/** The task compiler turns the frame into a contract, once, and revises it at most once. */
export const contract = kit.createStateConfig({
  initial: 'compile',
  states: {
    compile: {
      entry: enter('agent_2_compile'),
      on: {
        'submit.TaskContract': [...admit, { target: 'contracted', actions: keep }],
        'submit.ScenarioSpec': [...admit, support], // C2
      },
    },
    revise: {
      entry: enter('agent_2_revise'),
      on: { 'submit.TaskContract': [...admit, { target: 'contracted', actions: keep }] },
    },
    ...ends('contracted'),
  },
});

export const contractMachine = standalone('contract', contract);
