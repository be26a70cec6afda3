import type { ClarificationReason } from '../../../schemas/artifacts/clarification.ts';
import type { WorkStatus } from '../../../schemas/artifacts/execution.ts';
import type { ContractDecision } from '../../../schemas/artifacts/promptReview.ts';
import type { QualityDecision } from '../../../schemas/artifacts/quality.ts';
import type { AuditDecision } from '../../../schemas/artifacts/release.ts';
import type { TerminalStatus } from '../../../schemas/vocabulary.ts';
import type { Product } from '../author.ts';
import { clarificationRequest } from './clarificationRequest.ts';
import type { Captured } from './look.ts';
import { problemFrame } from './problemFrame.ts';
import { promptReview } from './promptReview.ts';
import { qualityReview } from './qualityReview.ts';
import { releaseAudit } from './releaseAudit.ts';
import { answeredQuestion, type Stand } from './stand.ts';
import { taskContract } from './taskContract.ts';
import { userReport } from './userReport.ts';
import { workPlan } from './workPlan.ts';
import { workResult } from './workResult.ts';

/**
 * One artifact to write, with what is decided in it; a decision that is left out follows from the run. `userReported` adds
 * a claim that rests on the user's word alone.
 */
export type Move =
  | Readonly<{ type: 'ClarificationRequest'; reason: ClarificationReason }>
  | Readonly<{ type: 'ProblemFrame' | 'TaskContract' }>
  | Readonly<{ type: 'PromptReview'; decision?: ContractDecision | undefined }>
  /** `nodes`: at most so many for the criteria, and confirming ones beyond their number; one a criterion when left out. */
  | Readonly<{ type: 'WorkPlan'; nodes?: number | undefined }>
  | Readonly<{ type: 'WorkResult'; status?: WorkStatus | undefined; captured: readonly Captured[] }>
  | Readonly<{ type: 'QualityReview'; decision?: QualityDecision | undefined }>
  | Readonly<{ type: 'ReleaseAudit'; decision?: AuditDecision | undefined; userReported?: boolean }>
  | Readonly<{ type: 'UserReport'; status?: TerminalStatus | undefined; userReported?: boolean }>;

const written = (stand: Stand, move: Move): Product => {
  const { type } = move;
  switch (type) {
    case 'ClarificationRequest':
      return { type, body: clarificationRequest(stand, move.reason) };
    case 'ProblemFrame':
      return { type, body: problemFrame(stand) };
    case 'TaskContract':
      return taskContract(stand);
    case 'PromptReview':
      return { type, body: promptReview(stand, move.decision) };
    case 'WorkPlan':
      return { type, body: workPlan(stand, move.nodes) };
    case 'WorkResult':
      return { type, body: workResult(stand, move.captured, move.status) };
    case 'QualityReview':
      return { type, body: qualityReview(stand, move.decision) };
    case 'ReleaseAudit':
      return { type, body: releaseAudit(stand, move.decision, move.userReported) };
    case 'UserReport':
      return { type, body: userReport(stand, move.status, move.userReported) };
  }
};

/**
 * Writes an artifact from where the run stands, and from nothing else; an answered question is cited.
 *
 * @throws when the run does not hold what the artifact is about
 */
export const write = (stand: Stand, move: Move): Product => {
  const product = written(stand, move);
  return { ...product, sourceRefs: [...(product.sourceRefs ?? []), ...answeredQuestion(stand)] };
};
