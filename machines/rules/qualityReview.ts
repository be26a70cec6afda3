import type { RunContext } from '../context.ts';
import type { Facts } from '../events.ts';
import { type BookEntry, type ControlPart, rule } from './book.ts';

/** Rules of the QualityReview: admission section 10 and the guards MCH-03 to MCH-07 of section 17. */

const about = ['QualityReview'] as const;

const reverifies = (run: RunContext): boolean => run.phase === 'agent_3_evidence_reverify';

/** `analyze_and_fix` before the plan that follows the diagnosis: only the diagnosis is judged. */
const beforeUnlock = (run: RunContext): boolean => run.mode === 'analyze_and_fix' && run.gate !== 'unlocked';

type DecisionRule = 'ADM-MCH-03' | 'ADM-MCH-05' | 'ADM-MCH-07' | 'ADM-QUALITY-16' | 'ADM-QUALITY-17';

/**
 * The rule that closes a decision in this state, or null: so each closed decision is reported by exactly one rule,
 * the narrowest that applies.
 */
const closedBy = (run: RunContext, decision: string | undefined): DecisionRule | null => {
  if (decision === undefined) return null;
  if (reverifies(run) && decision !== 'pass' && decision !== 'partial' && decision !== 'block') return 'ADM-MCH-07';
  if (decision === 'proceed_to_fix') {
    if (run.topology === 'micro') return 'ADM-MCH-03';
    if (run.mode !== 'analyze_and_fix') return 'ADM-MCH-05';
    return run.gate === 'unlocked' ? 'ADM-QUALITY-16' : null;
  }
  return decision === 'pass' && beforeUnlock(run) ? 'ADM-QUALITY-17' : null;
};

const unless = (code: DecisionRule, says: ControlPart['says']): ControlPart => ({
  holds: (run, facts) => closedBy(run, facts.decision) !== code,
  says,
});

const decisions = ['pass', 'proceed_to_fix', 'remediate', 'partial', 'block'] as const;

const decisionsNow = (run: RunContext): readonly string[] =>
  decisions.filter(
    (decision) => closedBy(run, decision) === null && (decision !== 'remediate' || run.budgets.remediations > 0),
  );

const claimsSuccess = (facts: Facts): boolean => facts.decision === 'pass' || facts.decision === 'proceed_to_fix';

export const qualityReviewRules: readonly BookEntry[] = [
  rule({
    code: 'ADM-QUALITY-01',
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
    code: 'ADM-QUALITY-05',
    types: about,
    part: 'own',
    text: 'Where work is executed, pass and proceed_to_fix need a completed result for every node of the current plan.',
    reads: ['mode', 'nodesCompleted', 'WorkPlan', 'WorkResult'],
    refusal: 'rule_broken',
    control: {
      holds: (run, facts) =>
        !claimsSuccess(facts) || run.mode === 'report_only' || run.mode === 'plan_only' || run.nodesCompleted === true,
      says: (run, facts) => ({
        path: 'decision',
        message: `The review decides ${facts.decision}, but not every node of the plan has completed.`,
        expected: decisionsNow(run).filter((decision) => decision !== 'pass' && decision !== 'proceed_to_fix'),
        fix: 'Decide remediate (if one is left), partial or block.',
      }),
    },
  }),
  rule({
    code: 'ADM-QUALITY-16',
    types: about,
    part: 'own',
    text: 'proceed_to_fix belongs to the diagnosis of analyze_and_fix: once the fix is unlocked it is over.',
    reads: ['mode', 'gate'],
    refusal: 'rule_broken',
    control: unless('ADM-QUALITY-16', (run) => ({
      path: 'decision',
      message: 'The review decides proceed_to_fix, but the fix of this run is already unlocked.',
      expected: decisionsNow(run),
      fix: 'Judge the fix itself: decide pass, remediate (if one is left), partial or block, with diagnosisGate null.',
    })),
  }),
  rule({
    code: 'ADM-QUALITY-17',
    types: about,
    part: 'own',
    text: 'Before the fix is unlocked a review of analyze_and_fix does not decide pass.',
    reads: ['mode', 'gate'],
    refusal: 'rule_broken',
    control: unless('ADM-QUALITY-17', (run) => ({
      path: 'decision',
      message: 'The review decides pass, but the fix of this analyze_and_fix run is not unlocked yet.',
      expected: decisionsNow(run),
      fix: reverifies(run)
        ? 'Decide partial or block: no fix was made.'
        : 'Decide proceed_to_fix with a supported diagnosisGate and its correction order, or remediate, partial or block.',
    })),
  }),
  rule({
    code: 'ADM-MCH-03',
    types: about,
    part: 'own',
    text: 'A micro run has no fix stage: its review does not decide proceed_to_fix.',
    reads: ['topology'],
    refusal: 'rule_broken',
    control: unless('ADM-MCH-03', (run) => ({
      path: 'decision',
      message: 'The review decides proceed_to_fix, but a micro run has no fix stage.',
      expected: decisionsNow(run),
      fix: 'Decide pass, remediate or partial, or block, with diagnosisGate null.',
    })),
  }),
  rule({
    code: 'ADM-MCH-04',
    types: about,
    part: 'own',
    text: 'The decision is one that a quality review can take.',
    reads: [],
    refusal: 'integrity_failed',
    ends: true,
    control: {
      holds: (_run, facts) => facts.decision === undefined || decisions.some((decision) => decision === facts.decision),
      says: (run, facts) => ({
        path: 'decision',
        message: `A quality review cannot decide ${facts.decision}.`,
        expected: decisionsNow(run),
        fix: 'Take one of the expected decisions.',
      }),
    },
  }),
  rule({
    code: 'ADM-MCH-05',
    types: about,
    part: 'own',
    text: 'Only analyze_and_fix goes from a diagnosis to a fix: no other mode decides proceed_to_fix.',
    reads: ['mode'],
    refusal: 'rule_broken',
    control: unless('ADM-MCH-05', (run) => ({
      path: 'decision',
      message: `The review decides proceed_to_fix, but the mode of this run is ${run.mode}.`,
      expected: decisionsNow(run),
      fix: 'Decide pass, remediate, partial or block, with diagnosisGate null.',
    })),
  }),
  rule({
    code: 'ADM-MCH-06',
    types: about,
    part: 'own',
    text: 'A review in the reverification has the kind evidence_reverify.',
    reads: ['phase'],
    refusal: 'rule_broken',
    control: {
      holds: (run, facts) => !reverifies(run) || facts.reverify === undefined || facts.reverify,
      says: () => ({
        path: 'reviewKind',
        message: 'reviewKind is spot, but this phase checks the evidence a second time.',
        expected: 'evidence_reverify',
        fix: 'Set reviewKind to evidence_reverify.',
      }),
    },
  }),
  rule({
    code: 'ADM-MCH-07',
    types: about,
    part: 'own',
    text: 'A reverification decides pass, partial or block.',
    reads: ['phase'],
    refusal: 'rule_broken',
    control: unless('ADM-MCH-07', (run, facts) => ({
      path: 'decision',
      message: `The reverification decides ${facts.decision}; it can only confirm the evidence or not.`,
      expected: decisionsNow(run),
      fix: 'Decide pass, partial or block, with diagnosisGate and remediationWorkOrder null.',
    })),
  }),
];
