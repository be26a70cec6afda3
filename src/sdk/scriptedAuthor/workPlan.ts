import { keepCapabilities } from '../../../machines/permissions/permissionSet.ts';
import { controlOf, isStageLimited } from '../../../machines/rules/derived.ts';
import type { BodyOf } from '../../../schemas/artifacts/index.ts';
import { type ActionCapability, VerificationCapability } from '../../../schemas/vocabulary.ts';
import { headOf, latest, latestRef, type Stand } from './stand.ts';
import { usesOf } from './tasks.ts';

type Plan = BodyOf<'WorkPlan'>;
type Node = Plan['nodes'][number];

/** Reserved for each capability of a node: more than the author ever uses. */
const callsEach = 6;

interface Part {
  readonly criteria: readonly string[];
  readonly capabilities: readonly ActionCapability[];
}

const nodeOf = (stand: Stand, id: string, { criteria, capabilities }: Part, after: readonly string[]): Node => {
  const contract = latest(stand, 'TaskContract').body;
  const control = controlOf(stand.record);
  const scoped = control !== null && control.kind !== 'none';
  return {
    id,
    logicalRole: 'executor',
    objective: `Show that ${criteria.join(' and ')} holds.`,
    dependsOn: [...after],
    inputRefs: [latestRef(stand, 'TaskContract'), ...(scoped ? [control.ref] : [])],
    contextRefs: contract.contextRefs,
    allowedTools: [...capabilities],
    requiredCapabilities: [...capabilities],
    permissions: keepCapabilities(contract.permissions, (one) => capabilities.some((used) => used === one)),
    outputType: 'WorkResult',
    acceptanceCriteria: [...criteria],
    stopConditions: ['Stop when the permissions of this node do not cover the next step.'],
    budgets: { maximumToolCalls: capabilities.length * callsEach, maximumChildren: 0 },
  };
};

/** The criteria over so many nodes: what is left goes to the last; nodes beyond them look once more at the last criterion. */
const partsOf = (criteria: readonly string[], nodes: number): readonly Part[] => {
  const groups = criteria.slice(0, nodes - 1).map((id) => [id]);
  const rest = criteria.slice(nodes - 1);
  const own = rest.length > 0 ? [...groups, rest] : groups;
  const parts = own.map((group) => ({ criteria: group, capabilities: usesOf(group) }));
  const last = parts.at(-1);
  if (!last) return parts;
  const looking = {
    ...last,
    capabilities: last.capabilities.filter((one) => VerificationCapability.safeParse(one).success),
  };
  return [...parts, ...Array.from({ length: nodes - parts.length }, () => looking)];
};

/**
 * A plan for every criterion of the contract, or of the work order that the run stands under.
 *
 * @param size how many nodes; one for each criterion when left out
 */
export const workPlan = (stand: Stand, size?: number): Plan => {
  const contract = latest(stand, 'TaskContract').body;
  const control = controlOf(stand.record);
  const order = control?.order ?? null;
  const early = isStageLimited(stand.record, stand.run.requestedMode);
  const wanted = contract.acceptanceCriteria.filter(({ stage }) => !early || stage === 'diagnosis');
  const criteria = order ? [...order.criteria] : wanted.map(({ id }) => id);
  const nodes = partsOf(criteria, size ?? criteria.length).map((part, index) =>
    nodeOf(stand, `node-${index + 1}`, part, index === 0 ? [] : [`node-${index}`]),
  );
  return {
    ...headOf(stand, 'plan'),
    taskContractRef: latestRef(stand, 'TaskContract'),
    executionMode: 'serial',
    nodes,
    joinRules: [],
    globalBudgets: {
      maximumToolCalls: nodes.reduce((sum, { budgets }) => sum + budgets.maximumToolCalls, 0),
      maximumParallelWorkers: 1,
      maximumSubagentDepth: 0,
    },
    planValidation: 'valid',
    rationaleSummary: 'One step after the other, each with no more than the capability that its criterion needs.',
  };
};
