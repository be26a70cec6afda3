import type { ControlPart } from './book.ts';

/** QUALITY-01 and AUDIT-01: reviews and audits tell the number of remediations that the run still has. */
export const remainingRemediations: ControlPart = {
  holds: (run, facts) =>
    facts.remainingRemediations === undefined || facts.remainingRemediations === run.budgets.remediations,
  says: (run, facts) => {
    const left = run.budgets.remediations;
    const message = `remainingRemediations is ${facts.remainingRemediations}, but this run has ${left} left.`;
    return left === 0 && facts.decision === 'remediate'
      ? {
          path: 'decision',
          message,
          expected: ['partial', 'block'],
          fix: 'Decide partial or block, with remainingRemediations 0: the one remediation is spent.',
        }
      : { path: 'remainingRemediations', message, expected: left, fix: `Set remainingRemediations to ${left}.` };
  },
};
