import { admitCommon, admitOwn, ends, enter, exits, kit, standalone, when } from '../kit.ts';

/** The release auditor tells the user what was done, no more than the audit carries. */
export const report = kit.createStateConfig({
  initial: 'open',
  states: {
    open: {
      entry: enter('agent_5_report'),
      on: {
        'submit.UserReport': [
          ...admitCommon,
          {
            guard: when({ micro: true, userReported: true, stopped: false }),
            target: 'user_reported',
            actions: 'step',
          }, // U5
          ...admitOwn,
          ...exits('completed', 'partial', 'failed_verification', 'blocked'),
        ],
      },
    },
    ...ends('completed', 'partial', 'failed_verification', 'blocked', 'user_reported'),
  },
});

export const reportMachine = standalone('report', report);
