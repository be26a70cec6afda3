import { keepCapabilities } from '../../../machines/permissions/permissionSet.ts';
import { controlOf, isStageLimited } from '../../../machines/rules/derived.ts';
import type { BodyOf } from '../../../schemas/artifacts/index.ts';
import type { Script } from './script.ts';
import { headOf, latest, latestRef, type Stand } from './stand.ts';
import { usesOf } from './tasks.ts';

type Plan = BodyOf<'WorkPlan'>;
type Node = Plan['nodes'][number];

/** Reserved for each capability of a node: more than the author ever uses. */
const callsEach = 6;

const nodeOf = (stand: Stand, id: string, criteria: readonly string[], after: readonly string[]): Node => {
  const contract = latest(stand, 'TaskContract').body;
  const control = controlOf(stand.record);
  const scoped = control !== null && control.kind !== 'none';
  const capabilities = usesOf(criteria);
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

/** A plan for every criterion of the contract, or of the work order that the run stands under. */
export const workPlan = (stand: Stand, script: Script): Plan => {
  const contract = latest(stand, 'TaskContract').body;
  const control = controlOf(stand.record);
  const order = control?.order ?? null;
  const early = isStageLimited(stand.record, stand.run.requestedMode);
  const wanted = contract.acceptanceCriteria.filter(({ stage }) => !early || stage === 'diagnosis');
  const criteria = order ? [...order.criteria] : wanted.map(({ id }) => id);
  const groups = script.plan === 'one' ? [criteria] : criteria.map((id) => [id]);
  const nodes = groups.map((group, index) =>
    nodeOf(stand, `node-${index + 1}`, group, index === 0 ? [] : [`node-${index}`]),
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
