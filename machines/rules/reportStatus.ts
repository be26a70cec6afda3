import type { RunContext } from '../context.ts';
import type { Facts } from '../events.ts';
import { type BookEntry, type ControlPart, rule } from './book.ts';

/** Which terminal status a UserReport may claim in a state of the run: admission sections 12 and 17. */

const about = ['UserReport'] as const;

const statuses = ['completed', 'partial', 'failed_verification', 'blocked'] as const;
type Status = (typeof statuses)[number];

/** Which of the three sets of rules judges the report; after a block before the audit always that one (D2). */
export const kindOf = (run: RunContext): 'blocked' | 'micro' | 'audited' =>
  run.blockedBy !== null ? 'blocked' : run.topology === 'micro' ? 'micro' : 'audited';

/** What each audit lets the report say; a remediation that could not be granted ends blocked (A5). */
const afterAudit: Readonly<Record<NonNullable<RunContext['audit']>, readonly Status[]>> = {
  release: ['completed'],
  partial: ['partial', 'failed_verification'],
  block: ['blocked'],
  remediate: ['blocked'],
};

const canFailVerification = (run: RunContext): boolean => run.quality !== 'pass' && run.mode !== 'report_only';

export type StatusRule =
  | 'ADM-REPORT-08'
  | 'ADM-REPORT-14'
  | 'ADM-REPORT-15'
  | 'ADM-MCH-09'
  | 'ADM-MCH-10'
  | 'ADM-MCH-11';

const isStatus = (text: string): text is Status => statuses.some((status) => status === text);

/** The rule that closes a status in this state, or null: each closed status is reported by exactly one rule. */
export const closedBy = (run: RunContext, status: string | undefined): StatusRule | null => {
  if (status === undefined) return null;
  if (!isStatus(status)) return 'ADM-MCH-11';
  const kind = kindOf(run);
  if (kind === 'blocked') return status === 'blocked' ? null : 'ADM-REPORT-08';
  if (kind === 'audited' && run.audit !== null) {
    if (!afterAudit[run.audit].includes(status)) return 'ADM-REPORT-15';
    if (status === 'failed_verification' && !canFailVerification(run)) return 'ADM-REPORT-14';
  }
  if (status !== 'completed') return null;
  if (run.hint === 'blocked') return 'ADM-MCH-09';
  return run.hint === 'partial' ? 'ADM-MCH-10' : null;
};

/** The statuses that control data leave open. */
export const statusesNow = (run: RunContext): readonly Status[] =>
  statuses.filter((status) => closedBy(run, status) === null);

/** The control part of a rule that closes some statuses. */
export const unless = (code: StatusRule, message: (run: RunContext, facts: Facts) => string): ControlPart => ({
  holds: (run, facts) => closedBy(run, facts.decision) !== code,
  says: (run, facts) => ({
    path: 'terminalStatus',
    message: message(run, facts),
    expected: statusesNow(run),
    fix: `Set terminalStatus to ${statusesNow(run).join(' or ')}.`,
  }),
});

/** The guards of section 17. */
export const statusRules: readonly BookEntry[] = [
  rule({
    code: 'ADM-MCH-09',
    types: about,
    part: 'own',
    text: 'A run that is blocked is not reported as completed.',
    reads: ['hint'],
    refusal: 'rule_broken',
    control: unless('ADM-MCH-09', () => 'terminalStatus is completed, but this run is blocked.'),
  }),
  rule({
    code: 'ADM-MCH-10',
    types: about,
    part: 'own',
    text: 'A run that is partial at best is not reported as completed.',
    reads: ['hint'],
    refusal: 'rule_broken',
    control: unless('ADM-MCH-10', () => 'terminalStatus is completed, but this run is partial at best.'),
  }),
  rule({
    code: 'ADM-MCH-11',
    types: about,
    part: 'own',
    text: 'A report ends a run as completed, partial, failed_verification or blocked.',
    reads: [],
    refusal: 'rule_broken',
    control: unless('ADM-MCH-11', (_run, facts) => `A report cannot end a run as ${facts.decision}.`),
  }),
];
