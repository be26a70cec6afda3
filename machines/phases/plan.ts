import { admit, ends, enter, keep, kit, standalone } from '../kit.ts';

/** The quality controller schedules the work as a serial graph of nodes. */
export const plan = kit.createStateConfig({
  initial: 'open',
  states: {
    open: {
      entry: enter('agent_3_plan'),
      on: { 'submit.WorkPlan': [...admit, { target: 'planned', actions: keep }] },
    },
    ...ends('planned'),
  },
});

export const planMachine = standalone('plan', plan);
