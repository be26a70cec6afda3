import { type BookEntry, rule } from './book.ts';

/** Rules of the ReleaseAudit: admission section 11 and the guard MCH-08 of section 17. */

const about = ['ReleaseAudit'] as const;

const decisions = ['release', 'remediate', 'partial', 'block'] as const;

export const releaseAuditRules: readonly BookEntry[] = [
  rule({
    code: 'ADM-AUDIT-01',
    types: about,
    part: 'own',
    text: 'remainingRemediations is the number of remediations that the run still has.',
    reads: ['budgets'],
    refusal: 'rule_broken',
    control: {
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
    },
  }),
  rule({
    code: 'ADM-AUDIT-05',
    types: about,
    part: 'own',
    text: 'After a quality review that blocked, the audit blocks too.',
    reads: ['quality'],
    refusal: 'rule_broken',
    control: {
      holds: (run, facts) => facts.decision === undefined || run.quality !== 'block' || facts.decision === 'block',
      says: (_run, facts) => ({
        path: 'decision',
        message: `The audit decides ${facts.decision}, but the latest quality review blocked.`,
        expected: 'block',
        fix: 'Decide block, name what is unresolved, and reserve the id of the report in userReportRef.',
      }),
    },
  }),
  rule({
    code: 'ADM-AUDIT-06',
    types: about,
    part: 'own',
    text: 'A release needs a passing latest quality review and no partial or blocked verdict before it.',
    reads: ['quality', 'hint'],
    refusal: 'rule_broken',
    control: {
      // After a block AUDIT-05 already says that only block is left.
      holds: (run, facts) =>
        facts.decision !== 'release' || run.quality === 'block' || (run.quality === 'pass' && run.hint === null),
      says: (run) => ({
        path: 'decision',
        message:
          run.quality === 'pass'
            ? `The audit decides release, but an earlier verdict left this run ${run.hint} at best.`
            : `The audit decides release, but the latest quality review decided ${run.quality ?? 'nothing'}.`,
        expected: run.budgets.remediations > 0 ? ['remediate', 'partial', 'block'] : ['partial', 'block'],
        fix: 'Decide partial or block, or remediate if one is left.',
      }),
    },
  }),
  rule({
    code: 'ADM-MCH-08',
    types: about,
    part: 'own',
    text: 'The decision is one that a release audit can take.',
    reads: [],
    refusal: 'integrity_failed',
    ends: true,
    control: {
      holds: (_run, facts) => facts.decision === undefined || decisions.some((decision) => decision === facts.decision),
      says: (_run, facts) => ({
        path: 'decision',
        message: `A release audit cannot decide ${facts.decision}.`,
        expected: decisions,
        fix: 'Take one of the expected decisions.',
      }),
    },
  }),
];
