import { found } from '../../schemas/found.ts';
import { type ActionCapability, executes, limits, verificationCapabilities } from '../../schemas/vocabulary.ts';
import { covers, entryOf } from '../permissions/permissionSet.ts';
import { distinct } from '../rules/derived.ts';
import type { Verification } from '../rules/planScope.ts';
import { listed, told } from '../rules/wording.ts';
import { meet } from './meet.ts';
import type { Means, Needs } from './needs.ts';
import type { PlanQuestion } from './question.ts';

/** Why no plan is possible, told of the artifact that is judged (guidance section 3). */

export type Reason = Readonly<{
  /** In the contract; or in the work order, whose list of criteria is called `criteria` whatever its kind. */
  path: string;
  /** A clause, without a full stop. */
  message: string;
  expected?: unknown;
  /** A sentence. */
  fix: string;
}>;

/** Where a permission set speaks of a capability. */
const fieldOf: Readonly<Record<ActionCapability, string>> = {
  'repository.read': 'repository.read',
  'repository.write': 'repository.write',
  'repository.delete': 'repository.delete',
  'shell.inspect': 'shell.inspect',
  'shell.execute': 'shell.executeAllowlist',
  'runtime.inspect': 'runtime.inspect',
  'runtime.restart': 'runtime.restart',
  'browser.inspect': 'browser.inspect',
  'browser.mutate': 'browser.mutateState',
  'network.read': 'network.readDomains',
  'external.write': 'network.externalWrite',
  'subagent.spawn': 'subagents.spawn',
};

const idsOf = (verifications: readonly Verification[]): string =>
  listed(
    verifications.map(({ id }) => id),
    3,
  );

/** The words of a list, as a sentence names them. */
const words = (list: readonly string[]): string => list.join(', ');

/** Rows 24 and 25: what the diagnosis must cover and may not; rows 22 and 25: what the contract does not have. */
function* criteriaReasons({ contract, scope, stage, judged }: PlanQuestion, { criteria }: Needs): Generator<Reason> {
  if (!scope) return;
  const path = judged === 'order' ? 'criteria' : 'acceptanceCriteria';
  const known = new Map(contract.acceptanceCriteria.map((criterion) => [criterion.id, criterion.stage]));
  const named = distinct(scope.order.criteria);
  const rest = judged === 'order' && criteria.length > 0 ? told(criteria) : {};
  const foreign = named.filter((id) => !known.has(id));
  if (foreign.length > 0)
    yield {
      path,
      message: `the contract has no ${listed(foreign, 3)}`,
      ...rest,
      fix: 'Name only criteria of the contract.',
    };
  const late = stage === 'diagnosis' ? named.filter((id) => known.get(id) === 'completion') : [];
  if (late.length > 0)
    yield {
      path,
      message: `${listed(late, 3)} of the completion stage cannot be covered before the fix is unlocked`,
      ...rest,
      fix: 'Name diagnosis criteria only; those of the completion stage belong to the order that follows the diagnosis.',
    };
}

/** Row 28, second half: a verification needs a criterion of its stage beside it. */
function* stageReasons({ contract, scope, stage, judged }: PlanQuestion, { due, staged }: Needs): Generator<Reason> {
  if (staged || due.length === 0) return;
  const fitting = contract.acceptanceCriteria.filter((criterion) => stage === null || criterion.stage === stage);
  const what = stage === null ? 'criterion' : `${stage} criterion`;
  const first = fitting[0]?.id;
  if (judged === 'order' && scope && first !== undefined)
    yield {
      path: 'criteria',
      message: `${idsOf(due)} must be verified in a node that owns a ${what}, and the order names none`,
      ...told([...distinct(scope.order.criteria), first]),
      fix: `Name at least one ${what} too: ${listed(
        fitting.map(({ id }) => id),
        3,
      )}.`,
    };
  else
    yield {
      path: judged === 'order' ? 'criteria' : 'acceptanceCriteria',
      message: `${idsOf(due)} must be verified in a node that owns a ${what}, and there is none`,
      fix: judged === 'order' ? 'Decide partial or block.' : `Add a ${what}.`,
    };
}

