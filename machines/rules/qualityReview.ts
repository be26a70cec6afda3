import { executes } from '../../schemas/vocabulary.ts';
import type { Facts } from '../events.ts';
import { followingOf } from '../feasibility/following.ts';
import { uriOf } from '../record.ts';
import { type BookEntry, type Query, rule, type Said } from './book.ts';
import { effectiveFor, orderOfReview, resultsOf } from './derived.ts';
import { listFault } from './listFault.ts';
import { closedBy, decisionRules, decisionsNow, fixIsOpenRule } from './qualityDecision.ts';
import { qualityEvidenceRules } from './qualityEvidence.ts';
import { remainingRemediations } from './remainingRemediations.ts';
import { type ReviewQuery, reviewScopeOf } from './reviewScope.ts';
import { listed } from './wording.ts';
import { orderFaults } from './workOrders.ts';

/** Rules of the QualityReview: admission section 10 and the guards MCH-03 to MCH-07 of section 17. */

const about = ['QualityReview'] as const;

const claimsSuccess = (facts: Facts): boolean => facts.decision === 'pass' || facts.decision === 'proceed_to_fix';

/** Which nodes have not completed, as far as there is a record to tell. */
const incomplete = (query: Query | null | undefined): string => {
  const plan = query?.record.latest('WorkPlan');
  if (!query || !plan) return 'not every node of the plan has completed';
  const completed = new Set(
    resultsOf(query.record, plan).flatMap(({ body }) => (body.status === 'completed' ? [body.nodeId] : [])),
  );
  const open = plan.body.nodes.map(({ id }) => id).filter((id) => !completed.has(id));
  return open.length === 1 ? `node ${open[0]} did not complete` : `nodes ${listed(open)} did not complete`;
};

/** Whether a completed action of the run changed anything. */
export const changedSomething = ({ record }: Pick<ReviewQuery, 'record'>): boolean =>
  record
    .all('WorkResult')
    .some(({ body }) => body.actions.some((action) => action.status === 'completed' && action.mutating));

/** The order of a decision that is open now; one that cannot be followed is not judged. */
const orderIsDue = (query: ReviewQuery, decision: 'proceed_to_fix' | 'remediate'): boolean =>
  query.body.decision === decision && closedBy(query.run, decision) === null;

const lineageRules: readonly BookEntry[] = [
  rule({
    code: 'ADM-QUALITY-01',
    types: about,
    part: 'own',
    text: 'remainingRemediations is the number of remediations that the run still has.',
    reads: ['budgets'],
    refusal: 'rule_broken',
    control: remainingRemediations,
  }),
  rule({
    code: 'ADM-QUALITY-02',
    types: about,
    part: 'own',
    text: 'taskContractRef is the current contract.',
    reads: ['TaskContract'],
    refusal: 'rule_broken',
    *check(query) {
      const { contract } = reviewScopeOf(query);
      const wanted = contract && uriOf(contract);
      if (query.body.taskContractRef === wanted) return;
      yield {
        path: 'taskContractRef',
        message: `taskContractRef is ${query.body.taskContractRef}, not the current contract.`,
        expected: wanted,
        fix: `Set taskContractRef to ${wanted}.`,
      };
    },
  }),
  rule({
    code: 'ADM-QUALITY-03',
    types: about,
    part: 'own',
    text: 'workPlanRefs includes the current plan.',
    reads: ['WorkPlan'],
    refusal: 'rule_broken',
    *check(query) {
      const { planRef } = reviewScopeOf(query);
      const { workPlanRefs } = query.body;
      if (planRef !== undefined && workPlanRefs.includes(planRef)) return;
      yield {
        path: 'workPlanRefs',
        message: `workPlanRefs holds ${listed(workPlanRefs)}, but not the current plan.`,
        expected: planRef === undefined ? undefined : [...workPlanRefs, planRef],
        fix: `Add ${planRef} to workPlanRefs.`,
      };
    },
  }),
  rule({
    code: 'ADM-QUALITY-04',
    types: about,
    part: 'own',
    text: 'workResultRefs lists each result of the current plan once.',
    reads: ['WorkPlan', 'WorkResult'],
    refusal: 'rule_broken',
    check: (query) =>
      listFault('workResultRefs', 'workResultRefs', query.body.workResultRefs, reviewScopeOf(query).results.map(uriOf)),
  }),
  rule({
    code: 'ADM-QUALITY-05',
    types: about,
    part: 'own',
    text: 'Where work is executed, pass and proceed_to_fix need a completed result for every node of the current plan.',
    reads: ['mode', 'nodesCompleted', 'WorkPlan', 'WorkResult'],
    refusal: 'rule_broken',
    control: {
      holds: (run, facts) => !claimsSuccess(facts) || !executes(run.mode) || run.nodesCompleted === true,
      says: (run, facts, query) => ({
        path: 'decision',
        message: `The review decides ${facts.decision}, but ${incomplete(query)}.`,
        expected: decisionsNow(run).filter((decision) => decision !== 'pass' && decision !== 'proceed_to_fix'),
        fix: 'Decide remediate (if one is left), partial or block.',
      }),
    },
  }),
  rule({
    code: 'ADM-QUALITY-06',
    types: about,
    part: 'own',
    text: 'A fix passes only when a completed action changed something.',
    reads: ['mode', 'WorkResult', 'WorkPlan', 'QualityReview'],
    refusal: 'rule_broken',
    *check(query) {
      const isFix = query.run.mode === 'fix_only' || reviewScopeOf(query).unlocked;
      if (query.body.decision !== 'pass' || !isFix || changedSomething(query)) return;
      yield {
        path: 'decision',
        message: 'The review decides pass, but no completed action of this run changed anything.',
        expected: decisionsNow(query.run).filter((decision) => decision !== 'pass'),
        fix: 'Decide remediate (if one is left), partial or block.',
      };
    },
  }),
];

