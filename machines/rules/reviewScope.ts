import { executes } from '../../schemas/vocabulary.ts';
import { uriOf } from '../record.ts';
import type { Query } from './book.ts';
import {
  type Action,
  type Contract,
  isUnlocked,
  type Plan,
  type PlanNode,
  type Result,
  type Review,
  resultsOf,
} from './derived.ts';
import { perQuery } from './perQuery.ts';
import { criteriaOf, isEligible } from './planScope.ts';

export type ReviewQuery = Query<'QualityReview'>;
/** What is judged follows from the run and its record alone, so that it can be told before there is a review. */
export type Reviewing = Pick<ReviewQuery, 'run' | 'record'>;
export type Requirement = Contract['body']['verificationRequirements'][number];

/** What a QualityReview is judged against (admission section 10). */
export interface ReviewScope {
  readonly contract: Contract | undefined;
  readonly plan: Plan | undefined;
  readonly planRef: string | undefined;
  /** The results of the current plan. */
  readonly results: readonly Result[];
  readonly earlier: readonly Review[];
  readonly executed: boolean;
  readonly unlocked: boolean;
  /** `analyze_and_fix` before the unlock: the diagnosis alone is judged. */
  readonly limited: boolean;
  readonly criteria: readonly string[];
  readonly requirements: readonly Requirement[];
}

export const reviewScopeOf = perQuery(({ record, run }: Reviewing): ReviewScope => {
  const contract = record.latest('TaskContract');
  const plan = record.latest('WorkPlan');
  const unlocked = isUnlocked(record, run.mode);
  const limited = run.mode === 'analyze_and_fix' && !unlocked;
  const isDue = ({ stage }: Readonly<{ stage: string }>): boolean => !limited || stage === 'diagnosis';
  return {
    contract,
    plan,
    planRef: plan && uriOf(plan),
    results: plan ? resultsOf(record, plan) : [],
    earlier: record.all('QualityReview'),
    executed: executes(run.mode),
    unlocked,
    limited,
    criteria: contract?.body.acceptanceCriteria.filter(isDue).map(({ id }) => id) ?? [],
    requirements: contract?.body.verificationRequirements.filter(isDue) ?? [],
  };
});

export const isSubsetOf = (list: readonly string[], of: readonly string[]): boolean =>
  list.every((member) => of.includes(member));

/** Whether two lists hold the same members. */
export const sameMembers = (a: readonly string[], b: readonly string[]): boolean =>
  isSubsetOf(a, b) && isSubsetOf(b, a);

/** The evidence sets with which a passing criterion may be backed: by a current result, or kept from an earlier review. */
export const backingOf = (
  query: Reviewing,
  criterionId: string,
): Readonly<{ current: readonly (readonly string[])[]; kept: readonly (readonly string[])[] }> => {
  const { results, plan, earlier } = reviewScopeOf(query);
  const passes = (entry: Readonly<{ criterionId: string; status: string }>): boolean =>
    entry.criterionId === criterionId && entry.status === 'pass';
  const isAssigned = plan?.body.nodes.some((node) => node.acceptanceCriteria.includes(criterionId)) ?? false;
  return {
    current: results.flatMap(({ body }) => body.acceptanceCoverage.filter(passes).map((entry) => entry.evidenceRefs)),
    kept: isAssigned
      ? []
      : earlier.flatMap(({ body }) => body.acceptanceResults.filter(passes).map((entry) => entry.evidenceRefs)),
  };
};

/** The actions that show a verification: completed, not mutating, in an eligible node, after the last change if it must. */
export const showingActions = (query: Reviewing, requirement: Requirement): readonly Action[] => {
  const { results, plan, contract } = reviewScopeOf(query);
  const staged = query.run.mode === 'analyze_and_fix';
  const criteria = criteriaOf(contract);
  const nodes = new Map<string, PlanNode>(plan?.body.nodes.map((node) => [node.id, node]));
  return results.flatMap(({ body }) => {
    const node = nodes.get(body.nodeId);
    if (!node || !isEligible(node, criteria, requirement, staged)) return [];
    const isCompleted = (action: Action): boolean => action.status === 'completed';
    const lastChange = body.actions.findLastIndex((action) => isCompleted(action) && action.mutating);
    return body.actions.filter(
      (action, at) =>
        isCompleted(action) &&
        !action.mutating &&
        action.capability === requirement.capability &&
        (requirement.stage !== 'completion' || at > lastChange),
    );
  });
};

/** The evidence with which an earlier proceed_to_fix review passed a diagnosis verification; it holds once unlocked. */
export const keptVerifications = (query: Reviewing, requirement: Requirement): readonly (readonly string[])[] => {
  const { unlocked, earlier } = reviewScopeOf(query);
  if (requirement.stage !== 'diagnosis' || !unlocked) return [];
  return earlier
    .filter(({ body }) => body.decision === 'proceed_to_fix')
    .flatMap(({ body }) =>
      body.verificationResults
        .filter(
          (result) =>
            result.requirementId === requirement.id &&
            result.capability === requirement.capability &&
            result.status === 'pass',
        )
        .map((result) => result.evidenceRefs),
    );
};
