import type { PermissionSet } from '../../schemas/permissions.ts';
import type { ActionCapability, IntentMode } from '../../schemas/vocabulary.ts';
import { effectivePermissions } from '../permissions/modes.ts';
import { emptyPermissions } from '../permissions/permissionSet.ts';
import { type Artifact, type RunRecord, uriOf } from '../record.ts';

/** What the rules, the projection and the draft read of a record without storing it (admission section 0). */

export type Contract = Artifact<'TaskContract'>;
export type Plan = Artifact<'WorkPlan'>;
export type PlanNode = Plan['body']['nodes'][number];
export type Result = Artifact<'WorkResult'>;
export type Action = Result['body']['actions'][number];
export type Review = Artifact<'QualityReview'>;
export type Audit = Artifact<'ReleaseAudit'>;
export type Stage = 'diagnosis' | 'completion';

/** The envelope of the run: what it was started with. */
export const envelopeOf = (record: RunRecord): Artifact<'RunEnvelope'> | undefined => record.latest('RunEnvelope');

/** REQ: the reference of the stored request; undefined when the envelope is lost. */
export const originalRequestRef = (record: RunRecord): string | undefined =>
  envelopeOf(record)?.body.originalRequestRef;

/** EFF(mode): what the run may do at most in a mode; without an envelope nothing (admission section 16.2). */
export const effectiveFor = (record: RunRecord, mode: IntentMode): PermissionSet => {
  const authorization = envelopeOf(record)?.body.authorization;
  return authorization ? effectivePermissions(mode, authorization.granted, authorization.denied) : emptyPermissions();
};

/** A work order of any of the three kinds, its criterion field under one name. */
export interface WorkOrder {
  readonly criteria: readonly string[];
  readonly allowedCapabilities: readonly ActionCapability[];
  readonly permissions: PermissionSet;
  readonly sourceRefs: readonly string[];
  readonly maximumToolCalls: number;
}

/** What the next plan follows: the review or audit that was stored last. */
export interface Control {
  readonly artifact: Review | Audit;
  readonly ref: string;
  /** `remediating` and `correcting` scope the plan, `none` does not. */
  readonly kind: 'remediating' | 'correcting' | 'none';
  /** Null for `none`, and in a damaged record. */
  readonly order: WorkOrder | null;
}

/** The work order that a review carries with `remediate` or `proceed_to_fix`. */
export const orderOfReview = (review: Review['body']): WorkOrder | null => {
  if (review.decision === 'remediate' && review.remediationWorkOrder)
    return { ...review.remediationWorkOrder, criteria: review.remediationWorkOrder.failedCriterionIds };
  const correction = review.decision === 'proceed_to_fix' ? review.diagnosisGate?.correctionWorkOrder : null;
  return correction ? { ...correction, criteria: correction.targetCriterionIds } : null;
};

/** The work order that an audit carries with `remediate`. */
export const orderOfAudit = (audit: Audit['body']): WorkOrder | null =>
  audit.decision === 'remediate' && audit.remediationDefect
    ? { ...audit.remediationDefect, criteria: audit.remediationDefect.failedCriterionIds }
    : null;

/** The control of the run, or null before the first review (admission section 0). */
export const controlOf = (record: RunRecord): Control | null => {
  const review = record.latest('QualityReview');
  const audit = record.latest('ReleaseAudit');
  if (audit && (!review || record.indexOf(audit.id) > record.indexOf(review.id)))
    return {
      artifact: audit,
      ref: uriOf(audit),
      kind: audit.body.decision === 'remediate' ? 'remediating' : 'none',
      order: orderOfAudit(audit.body),
    };
  if (!review) return null;
  const { decision } = review.body;
  return {
    artifact: review,
    ref: uriOf(review),
    kind: decision === 'remediate' ? 'remediating' : decision === 'proceed_to_fix' ? 'correcting' : 'none',
    order: orderOfReview(review.body),
  };
};

/** Whether some plan follows a `proceed_to_fix` review with every node: from then on the fix may change things. */
export const isUnlocked = (record: RunRecord, mode: IntentMode): boolean => {
  if (mode !== 'analyze_and_fix') return false;
  const gates = new Set(
    record
      .all('QualityReview')
      .filter(({ body }) => body.decision === 'proceed_to_fix' && body.diagnosisGate?.correctionWorkOrder)
      .map(uriOf),
  );
  if (gates.size === 0) return false;
  return record
    .all('WorkPlan')
    .some(
      ({ body }) => body.nodes.length > 0 && body.nodes.every((node) => node.inputRefs.some((ref) => gates.has(ref))),
    );
};

/** The results of a plan, in the order in which they were stored. */
export const resultsOf = (record: RunRecord, plan: Plan): readonly Result[] => {
  const ref = uriOf(plan);
  return record.all('WorkResult').filter(({ body }) => body.workPlanRef === ref);
};

/** The node whose turn it is: the first in plan order without a result, all of whose dependencies completed. */
export const pendingNode = (record: RunRecord): PlanNode | null => {
  const plan = record.latest('WorkPlan');
  if (!plan) return null;
  const seen = new Set<string>();
  const completed = new Set<string>();
  for (const { body } of resultsOf(record, plan)) {
    seen.add(body.nodeId);
    if (body.status === 'completed') completed.add(body.nodeId);
  }
  return plan.body.nodes.find((node) => !seen.has(node.id) && node.dependsOn.every((id) => completed.has(id))) ?? null;
};

/** Whether nodes of the latest plan are still without a result once this one is stored. */
export const nodesRemainAfter = (record: RunRecord, result: Result['body']): boolean => {
  const plan = record.latest('WorkPlan');
  if (!plan) return false;
  const seen = new Set(resultsOf(record, plan).map(({ body }) => body.nodeId)).add(result.nodeId);
  return plan.body.nodes.some((node) => !seen.has(node.id));
};

/** The tool calls that the nodes of one plan reserve. */
export const reservedBy = (plan: Plan['body']): number =>
  plan.nodes.reduce((sum, node) => sum + node.budgets.maximumToolCalls, 0);

/** The tool calls that all plans of the run have reserved, replaced plans included. */
export const reservedCalls = (record: RunRecord): number =>
  record.all('WorkPlan').reduce((sum, { body }) => sum + reservedBy(body), 0);

/** Before the plan that follows the diagnosis, a run of `analyze_and_fix` plans and judges the diagnosis alone. */
export const isStageLimited = (record: RunRecord, mode: IntentMode): boolean =>
  mode === 'analyze_and_fix' && !isUnlocked(record, mode);

/** Whether two stages are the same where a rule compares them: outside `analyze_and_fix` stages do not matter. */
export const sameStage = (mode: IntentMode, a: Stage, b: Stage): boolean => mode !== 'analyze_and_fix' || a === b;

/** Distinct texts, first occurrence first. */
export const distinct = <T extends string>(texts: Iterable<T>): readonly T[] => [...new Set(texts)];
