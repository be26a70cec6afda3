import { actionIdOf } from '../context.ts';
import type { Facts, NamedType, RunEvent } from '../events.ts';
import type { RunSnapshot } from '../step.ts';

/**
 * The edge labels of the abstract machine (run-machine section 17): each is an event made for one snapshot, with the facts
 * that the guards read and without a dossier, so that every rule that reads more than control data holds.
 */

type Labelled = Readonly<{ label: string; event: RunEvent }>;

const at = '2026-01-01T00:00:00.000Z';

const choices = [
  { id: 'resume', effect: 'resume' },
  { id: 'cancel', effect: 'cancel' },
  { id: 'new_run', effect: 'new_run' },
] as const;

/** The current token of a snapshot. */
export const tokenOf = ({ context }: RunSnapshot): RunEvent['token'] => ({
  actionId: actionIdOf(context),
  expectedVersion: context.version,
});

const submit = (snapshot: RunSnapshot, type: NamedType, facts: Facts): RunEvent => ({
  type: `submit.${type}`,
  token: tokenOf(snapshot),
  at,
  case: { facts, shape: [], dossier: null },
});

const answer = (snapshot: RunSnapshot, choice: string): RunEvent => ({
  type: 'user.answer',
  token: tokenOf(snapshot),
  at,
  answer: choice,
  messageId: 'message-02',
  via: 'host',
  record: null,
});

/** Every label that is offered in a snapshot, with its event; the machine says which of them it takes. */
export const offered = (snapshot: RunSnapshot): readonly Labelled[] => {
  const { context } = snapshot;
  const { remediations } = context.budgets;
  const reverifying = snapshot.matches({ working: { quality: 'reverify' } });
  const of = (label: string, type: NamedType, facts: Facts = {}): Labelled => ({
    label,
    event: submit(snapshot, type, facts),
  });
  const review = (decision: string, reverify: boolean): Labelled =>
    of(`QualityReview ${reverify ? 'reverify ' : ''}${decision}`, 'QualityReview', {
      decision,
      reverify,
      // The schema of `remediate` wants one remediation left; elsewhere a host tells the true number.
      remainingRemediations: decision === 'remediate' ? 1 : remediations,
    });
  const audit = (decision: string, userReported = false): Labelled =>
    of(`ReleaseAudit ${userReported ? 'user-reported' : decision}`, 'ReleaseAudit', {
      decision,
      userReported,
      remainingRemediations: decision === 'remediate' ? 1 : remediations,
    });
  const report = (decision: string, userReported = false): Labelled =>
    of(`UserReport ${userReported ? 'user-reported' : decision}`, 'UserReport', { decision, userReported });
  const prompt = (decision: string): Labelled =>
    of(`PromptReview ${decision}`, 'PromptReview', {
      decision,
      revisionNumber: decision === 'revise' ? 0 : context.contractVersion - 1,
    });
  const result = (label: string, decision: string, nodesRemain: boolean): Labelled =>
    of(`WorkResult ${label}`, 'WorkResult', { decision, nodesRemain });

  return [
    { label: 'CANCEL', event: { type: 'user.cancel', token: tokenOf(snapshot), at } },
    of('GROUND', 'ContextManifest'),
    of(`ClarificationRequest ${context.questions === 0 ? 'first' : 'further'}`, 'ClarificationRequest', { choices }),
    ...['resume', 'cancel', 'new_run'].map((choice) => ({
      label: `ANSWER ${choice}`,
      event: answer(snapshot, choice),
    })),
    of('ProblemFrame', 'ProblemFrame'),
    of('TaskContract v1', 'TaskContract', { contractVersion: 1 }),
    of('TaskContract v2', 'TaskContract', { contractVersion: 2 }),
    ...['pass', 'revise', 'block'].map(prompt),
    of('WorkPlan', 'WorkPlan'),
    ...(context.topology === 'micro' ? [] : [result('completed-more', 'completed', true)]),
    result('completed-last', 'completed', false),
    result('unsuccessful', 'failed', false),
    ...(reverifying
      ? ['pass', 'partial', 'block'].map((decision) => review(decision, true))
      : ['pass', 'partial', 'block', 'remediate', 'proceed_to_fix'].map((decision) => review(decision, false))),
    ...['release', 'partial', 'block', 'remediate'].map((decision) => audit(decision)),
    ...(context.topology === 'standard' ? [audit('release', true)] : []),
    ...['completed', 'partial', 'failed_verification', 'blocked'].map((status) => report(status)),
    ...(context.topology === 'micro' ? [report('completed', true)] : []),
  ];
};

/** The abstract state of run-machine section 17; a terminal state is one state, whatever led there. */
export const keyOf = (snapshot: RunSnapshot): string => {
  const { context, value } = snapshot;
  if (snapshot.matches('terminal')) return JSON.stringify(value);
  return JSON.stringify([
    snapshot.matches('clarification') ? context.phase : value,
    snapshot.matches('clarification'),
    context.topology,
    context.budgets.revisions,
    context.budgets.remediations,
    // The hint `completed` of A1 changes no later row.
    context.hint === 'completed' ? null : context.hint,
    context.questions,
    context.escalations,
    context.contractVersion,
    context.gate,
    context.nodesCompleted,
    context.quality,
    context.audit,
    context.blockedBy,
  ]);
};
