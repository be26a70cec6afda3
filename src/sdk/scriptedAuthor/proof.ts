import { uriOf } from '../../../machines/record.ts';
import { distinct, isStageLimited, type Result, resultsOf } from '../../../machines/rules/derived.ts';
import type { VerificationRequirement } from '../../../schemas/artifacts/intent.ts';
import { executes } from '../../../schemas/vocabulary.ts';
import { latest, latestRef, type Stand } from './stand.ts';

/**
 * What backs each criterion and each verification: the evidence of the current plan, else what an earlier review passed;
 * in plan modes the plan itself. While only the diagnosis is judged, the completion stage is left out.
 */

export interface Proof {
  readonly criterionId: string;
  readonly passes: boolean;
  readonly evidenceRefs: readonly string[];
}

/** Whether a stage is judged now. */
export const isJudged = ({ run, record }: Stand, stage: 'diagnosis' | 'completion'): boolean =>
  stage === 'diagnosis' || !isStageLimited(record, run.requestedMode);

const currentResults = (stand: Stand): readonly Result[] => resultsOf(stand.record, latest(stand, 'WorkPlan'));

const proofOf = (stand: Stand, criterionId: string): Proof => {
  const own = currentResults(stand)
    .flatMap(({ body }) => body.acceptanceCoverage)
    .filter((covered) => covered.criterionId === criterionId);
  // A pass cites the evidence of one result and no other (QUALITY-08): where several nodes looked, the last counts.
  const counting = own.findLast(({ status }) => status === 'pass') ?? own.at(-1);
  if (counting) return { criterionId, passes: counting.status === 'pass', evidenceRefs: counting.evidenceRefs };
  const earlier = stand.record
    .all('QualityReview')
    .flatMap(({ body }) => body.acceptanceResults)
    .findLast((result) => result.criterionId === criterionId && result.status === 'pass');
  return { criterionId, passes: earlier !== undefined, evidenceRefs: earlier?.evidenceRefs ?? [] };
};

/** One proof for each criterion that is judged now, in the order of the contract. */
export const proofsOf = (stand: Stand): readonly Proof[] => {
  const criteria = latest(stand, 'TaskContract').body.acceptanceCriteria.filter(({ stage }) => isJudged(stand, stage));
  if (executes(stand.run.requestedMode)) return criteria.map(({ id }) => proofOf(stand, id));
  const evidenceRefs = [latestRef(stand, 'WorkPlan')];
  return criteria.map(({ id }) => ({ criterionId: id, passes: true, evidenceRefs }));
};

/**
 * The evidence of a verification: completed actions of its capability in nodes that own a criterion of its stage; in plan
 * modes the plan itself.
 */
export const evidenceFor = (stand: Stand, { id, capability, stage }: VerificationRequirement): readonly string[] => {
  if (!executes(stand.run.requestedMode)) return [latestRef(stand, 'WorkPlan')];
  const plan = latest(stand, 'WorkPlan').body;
  const staged = stand.run.requestedMode === 'analyze_and_fix';
  const criteria = latest(stand, 'TaskContract').body.acceptanceCriteria;
  const owned = new Set(criteria.filter((one) => !staged || one.stage === stage).map((one) => one.id));
  const nodes = plan.nodes.filter(({ acceptanceCriteria }) => acceptanceCriteria.some((one) => owned.has(one)));
  const seen = currentResults(stand)
    .filter(({ body }) => nodes.some((node) => node.id === body.nodeId))
    .flatMap(({ body }) => body.actions)
    .filter((action) => action.capability === capability && action.status === 'completed')
    .flatMap(({ evidenceRefs }) => evidenceRefs);
  if (seen.length > 0) return distinct(seen);
  const earlier = stand.record
    .all('QualityReview')
    .flatMap(({ body }) => body.verificationResults)
    .findLast(({ requirementId, status }) => requirementId === id && status === 'pass');
  return earlier?.evidenceRefs ?? [];
};

/** Everything that backs anything; a result stands in where nothing was captured (REF-19). */
export const allProof = (stand: Stand): readonly string[] => {
  const refs = distinct(proofsOf(stand).flatMap(({ evidenceRefs }) => evidenceRefs));
  return refs.length > 0 ? refs : currentResults(stand).map(uriOf);
};
