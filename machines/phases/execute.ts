import { admit, ends, enter, keep, kit, standalone, support, when } from '../kit.ts';

/** The executor works through the nodes of the plan in order and captures evidence on the way. */
export const execute = kit.createStateConfig({
  initial: 'open',
  states: {
    open: {
      entry: enter('agent_4_execute'),
      on: {
        'submit.WorkResult': [
          ...admit,
          { guard: when({ exit: 'completed', nodesRemain: true }), actions: keep }, // X1
          { guard: when({ exit: 'completed' }), target: 'done', actions: keep }, // X2
          { target: 'unsuccessful', actions: keep }, // X3
        ],
        'submit.Evidence': [...admit, support], // X4
      },
    },
    ...ends('done', 'unsuccessful'),
  },
});

export const executeMachine = standalone('execute', execute);
