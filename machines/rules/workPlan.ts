import { limits } from '../../schemas/vocabulary.ts';
import { type BookEntry, rule, type Said } from './book.ts';
import { distinct, envelopeOf, type PlanNode, reservedBy, reservedCalls } from './derived.ts';
import { planScopeOf } from './planScope.ts';
import { told } from './wording.ts';
import { workPlanCoverageRules } from './workPlanCoverage.ts';
import { workPlanNodeRules } from './workPlanNodes.ts';

/** Rules of the WorkPlan: admission section 8.2. Here what concerns the plan as a whole. */

const about = ['WorkPlan'] as const;

/** Where a plan that reserves too much can be cut: the node with most calls beyond what it requires, if it has enough. */
const lowered = (nodes: readonly PlanNode[], excess: number): Pick<Said, 'path' | 'expected'> => {
  const spare = ({ budgets, requiredCapabilities }: PlanNode): number =>
    budgets.maximumToolCalls - Math.max(1, distinct(requiredCapabilities).length);
  const most = nodes.reduce<PlanNode | undefined>(
    (best, node) => (best && spare(best) >= spare(node) ? best : node),
    undefined,
  );
  if (!most || spare(most) < excess) return { path: 'nodes' };
  const path = `nodes.${nodes.indexOf(most)}.budgets.maximumToolCalls`;
  return { path, expected: { maximum: most.budgets.maximumToolCalls - excess } };
};