/** Row 28, first half, for a contract: what the verification needs, no node may use. */
function* contractCapabilityReasons(
  { contract, authority, scope, stage }: PlanQuestion,
  { due }: Needs,
  { tools }: Means,
): Generator<Reason> {
  const usable = verificationCapabilities.filter((capability) => tools.includes(capability));
  const ungranted = verificationCapabilities.filter(
    (capability) => scope === null && covers(authority, capability) && !covers(contract.permissions, capability),
  );
  for (const { id, capability } of due) {
    if (tools.includes(capability)) continue;
    const index = contract.verificationRequirements.findIndex((requirement) => requirement.id === id);
    const kept = !covers(contract.permissions, capability)
      ? 'permissions do not grant'
      : !covers(meet([contract.permissions, authority]), capability)
        ? stage === 'diagnosis'
          ? 'analysis may not use before the fix is unlocked'
          : 'this run may not use'
        : `the work order of ${scope?.controlRef} does not permit`;
    const move = stage === 'diagnosis' ? ', or move it to the completion stage and verify the diagnosis otherwise' : '';
    yield {
      path: `verificationRequirements.${index}.capability`,
      message: `the required verification ${found(id)} needs ${capability}, which ${kept}`,
      ...(usable.length > 0 && told(usable)),
      fix:
        usable.length > 0
          ? `Choose a capability among ${words(usable)}${move}.`
          : ungranted.length > 0
            ? `Grant one of ${words(ungranted)} in permissions and choose it${move}.`
            : 'No capability that could show it is open to this run: ask with a ClarificationRequest of reason permission_expanding.',
    };
  }
}

/** The same for an order: what it keeps from its nodes. */
function* orderCapabilityReasons(
  { contract, authority, scope }: PlanQuestion,
  { due }: Needs,
  { tools }: Means,
): Generator<Reason> {
  if (!scope) return;
  const { order } = scope;
  const missing = due.filter(({ capability }) => !tools.includes(capability));
  const barred = missing.filter(({ capability }) => !order.allowedCapabilities.includes(capability));
  const add = distinct<ActionCapability>(barred.map(({ capability }) => capability));
  if (barred.length > 0)
    yield {
      path: 'allowedCapabilities',
      message: `the required verification ${idsOf(barred)} needs ${words(add)}, which the order does not allow`,
      ...told([...distinct(order.allowedCapabilities), ...add]),
      fix: `Add ${words(add)} to allowedCapabilities, with permissions that back it.`,
    };
  const open = meet([contract.permissions, authority]);
  const within = meet([order.permissions, contract.permissions, authority]);
  for (const capability of distinct<ActionCapability>(missing.map((one) => one.capability))) {
    if (covers(within, capability)) continue;
    const needing = idsOf(missing.filter((one) => one.capability === capability));
    const backed = covers(open, capability);
    yield {
      path: `permissions.${fieldOf[capability]}`,
      message: `the required verification ${needing} needs ${capability}, which ${
        backed ? 'the permissions of the order do not back' : 'neither contract nor authority backs at this stage'
      }`,
      ...(backed && told(entryOf(open, capability))),
      fix: backed ? `Back ${capability} as the contract does.` : 'Decide partial or block: no order can be followed.',
    };
  }
}

/** Row 18: where work is executed a node requires something, even if nothing is to be verified. */
function* toolReasons({ mode, judged }: PlanQuestion, { due }: Needs, { tools }: Means): Generator<Reason> {
  if (!executes(mode) || due.length > 0 || tools.length > 0) return;
  yield {
    path: judged === 'order' ? 'allowedCapabilities' : 'permissions',
    message: 'a node must require a capability, and none is left that it may use',
    fix:
      judged === 'order'
        ? 'Allow a capability that contract and authority back, with permissions for it.'
        : 'Grant a capability that this run may use at this stage.',
  };
}

/** Rows 5 and 9 against rows 18 and 20. */
function* callReasons({ calls, scope, judged }: PlanQuestion, { leastCalls }: Needs): Generator<Reason> {
  const path = judged === 'order' ? 'maximumToolCalls' : 'verificationRequirements';
  if (calls.left < leastCalls)
    yield {
      path,
      message: `a plan needs at least ${leastCalls} tool calls, and ${calls.left} of the run's ${limits.planToolCalls} are left`,
      fix:
        judged === 'order'
          ? 'Decide partial or block: the calls of this run are used up.'
          : 'Require fewer different capabilities.',
    };
  const most = scope?.order.maximumToolCalls ?? leastCalls;
  if (most < leastCalls)
    yield {
      path,
      message: `a plan needs at least ${leastCalls} tool calls, one for each capability to be verified, and the order gives ${most}`,
      ...(judged === 'order' && { expected: leastCalls }),
      fix:
        judged === 'order'
          ? `Set maximumToolCalls to at least ${leastCalls}.`
          : `Require at most ${most} different capabilities: the work order that stands gives no more calls.`,
    };
}

/**
 * Every reason against the one node that would have to carry a plan (see `buildPlan`); none when it can. Each is a row of
 * admission section 8.2 that no choice of the plan's author could satisfy; all other rows are satisfied by choosing.
 */
export const reasonsAgainst = (question: PlanQuestion, needs: Needs, means: Means): readonly Reason[] => [
  ...criteriaReasons(question, needs),
  ...stageReasons(question, needs),
  ...(question.judged === 'order' ? orderCapabilityReasons : contractCapabilityReasons)(question, needs, means),
  ...toolReasons(question, needs, means),
  ...callReasons(question, needs),
];
