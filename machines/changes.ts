import type { AuditDecision, Choice, QualityDecision, RunContext } from './context.ts';
import type { RunEvent } from './events.ts';
import { artifactUri, uriOf } from './record.ts';

/** Changes of the context that read the event; the routing table names them. Each gives the changed fields alone. */

type Change = Partial<RunContext>;

const qualityDecisions: readonly string[] = ['pass', 'partial', 'block', 'remediate', 'proceed_to_fix'];
const isQuality = (word: string | undefined): word is QualityDecision =>
  word !== undefined && qualityDecisions.includes(word);
const auditDecisions: readonly string[] = ['release', 'partial', 'block', 'remediate'];
const isAudit = (word: string | undefined): word is AuditDecision =>
  word !== undefined && auditDecisions.includes(word);

/** An accepted versioned event: the token moves on by one. */
export const step = (run: RunContext, event: RunEvent | null): Change => ({
  version: run.version + 1,
  updatedAt: event?.at ?? run.updatedAt,
  resumePhase: null,
});

/** What the control data keep of an accepted phase artifact. */
export const note = (run: RunContext, event: RunEvent | null): Change => {
  if (!event || !('case' in event)) return {};
  const { facts } = event.case;
  const consumed: Change = { lineage: [] };
  switch (event.type) {
    case 'submit.TaskContract':
      return { ...consumed, contractVersion: facts.contractVersion ?? 1 };
    case 'submit.QualityReview':
      return isQuality(facts.decision) ? { ...consumed, quality: facts.decision } : consumed;
    case 'submit.ReleaseAudit':
      return isAudit(facts.decision) ? { ...consumed, audit: facts.decision } : consumed;
    case 'submit.ClarificationRequest':
      // A question consumes nothing: an answer that is still to be cited stays to be cited.
      return { questions: run.questions + 1 };
    default:
      return consumed;
  }
};

/** The question is open: its choices are all that is accepted beside cancelling. */
export const ask = (run: RunContext, event: RunEvent | null): Change => {
  if (event?.type !== 'submit.ClarificationRequest') return {};
  const { dossier, facts } = event.case;
  const choices: readonly Choice[] = facts.choices ?? [];
  return {
    choices,
    status: 'awaiting_clarification',
    resumePhase: run.phase,
    lineage: dossier?.artifact ? [uriOf(dossier.artifact)] : [],
  };
};

/** The answer is in: question and answer must be cited by the artifact that resumes. */
export const answered = (run: RunContext, event: RunEvent | null): Change =>
  event?.type === 'user.answer'
    ? { choices: [], resumePhase: null, lineage: [...run.lineage, artifactUri(run.runId, event.messageId)] }
    : {};

/** A review that is not a pass limits what the report may claim. */
export const settleByReview = (run: RunContext): Change => {
  if (run.quality === 'partial') return { hint: 'partial' };
  return run.quality === 'block' ? { hint: 'blocked' } : {};
};

/** A plan was accepted: nothing of it is done, and after a proceed_to_fix review it unlocks the fix. */
export const planned = (run: RunContext): Change => ({
  gate: run.gate === 'issued' ? 'unlocked' : run.gate,
  nodesCompleted: run.mode === 'report_only' || run.mode === 'plan_only' ? null : false,
});

/** The micro pack was stored: a contract of version 1 and a plan. */
export const packed = (run: RunContext): Change => ({ ...planned(run), contractVersion: 1 });