const wholePlanRules: readonly BookEntry[] = [
  rule({
    code: 'ADM-PLAN-01',
    types: about,
    part: 'own',
    text: 'taskContractRef is the current contract.',
    reads: ['TaskContract'],
    refusal: 'rule_broken',
    *check(query) {
      const { contractRef } = planScopeOf(query);
      const { taskContractRef } = query.body;
      if (taskContractRef === contractRef) return;
      yield {
        path: 'taskContractRef',
        message: `taskContractRef is ${taskContractRef}, not the current contract.`,
        expected: contractRef,
        fix: contractRef ? `Set taskContractRef to ${contractRef}.` : 'This run has no contract to plan for.',
      };
    },
  }),
  rule({
    code: 'ADM-PLAN-02',
    types: about,
    part: 'own',
    text: 'Only a plan that its author found valid is submitted: planValidation is valid.',
    reads: [],
    refusal: 'rule_broken',
    *check({ body }) {
      if (body.planValidation === 'valid') return;
      yield {
        path: 'planValidation',
        message: `planValidation is ${body.planValidation}.`,
        expected: 'valid',
        fix: 'Check the plan against the rules of this phase, then set planValidation to valid.',
      };
    },
  }),
  rule({
    code: 'ADM-PLAN-03',
    types: about,
    part: 'own',
    text: 'executionMode is serial.',
    reads: [],
    refusal: 'rule_broken',
    *check({ body }) {
      if (body.executionMode === 'serial') return;
      yield {
        path: 'executionMode',
        message: `executionMode is ${String(body.executionMode)}.`,
        expected: 'serial',
        fix: 'Set executionMode to serial: nodes run one after another.',
      };
    },
  }),
  rule({
    code: 'ADM-PLAN-04',
    types: about,
    part: 'own',
    text: 'The tool calls of all nodes together fit into globalBudgets.maximumToolCalls.',
    reads: [],
    refusal: 'rule_broken',
    *check({ body }) {
      const reserved = reservedBy(body);
      const { maximumToolCalls } = body.globalBudgets;
      if (reserved <= maximumToolCalls) return;
      yield {
        path: 'globalBudgets.maximumToolCalls',
        message: `The nodes reserve ${reserved} tool calls together, but globalBudgets.maximumToolCalls is ${maximumToolCalls}.`,
        expected: reserved,
        fix: `Raise globalBudgets.maximumToolCalls to ${reserved}, or lower the calls of the nodes.`,
      };
    },
  }),
  rule({
    code: 'ADM-PLAN-05',
    types: about,
    part: 'own',
    text: `All plans of a run together reserve at most ${limits.planToolCalls} tool calls.`,
    reads: ['WorkPlan'],
    refusal: 'quota_exceeded',
    *check({ body, record }) {
      const reserved = reservedBy(body);
      const left = Math.max(0, limits.planToolCalls - reservedCalls(record));
      if (reserved <= left) return;
      yield {
        ...lowered(body.nodes, reserved - left),
        message: `This plan reserves ${reserved} tool calls, but only ${left} of the run's ${limits.planToolCalls} are left.`,
        fix: `Lower maximumToolCalls of the nodes until they need ${left} together.`,
      };
    },
  }),
  rule({
    code: 'ADM-PLAN-06',
    types: about,
    part: 'own',
    text: 'Workers and sub-agent depth of the plan stay inside what the host offered at the start.',
    reads: ['RunEnvelope'],
    refusal: 'rule_broken',
    *check({ body, record }) {
      const budgets = envelopeOf(record)?.body.budgets;
      for (const field of ['maximumParallelWorkers', 'maximumSubagentDepth'] as const) {
        const most = budgets?.[field] ?? 0;
        if (body.globalBudgets[field] <= most) continue;
        yield {
          path: `globalBudgets.${field}`,
          message: `globalBudgets.${field} is ${body.globalBudgets[field]}, but the host offers ${most}.`,
          expected: most,
          fix: `Set globalBudgets.${field} to ${most}.`,
        };
      }
    },
  }),
  rule({
    code: 'ADM-PLAN-07',
    types: about,
    part: 'own',
    text: 'A review or audit that sends work back carries its work order.',
    reads: ['QualityReview', 'ReleaseAudit'],
    refusal: 'integrity_failed',
    ends: true,
    *check(query) {
      const { scoped, order, control } = planScopeOf(query);
      if (!scoped || order) return;
      yield {
        path: 'nodes',
        message: `${control?.ref} sends work back, but its work order cannot be read.`,
        fix: 'Have the ledger checked, or cancel the run.',
      };
    },
  }),
  rule({
    code: 'ADM-PLAN-08',
    types: about,
    part: 'own',
    text: 'After a review or audit that sends work back, every node cites it in inputRefs.',
    reads: ['QualityReview', 'ReleaseAudit'],
    refusal: 'rule_broken',
    *check(query) {
      const { scoped, control } = planScopeOf(query);
      if (!scoped || !control) return;
      for (const [index, node] of query.body.nodes.entries()) {
        if (node.inputRefs.includes(control.ref)) continue;
        yield {
          path: `nodes.${index}.inputRefs`,
          message: `Node ${node.id} does not cite the ${control.artifact.type} that it answers.`,
          ...told([...node.inputRefs, control.ref]),
          fix: `Add ${control.ref} to inputRefs of node ${node.id}.`,
        };
      }
    },
  }),
  rule({
    code: 'ADM-PLAN-09',
    types: about,
    part: 'own',
    text: 'Under a work order, globalBudgets.maximumToolCalls is at most what the order allows.',
    reads: ['QualityReview', 'ReleaseAudit'],
    refusal: 'rule_broken',
    *check(query) {
      const { scoped, order } = planScopeOf(query);
      const { maximumToolCalls } = query.body.globalBudgets;
      if (!scoped || !order || maximumToolCalls <= order.maximumToolCalls) return;
      yield {
        path: 'globalBudgets.maximumToolCalls',
        message: `globalBudgets.maximumToolCalls is ${maximumToolCalls}, but the work order allows ${order.maximumToolCalls}.`,
        expected: order.maximumToolCalls,
        fix: `Set it to at most ${order.maximumToolCalls}, and let the nodes need no more together.`,
      };
      const reserved = reservedBy(query.body);
      if (reserved > order.maximumToolCalls)
        yield {
          ...lowered(query.body.nodes, reserved - order.maximumToolCalls),
          message: `The nodes reserve ${reserved} tool calls together, but the work order allows ${order.maximumToolCalls}.`,
          fix: `Lower maximumToolCalls of the nodes until they need ${order.maximumToolCalls} together.`,
        };
    },
  }),
];

/** Rules of the WorkPlan, in row order. */
export const workPlanRules: readonly BookEntry[] = [...wholePlanRules, ...workPlanNodeRules, ...workPlanCoverageRules];
