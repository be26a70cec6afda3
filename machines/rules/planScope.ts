import type { IntentMode } from '../../schemas/vocabulary.ts';
import { type RunRecord, uriOf } from '../record.ts';
import type { Query } from './book.ts';
import {
  type Contract,
  type Control,
  controlOf,
  isUnlocked,
  type PlanNode,
  type Stage,
  type WorkOrder,
} from './derived.ts';
import { perQuery } from './perQuery.ts';

/** What a plan has to follow at this moment of the run (admission section 8.2). */
export interface PlanScope {
  readonly contract: Contract | undefined;
  readonly contractRef: string | undefined;
  readonly control: Control | null;
  /** The control sends work back: the plan answers its order. */
  readonly scoped: boolean;
  readonly order: WorkOrder | null;
  readonly correcting: boolean;
  /** The plan belongs to the diagnosis of `analyze_and_fix`. */
  readonly initial: boolean;
  /** The stage whose criteria and verifications count now; null where stages do not matter. */
  readonly stage: Stage | null;
}

/** The scope of the plan that would be submitted next to a run of a mode. */
export const planScope = (record: RunRecord, mode: IntentMode): PlanScope => {
  const contract = record.latest('TaskContract');
  const control = controlOf(record);
  const correcting = control?.kind === 'correcting';
  const staged = mode === 'analyze_and_fix';
  const fixing = correcting || (staged && isUnlocked(record, mode));
  return {
    contract,
    contractRef: contract && uriOf(contract),
    control,
    scoped: control !== null && control.kind !== 'none',
    order: control?.order ?? null,
    correcting,
    initial: staged && !fixing,
    stage: staged ? (fixing ? 'completion' : 'diagnosis') : null,
  };
};

export const planScopeOf = perQuery((query: Query<'WorkPlan'>): PlanScope => planScope(query.record, query.run.mode));

export type Criterion = Contract['body']['acceptanceCriteria'][number];
export type Verification = Contract['body']['verificationRequirements'][number];

/** PLAN-27: the verifications that a plan of a stage must schedule; without stages, every required one. */
export const dueVerifications = (contract: Contract['body'], stage: Stage | null): readonly Verification[] =>
  contract.verificationRequirements.filter(
    (verification) => verification.required && (stage === null || verification.stage === stage),
  );

/** The criteria of the contract by id. */
export const criteriaOf = (contract: Contract | undefined): ReadonlyMap<string, Criterion> =>
  new Map(contract?.body.acceptanceCriteria.map((criterion) => [criterion.id, criterion]));

/** Whether a node owns a criterion of a stage; null takes a criterion of any stage. */
export const ownsStage = (node: PlanNode, criteria: ReadonlyMap<string, Criterion>, stage: Stage | null): boolean =>
  node.acceptanceCriteria.some((id) => {
    const criterion = criteria.get(id);
    return criterion !== undefined && (stage === null || criterion.stage === stage);
  });

/** Whether a node is eligible to show a verification: it must use its capability, and owns a criterion of its stage. */
export const isEligible = (
  node: PlanNode,
  criteria: ReadonlyMap<string, Criterion>,
  verification: Readonly<{ capability: PlanNode['allowedTools'][number]; stage: Stage }>,
  stagesMatter: boolean,
): boolean =>
  node.requiredCapabilities.includes(verification.capability) &&
  ownsStage(node, criteria, stagesMatter ? verification.stage : null);
