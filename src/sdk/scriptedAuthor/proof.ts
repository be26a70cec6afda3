import { uriOf } from '../../../machines/record.ts';
import { distinct, resultsOf } from '../../../machines/rules/derived.ts';
import { executes } from '../../../schemas/vocabulary.ts';
import { latest, type Stand } from './stand.ts';

/** What backs each criterion of the contract: the evidence of the current plan, in plan modes the plan itself. */

export interface Proof {
  readonly criterionId: string;
  readonly passes: boolean;
  readonly evidenceRefs: readonly string[];
}

/** One proof for each criterion, in the order of the contract. */
export const proofsOf = (stand: Stand): readonly Proof[] => {
  const { run, record } = stand;
  const plan = latest(stand, 'WorkPlan');
  const criteria = latest(stand, 'TaskContract').body.acceptanceCriteria;
  if (!executes(run.requestedMode))
    return criteria.map(({ id }) => ({ criterionId: id, passes: true, evidenceRefs: [uriOf(plan)] }));
  const coverage = resultsOf(record, plan).flatMap(({ body }) => body.acceptanceCoverage);
  return criteria.map(({ id }) => {
    const own = coverage.filter(({ criterionId }) => criterionId === id);
    return {
      criterionId: id,
      passes: own.some(({ status }) => status === 'pass'),
      evidenceRefs: distinct(own.flatMap(({ evidenceRefs }) => evidenceRefs)),
    };
  });
};

/** The evidence of completed actions of one capability under the current plan. */
export const evidenceOf = (stand: Stand, capability: string): readonly string[] =>
  distinct(
    resultsOf(stand.record, latest(stand, 'WorkPlan')).flatMap(({ body }) =>
      body.actions.flatMap((action) =>
        action.capability === capability && action.status === 'completed' ? action.evidenceRefs : [],
      ),
    ),
  );

/** Everything that backs anything; a result stands in where nothing was captured (REF-19). */
export const allProof = (stand: Stand): readonly string[] => {
  const refs = distinct(proofsOf(stand).flatMap(({ evidenceRefs }) => evidenceRefs));
  return refs.length > 0 ? refs : resultsOf(stand.record, latest(stand, 'WorkPlan')).map(uriOf);
};
