import type { PermissionSet } from '../../schemas/permissions.ts';
import { executes, type IntentMode, limits } from '../../schemas/vocabulary.ts';
import type { RunContext } from '../context.ts';
import { artifactUri, type RunRecord } from '../record.ts';
import {
  type Contract,
  effectiveFor,
  envelopeOf,
  isUnlocked,
  reservedCalls,
  type Stage,
  type WorkOrder,
} from '../rules/derived.ts';
import { type PlanScope, planScope } from '../rules/planScope.ts';

/** What the feasibility of a plan is asked of (guidance section 3), and the questions that a run raises. */

export interface PlanQuestion {
  readonly runId: string;
  readonly mode: IntentMode;
  readonly contract: Contract['body'];
  readonly contractRef: string;
  /** Of `analyze_and_fix`: the stage that the plan is for, `diagnosis` until the fix is unlocked; else null. */
  readonly stage: Stage | null;
  /** What the run may use at this stage: EFF(mode), for the diagnosis EFF(analyze_only). */
  readonly authority: PermissionSet;
  /** The work order that scopes the plan, with the review or audit that carries it. */
  readonly scope: Readonly<{ order: WorkOrder; controlRef: string }> | null;
  /** Whose fault an impossible plan is: paths and advice of the reasons are about this artifact. */
  readonly judged: 'contract' | 'order';
  readonly calls: Readonly<{
    /** Tool calls that the run can still reserve. */
    left: number;
    /** Those of them that plans after this one should find; never a reason against this one. */
    kept: number;
  }>;
  /** The sub-agent depth that the host offers. */
  readonly depth: number;
  /** The fix is due and nothing was changed yet, so the plan is to require a change where it can. */
  readonly changes: boolean;
  isTaken(id: string): boolean;
}

/** What an executor can be expected to use in one node; beyond 128 Evidence nothing of it could be shown (EVID-07). */
export const ordinaryCalls = 100;

/** The calls that plans which may still follow should find, if each plan of the run is to have the same. */
const keptFor = (later: number, left: number): number =>
  later * Math.min(ordinaryCalls, Math.floor(left / (later + 1)));

type Parts = Pick<PlanQuestion, 'contract' | 'contractRef' | 'stage' | 'scope' | 'judged'> &
  Readonly<{ later: number }>;

const ask = (record: RunRecord, mode: IntentMode, { later, ...parts }: Parts): PlanQuestion => {
  const left = Math.max(0, limits.planToolCalls - reservedCalls(record));
  const fixes = mode === 'fix_only' || parts.stage === 'completion';
  return {
    ...parts,
    runId: record.runId,
    mode,
    authority: effectiveFor(record, parts.stage === 'diagnosis' ? 'analyze_only' : mode),
    calls: { left, kept: keptFor(executes(mode) ? later : 0, left) },
    depth: envelopeOf(record)?.body.budgets.maximumSubagentDepth ?? 0,
    changes:
      fixes &&
      !record
        .all('WorkResult')
        .some(({ body }) => body.actions.some(({ status, mutating }) => status === 'completed' && mutating)),
    isTaken: (id) => record.indexOf(id) >= 0,
  };
};

const scopeOf = ({ scoped, order, control }: PlanScope): PlanQuestion['scope'] =>
  scoped && order && control ? { order, controlRef: control.ref } : null;

/** Whether a contract that is submitted now can be planned; after an escalation a work order may scope its plan. */
export const questionOfContract = (
  run: Pick<RunContext, 'mode'>,
  record: RunRecord,
  contract: Contract['body'],
): PlanQuestion => {
  const scope = planScope(record, run.mode);
  return ask(record, run.mode, {
    contract,
    contractRef: artifactUri(record.runId, contract.id),
    stage: scope.stage,
    scope: scopeOf(scope),
    judged: 'contract',
    later: 0,
  });
};

/**
 * Whether a plan can follow a work order that is submitted now.
 * @param control the id of the review or audit that carries it
 * @param correcting the order is that of a diagnosis, so its plan unlocks the fix
 */
export const questionOfOrder = (
  run: Pick<RunContext, 'mode'>,
  record: RunRecord,
  contract: Contract,
  { order, control, correcting }: Readonly<{ order: WorkOrder; control: string; correcting: boolean }>,
): PlanQuestion => {
  const fixing = correcting || isUnlocked(record, run.mode);
  return ask(record, run.mode, {
    contract: contract.body,
    contractRef: artifactUri(record.runId, contract.id),
    stage: run.mode === 'analyze_and_fix' ? (fixing ? 'completion' : 'diagnosis') : null,
    scope: { order, controlRef: artifactUri(record.runId, control) },
    judged: 'order',
    later: 0,
  });
};

/** The question of a run that stands in `plan`; null when its record is damaged: no contract, or a lost work order. */
export const questionOfPlan = (run: RunContext, record: RunRecord): PlanQuestion | null => {
  const scope = planScope(record, run.mode);
  const { contract, contractRef, stage } = scope;
  if (!contract || contractRef === undefined || (scope.scoped && !scope.order)) return null;
  return ask(record, run.mode, {
    contract: contract.body,
    contractRef,
    stage,
    scope: scopeOf(scope),
    judged: scope.scoped ? 'order' : 'contract',
    // The fix still has to follow a diagnosis, and a remediation each plan as long as one is left.
    later: (stage === 'diagnosis' ? 1 : 0) + run.budgets.remediations,
  });
};
