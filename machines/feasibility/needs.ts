import type { PermissionSet } from '../../schemas/permissions.ts';
import { type ActionCapability, executes } from '../../schemas/vocabulary.ts';
import { mayMutate } from '../permissions/capability.ts';
import { capabilitiesOf, covers, keepCapabilities } from '../permissions/permissionSet.ts';
import { distinct } from '../rules/derived.ts';
import { type Criterion, dueVerifications, type Verification } from '../rules/planScope.ts';
import { meet } from './meet.ts';
import type { PlanQuestion } from './question.ts';

/** What a plan must do, and with what it may do it (admission section 8.2). */

export interface Needs {
  /** What the nodes must cover together (PLAN-25, -26), and all that they may own (PLAN-22 to -24). */
  readonly criteria: readonly string[];
  /** The verifications that must be scheduled (PLAN-27). */
  readonly due: readonly Verification[];
  /** Whether a verification that is due finds a criterion of its stage to be owned with (PLAN-28). */
  readonly staged: boolean;
  /** What some node must require: the capabilities of the due verifications, each once. */
  readonly capabilities: readonly ActionCapability[];
  /** The fewest tool calls that any plan could reserve (PLAN-18, -20). */
  readonly leastCalls: number;
}

export interface Means {
  /** The most that a node may be given (PLAN-11 to -13, -15; INT-06). */
  readonly permissions: PermissionSet;
  /** The capabilities that a node may allow (PLAN-10, -15, -16). */
  readonly tools: readonly ActionCapability[];
}

const isOfStage =
  ({ stage }: PlanQuestion) =>
  (criterion: Criterion): boolean =>
    stage === null || criterion.stage === stage;

/** The criteria of the contract that a plan of this question may own. */
const ownable = ({ contract, stage, scope }: PlanQuestion): readonly Criterion[] =>
  contract.acceptanceCriteria.filter(
    (criterion) =>
      (scope === null || scope.order.criteria.includes(criterion.id)) &&
      (stage !== 'diagnosis' || criterion.stage === 'diagnosis'),
  );

export const needsOf = (question: PlanQuestion): Needs => {
  const { contract, stage, mode } = question;
  const owned = ownable(question);
  const due = dueVerifications(contract, stage);
  const capabilities = distinct<ActionCapability>(due.map(({ capability }) => capability));
  return {
    criteria: owned.map(({ id }) => id),
    due,
    staged: owned.some(isOfStage(question)),
    capabilities,
    // However the work is split, each of these is required by some node and counts there; and where work is executed a
    // node requires something.
    leastCalls: Math.max(capabilities.length, executes(mode) ? 1 : 0),
  };
};

export const meansOf = ({ contract, authority, scope, depth }: PlanQuestion): Means => {
  const met = meet([...(scope ? [scope.order.permissions] : []), contract.permissions, authority]);
  const permissions = keepCapabilities(
    met,
    (capability) =>
      covers(met, capability) &&
      (scope === null || scope.order.allowedCapabilities.includes(capability)) &&
      // PLAN-15: sub-agents need a depth, which no plan can have beyond the host's (PLAN-06).
      (capability !== 'subagent.spawn' || depth > 0),
  );
  permissions.subagents.maximumDepth = Math.min(permissions.subagents.maximumDepth, depth);
  return { permissions, tools: capabilitiesOf(permissions) };
};

/**
 * The capabilities that the node of a draft requires: what must be shown; where work is executed at least one, which
 * should change nothing; and a change where the fix is due and calls are left for it.
 */
export const requiredIn = (
  { mode, changes, calls, scope }: PlanQuestion,
  { capabilities, leastCalls }: Needs,
  { tools }: Means,
): readonly ActionCapability[] => {
  const first = tools.find((tool) => !mayMutate(tool)) ?? tools[0];
  const shown = capabilities.length > 0 || !executes(mode) || !first ? capabilities : [first];
  const most = Math.min(calls.left, scope?.order.maximumToolCalls ?? calls.left);
  const change = (['repository.write', 'repository.delete'] as const).find((tool) => tools.includes(tool));
  return changes && change && leastCalls < most ? distinct([change, ...shown]) : shown;
};
