import { type BookEntry, rule } from './book.ts';
import { listFault } from './listFault.ts';
import { decisionsNow } from './qualityDecision.ts';
import {
  backingOf,
  isSubsetOf,
  keptVerifications,
  type Requirement,
  type ReviewQuery,
  reviewScopeOf,
  sameMembers,
  showingActions,
} from './reviewScope.ts';
import { listed, told } from './wording.ts';

/** Rules of what a QualityReview judges and what backs it (admission section 10, rows 07 to 13). */

const about = ['QualityReview'] as const;

type VerificationResult = ReviewQuery['body']['verificationResults'][number];

/** The results of verifications that are due, each with its requirement and where it stands. */
const verified = (
  query: ReviewQuery,
): readonly Readonly<{ result: VerificationResult; requirement: Requirement; path: string }>[] => {
  const byId = new Map(reviewScopeOf(query).requirements.map((requirement) => [requirement.id, requirement]));
  return query.body.verificationResults.flatMap((result, index) => {
    const requirement = byId.get(result.requirementId);
    return requirement ? [{ result, requirement, path: `verificationResults.${index}` }] : [];
  });
};

export const qualityEvidenceRules: readonly BookEntry[] = [
  rule({
    code: 'ADM-QUALITY-07',
    types: about,
    part: 'own',
    text: 'acceptanceResults judges each criterion of the contract once; before the unlock of analyze_and_fix each diagnosis criterion.',
    reads: ['TaskContract', 'mode', 'WorkPlan', 'QualityReview'],
    refusal: 'rule_broken',
    check: (query) =>
      listFault(
        'acceptanceResults',
        'acceptanceResults',
        query.body.acceptanceResults.map(({ criterionId }) => criterionId),
        reviewScopeOf(query).criteria,
        'criterionId',
      ),
  }),
  rule({
    code: 'ADM-QUALITY-08',
    types: about,
    part: 'own',
    text: 'Where work is executed, a passing criterion is backed by a current result that passes it with this evidence, or kept from an earlier review that no node of the plan touches.',
    reads: ['mode', 'WorkPlan', 'WorkResult', 'QualityReview'],
    refusal: 'rule_broken',
    *check(query) {
      const { executed, criteria } = reviewScopeOf(query);
      if (!executed) return;
      for (const [index, { criterionId, status, evidenceRefs }] of query.body.acceptanceResults.entries()) {
        // A criterion that is not due is told by QUALITY-07.
        if (status !== 'pass' || !criteria.includes(criterionId)) continue;
        const { current, kept } = backingOf(query, criterionId);
        if (current.some((evidence) => isSubsetOf(evidenceRefs, evidence))) continue;
        if (kept.some((evidence) => sameMembers(evidenceRefs, evidence))) continue;
        const best = current[0] ?? kept[0];
        yield best
          ? {
              path: `acceptanceResults.${index}.evidenceRefs`,
              message: `Criterion ${criterionId} passes with ${listed(evidenceRefs)}, but what passed it rests on other evidence.`,
              ...told(best),
              fix: `Cite the evidence that passed it: ${listed(best)}.`,
            }
          : {
              path: `acceptanceResults.${index}.status`,
              message: `Criterion ${criterionId} passes here, but no result passes it.`,
              expected: ['unverified', 'fail', 'not_applicable'],
              fix: 'Set its status to unverified or fail.',
            };
      }
    },
  }),
  rule({
    code: 'ADM-QUALITY-09',
    types: about,
    part: 'own',
    text: 'ruleCompliance judges each rule of the contract once.',
    reads: ['TaskContract'],
    refusal: 'rule_broken',
    check: (query) =>
      listFault(
        'ruleCompliance',
        'ruleCompliance',
        query.body.ruleCompliance.map(({ subjectRef }) => subjectRef ?? 'null'),
        reviewScopeOf(query).contract?.body.ruleRefs ?? [],
        'subjectRef',
      ),
  }),
  rule({
    code: 'ADM-QUALITY-10',
    types: about,
    part: 'own',
    text: 'verificationResults holds each verification of the contract once, required or not; before the unlock of analyze_and_fix each of the diagnosis.',
    reads: ['TaskContract', 'mode', 'WorkPlan', 'QualityReview'],
    refusal: 'rule_broken',
    check: (query) =>
      listFault(
        'verificationResults',
        'verificationResults',
        query.body.verificationResults.map(({ requirementId }) => requirementId),
        reviewScopeOf(query).requirements.map(({ id }) => id),
        'requirementId',
      ),
  }),
  rule({
    code: 'ADM-QUALITY-11',
    types: about,
    part: 'own',
    text: 'A verification is judged with the capability that the contract names for it.',
    reads: ['TaskContract'],
    refusal: 'rule_broken',
    *check(query) {
      for (const { result, requirement, path } of verified(query))
        if (result.capability !== requirement.capability)
          yield {
            path: `${path}.capability`,
            message: `Verification ${requirement.id} is judged by ${result.capability}; the contract names ${requirement.capability}.`,
            expected: requirement.capability,
            fix: `Set capability to ${requirement.capability}.`,
          };
    },
  }),
  rule({
    code: 'ADM-QUALITY-12',
    types: about,
    part: 'own',
    text: 'pass and proceed_to_fix need every required verification that is due to pass.',
    reads: ['TaskContract'],
    refusal: 'rule_broken',
    *check(query) {
      const { decision } = query.body;
      if (decision !== 'pass' && decision !== 'proceed_to_fix') return;
      for (const { result, requirement } of verified(query))
        if (requirement.required && result.status !== 'pass')
          yield {
            path: 'decision',
            message: `The review decides ${decision}, but the required verification ${requirement.id} is ${result.status}.`,
            expected: decisionsNow(query.run).filter((one) => one !== 'pass' && one !== 'proceed_to_fix'),
            fix: 'Decide remediate, partial or block, unless the evidence shows that it passes.',
          };
    },
  }),
  rule({
    code: 'ADM-QUALITY-13',
    types: about,
    part: 'own',
    text: 'Where work is executed, a passing verification is shown by a completed action of its capability, after the last change if it belongs to the completion, or kept from the diagnosis.',
    reads: ['mode', 'TaskContract', 'WorkPlan', 'WorkResult', 'QualityReview'],
    refusal: 'rule_broken',
    *check(query) {
      if (!reviewScopeOf(query).executed) return;
      for (const { result, requirement, path } of verified(query)) {
        if (result.status !== 'pass') continue;
        const actions = showingActions(query, requirement);
        const kept = keptVerifications(query, requirement);
        const meets = actions.some(({ evidenceRefs }) => evidenceRefs.some((ref) => result.evidenceRefs.includes(ref)));
        if (meets || kept.some((evidence) => sameMembers(result.evidenceRefs, evidence))) continue;
        const best = actions[0]?.evidenceRefs ?? kept[0];
        yield best
          ? {
              path: `${path}.evidenceRefs`,
              message: `Verification ${requirement.id} passes with ${listed(result.evidenceRefs)}, but that is not the evidence of the ${requirement.capability} action that shows it.`,
              ...told(best),
              fix: `Cite ${listed(best)}.`,
            }
          : {
              path: `${path}.status`,
              message: `Verification ${requirement.id} passes here, but no completed ${requirement.capability} action of an eligible node shows it${
                requirement.stage === 'completion' ? ' after the last change' : ''
              }.`,
              expected: ['unverified', 'unavailable', 'fail'],
              fix: 'Set its status to unverified or unavailable.',
            };
      }
    },
  }),
];
