import type { ControlPart } from './book.ts';

/** QUALITY-01 and AUDIT-01: reviews and audits tell the number of remediations that the run still has. */
export const remainingRemediations: ControlPart = {
  holds: (run, facts) =>
    facts.remainingRemediations === undefined || facts.remainingRemediations === run.budgets.remediations,
  says: (run, facts) => ({
    path: 'remainingRemediations',
    message: `remainingRemediations is ${facts.remainingRemediations}, but this run has ${run.budgets.remediations} left.`,
    expected: run.budgets.remediations,
    fix:
      run.budgets.remediations === 0 && facts.decision === 'remediate'
        ? 'Set it to 0 and decide partial or block: the one remediation is spent.'
        : `Set remainingRemediations to ${run.budgets.remediations}.`,
  }),
};
