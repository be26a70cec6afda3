import { admitCommon, admitOwn, ends, enter, exits, kit, standalone, when } from '../kit.ts';

/** The release auditor checks every claim against its evidence; a claim on the user's word alone moves the run up. */
export const audit = kit.createStateConfig({
  initial: 'open',
  states: {
    open: {
      entry: enter('agent_5_audit'),
      on: {
        'submit.ReleaseAudit': [
          ...admitCommon,
          { guard: when({ standard: true, userReported: true }), target: 'user_reported', actions: 'step' }, // A6
          ...admitOwn,
          ...exits('release', 'partial', 'block', 'remediate'),
        ],
      },
    },
    ...ends('release', 'partial', 'block', 'remediate', 'user_reported'),
  },
});

export const auditMachine = standalone('audit', audit);
