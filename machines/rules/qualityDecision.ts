import type { RunContext } from '../context.ts';
import { type BookEntry, type ControlPart, rule } from './book.ts';

/** Which decision a QualityReview may take in a state of the run: admission section 10, rows 16 and 17, and section 17. */

const about = ['QualityReview'] as const;

const reverifies = (run: RunContext): boolean => run.phase === 'agent_3_evidence_reverify';

/** `analyze_and_fix` before the plan that follows the diagnosis: only the diagnosis is judged. */
const beforeUnlock = (run: RunContext): boolean => run.mode === 'analyze_and_fix' && run.gate !== 'unlocked';

type DecisionRule = 'ADM-MCH-03' | 'ADM-MCH-05' | 'ADM-MCH-07' | 'ADM-QUALITY-16' | 'ADM-QUALITY-17';

/**
 * The rule that closes a decision in this state, or null: so each closed decision is reported by exactly one rule,
 * the narrowest that applies.
 */
export const closedBy = (run: RunContext, decision: string | undefined): DecisionRule | null => {
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

const decisions = ['partial', 'block', 'pass', 'remediate', 'proceed_to_fix'] as const;

/** The decisions that control data leave open, the one that asks least of the rest of the review first. */
export const decisionsNow = (run: RunContext): readonly string[] =>
  decisions.filter(
    (decision) => closedBy(run, decision) === null && (decision !== 'remediate' || run.budgets.remediations > 0),
  );

/** Row 16 is checked before the correction order: an order for a fix that cannot follow is not judged. */
export const fixIsOpenRule: BookEntry = rule({
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
});

export const decisionRules: readonly BookEntry[] = [
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