const orderRules: readonly BookEntry[] = [
  rule({
    code: 'ADM-QUALITY-14',
    types: about,
    part: 'own',
    text: 'The correction order of proceed_to_fix keeps the rules of work orders: all completion criteria, permissions inside contract and authority, a source among the direct evidence of the diagnosis.',
    reads: ['TaskContract', 'RunEnvelope'],
    refusal: 'rule_broken',
    *check(query): Generator<Said> {
      const { contract } = reviewScopeOf(query);
      if (!contract || !orderIsDue(query, 'proceed_to_fix')) return;
      yield* orderFaults({
        label: 'Correction order',
        path: 'diagnosisGate.correctionWorkOrder',
        field: 'targetCriterionIds',
        order: orderOfReview(query.body),
        allowedCriteria: contract.body.acceptanceCriteria.flatMap(({ id, stage }) =>
          stage === 'completion' ? [id] : [],
        ),
        all: true,
        executable: true,
        contract: contract.body.permissions,
        authorized: effectiveFor(query.record, query.run.mode),
        eligible: new Set(query.body.diagnosisGate?.directEvidenceRefs),
        sources: 'among the direct evidence of the diagnosis gate',
        following: followingOf(query, orderOfReview(query.body), true),
      });
    },
  }),
  rule({
    code: 'ADM-QUALITY-15',
    types: about,
    part: 'own',
    text: 'The remediation order keeps the rules of work orders: criteria due now, permissions inside contract and authority, a source among the current plan, its results and the Evidence of the run.',
    reads: ['TaskContract', 'RunEnvelope', 'WorkPlan', 'WorkResult', 'Evidence'],
    refusal: 'rule_broken',
    *check(query): Generator<Said> {
      const { contract, criteria, limited, executed, planRef, results } = reviewScopeOf(query);
      if (!contract || !orderIsDue(query, 'remediate')) return;
      yield* orderFaults({
        label: 'Remediation order',
        path: 'remediationWorkOrder',
        field: 'failedCriterionIds',
        order: orderOfReview(query.body),
        allowedCriteria: criteria,
        all: false,
        executable: executed,
        contract: contract.body.permissions,
        authorized: effectiveFor(query.record, limited ? 'analyze_only' : query.run.mode),
        eligible: new Set([
          ...(planRef === undefined ? [] : [planRef]),
          ...results.map(uriOf),
          ...query.record.all('Evidence').map(uriOf),
        ]),
        sources: 'the current plan, one of its results or Evidence of this run',
        following: followingOf(query, orderOfReview(query.body), false),
      });
    },
  }),
];

/** Rules of the QualityReview; the kinds of its evidence (row 18) are judged with those of the other types. */
export const qualityReviewRules: readonly BookEntry[] = [
  ...lineageRules,
  ...qualityEvidenceRules,
  fixIsOpenRule,
  ...orderRules,
  ...decisionRules,
];
