import type { PermissionSet } from '../../schemas/permissions.ts';
import { executes } from '../../schemas/vocabulary.ts';
import { covers } from '../permissions/permissionSet.ts';
import { type BookEntry, type Query, rule, type Said } from './book.ts';
import { distinct, effectiveFor, type PlanNode } from './derived.ts';
import { excessFaults } from './excess.ts';
import { criteriaOf, planScopeOf } from './planScope.ts';
import { listed, told } from './wording.ts';

/** Rules of the single nodes of a WorkPlan (admission section 8.2, rows 10 to 24). */

const about = ['WorkPlan'] as const;

type PlanQuery = Query<'WorkPlan'>;

/** A rule that judges each node on its own. */
const nodeRule = (
  entry: Readonly<{
    number: string;
    text: string;
    reads?: readonly string[];
    refusal?: 'rule_broken' | 'permission_exceeded';
    each(node: PlanNode, path: string, query: PlanQuery): Iterable<Said>;
  }>,
): BookEntry =>
  rule({
    code: `ADM-PLAN-${entry.number}`,
    types: about,
    part: 'own',
    text: entry.text,
    reads: entry.reads ?? [],
    refusal: entry.refusal ?? 'rule_broken',
    *check(query) {
      for (const [index, node] of query.body.nodes.entries()) yield* entry.each(node, `nodes.${index}`, query);
    },
  });

type Bound = Readonly<{ name: string; permissions: PermissionSet }>;

/** The sets that a node's permissions must stay inside, narrowest first, by the row that demands it. */
const boundsOf = (query: PlanQuery): Readonly<Record<'11' | '12' | '13', Bound | null>> => {
  const { order, scoped, contract, initial } = planScopeOf(query);
  return {
    '11': scoped && order ? { name: 'the work order', permissions: order.permissions } : null,
    '12': contract ? { name: 'the contract', permissions: contract.body.permissions } : null,
    '13': initial ? { name: 'the diagnosis', permissions: effectiveFor(query.record, 'analyze_only') } : null,
  };
};

/** The faults of one row; a field that an earlier row has told is not told again. */
const permissionFaults = (row: '11' | '12' | '13', node: PlanNode, path: string, query: PlanQuery): readonly Said[] => {
  const bounds = boundsOf(query);
  const seen = new Set<string>();
  for (const current of ['11', '12', '13'] as const) {
    const bound = bounds[current];
    const faults = bound
      ? [
          ...excessFaults(node.permissions, bound.permissions, {
            path: `${path}.permissions`,
            who: `Node ${node.id}`,
            bound: bound.name,
            except: seen,
          }),
        ]
      : [];
    if (current === row) return faults;
    for (const fault of faults) seen.add(fault.path);
  }
  return [];
};

export const workPlanNodeRules: readonly BookEntry[] = [
  nodeRule({
    number: '10',
    text: 'Under a work order, a node uses only capabilities that the order allows.',
    reads: ['QualityReview', 'ReleaseAudit'],
    *each(node, path, query) {
      const { scoped, order } = planScopeOf(query);
      if (!scoped || !order) return;
      const foreign = distinct(node.allowedTools).filter((tool) => !order.allowedCapabilities.includes(tool));
      if (foreign.length === 0) return;
      yield {
        path: `${path}.allowedTools`,
        message: `Node ${node.id} allows ${listed(foreign)}, which the work order does not.`,
        ...told(node.allowedTools.filter((tool) => order.allowedCapabilities.includes(tool))),
        fix: `Use only ${listed(order.allowedCapabilities)}.`,
      };
    },
  }),
  nodeRule({
    number: '11',
    text: 'Under a work order, the permissions of a node stay inside those of the order.',
    reads: ['QualityReview', 'ReleaseAudit'],
    refusal: 'permission_exceeded',
    each: (node, path, query) => permissionFaults('11', node, path, query),
  }),
  nodeRule({
    number: '12',
    text: 'The permissions of a node stay inside those of the contract.',
    reads: ['TaskContract'],
    refusal: 'permission_exceeded',
    each: (node, path, query) => permissionFaults('12', node, path, query),
  }),
  nodeRule({
    number: '13',
    text: 'Before the diagnosis is reviewed, the permissions of a node stay inside what analysis may use.',
    reads: ['RunEnvelope', 'QualityReview', 'WorkPlan'],
    refusal: 'permission_exceeded',
    each: (node, path, query) => permissionFaults('13', node, path, query),
  }),
  nodeRule({
    number: '14',
    text: 'A node reserves no more children than its permissions give.',
    *each(node, path) {
      const most = node.permissions.subagents.maximumChildren;
      if (node.budgets.maximumChildren <= most) return;
      yield {
        path: `${path}.budgets.maximumChildren`,
        message: `Node ${node.id} reserves ${node.budgets.maximumChildren} children, but its permissions give ${most}.`,
        expected: most,
        fix: `Set maximumChildren of its budgets to ${most}.`,
      };
    },
  }),
  nodeRule({
    number: '15',
    text: 'The sub-agent depth of a node fits into globalBudgets, and spawning needs a depth.',
    *each(node, path, { body }) {
      const most = body.globalBudgets.maximumSubagentDepth;
      const { maximumDepth, spawn } = node.permissions.subagents;
      if (maximumDepth > most)
        yield {
          path: `${path}.permissions.subagents.maximumDepth`,
          message: `Node ${node.id} asks for sub-agent depth ${maximumDepth}, but globalBudgets gives ${most}.`,
          expected: most,
          fix: `Set maximumDepth of its sub-agents to ${most}.`,
        };
      if (spawn && most === 0)
        yield {
          path: `${path}.permissions.subagents.spawn`,
          message: `Node ${node.id} may spawn sub-agents, but globalBudgets.maximumSubagentDepth is 0.`,
          expected: false,
          fix: 'Set spawn to false, or give globalBudgets.maximumSubagentDepth at least 1 if the host offers it.',
        };
    },
  }),
  nodeRule({
    number: '16',
    text: 'Each capability that a node allows is backed by its permissions.',
    *each(node, path) {
      const bare = distinct(node.allowedTools).filter((tool) => !covers(node.permissions, tool));
      if (bare.length === 0) return;
      yield {
        path: `${path}.allowedTools`,
        message: `Node ${node.id} allows ${listed(bare)}, but its permissions back none of it.`,
        ...told(node.allowedTools.filter((tool) => covers(node.permissions, tool))),
        fix: 'Take out what is not backed, or back it in the permissions of the node.',
      };
    },
  }),
  nodeRule({
    number: '17',
    text: 'A node lists each required capability once.',
    *each(node, path) {
      const once = distinct(node.requiredCapabilities);
      if (once.length === node.requiredCapabilities.length) return;
      yield {
        path: `${path}.requiredCapabilities`,
        message: `Node ${node.id} lists ${node.requiredCapabilities.length} required capabilities, ${once.length} of them distinct.`,
        ...told(once),
        fix: 'List each capability once.',
      };
    },
  }),
  nodeRule({
    number: '18',
    text: 'Where work is executed, a node requires at least one capability.',
    reads: ['mode'],
    *each(node, path, { run }) {
      if (!executes(run.mode) || node.requiredCapabilities.length > 0) return;
      yield {
        path: `${path}.requiredCapabilities`,
        message: `Node ${node.id} requires no capability, so its result would show nothing.`,
        ...(node.allowedTools.length > 0 && told(distinct(node.allowedTools))),
        fix: `Require at least one of the capabilities that the node allows (${listed(node.allowedTools)}).`,
      };
    },
  }),
  nodeRule({
    number: '19',
    text: 'A node allows each capability that it requires.',
    *each(node, path) {
      const missing = distinct(node.requiredCapabilities).filter(
        (capability) => !node.allowedTools.includes(capability),
      );
      if (missing.length === 0) return;
      const backed = missing.every((capability) => covers(node.permissions, capability));
      yield {
        path: backed ? `${path}.allowedTools` : `${path}.requiredCapabilities`,
        message: `Node ${node.id} requires ${listed(missing)}, but allowedTools lacks it.`,
        ...told(
          backed
            ? [...node.allowedTools, ...missing]
            : node.requiredCapabilities.filter((capability) => node.allowedTools.includes(capability)),
        ),
        fix: backed
          ? `Add ${listed(missing)} to allowedTools.`
          : 'Require only what the node allows; its permissions do not back the rest.',
      };
    },
  }),
  nodeRule({
    number: '20',
    text: 'A node has at least one tool call for each capability that it requires.',
    *each(node, path) {
      const least = distinct(node.requiredCapabilities).length;
      if (node.budgets.maximumToolCalls >= least) return;
      yield {
        path: `${path}.budgets.maximumToolCalls`,
        message: `Node ${node.id} has ${node.budgets.maximumToolCalls} tool calls, but requires ${least} capabilities.`,
        expected: least,
        fix: `Give it at least ${least} tool calls.`,
      };
    },
  }),
  nodeRule({
    number: '21',
    text: 'A node that requires subagent.spawn has a budget of at least one child.',
    *each(node, path) {
      if (!node.requiredCapabilities.includes('subagent.spawn') || node.budgets.maximumChildren > 0) return;
      yield {
        path: `${path}.budgets.maximumChildren`,
        message: `Node ${node.id} requires subagent.spawn, but reserves no child.`,
        expected: 1,
        fix: 'Set maximumChildren of its budgets to at least 1.',
      };
    },
  }),
  nodeRule({
    number: '22',
    text: 'A node names only criteria of the contract.',
    reads: ['TaskContract'],
    *each(node, path, query) {
      const criteria = criteriaOf(planScopeOf(query).contract);
      const foreign = distinct(node.acceptanceCriteria).filter((id) => !criteria.has(id));
      if (foreign.length === 0) return;
      yield {
        path: `${path}.acceptanceCriteria`,
        message: `Node ${node.id} names ${listed(foreign)}, which the contract does not have.`,
        ...told(node.acceptanceCriteria.filter((id) => criteria.has(id))),
        fix: `Name only criteria of the contract: ${listed([...criteria.keys()])}.`,
      };
    },
  }),
  nodeRule({
    number: '23',
    text: 'Under a work order, a node names only criteria of the order.',
    reads: ['QualityReview', 'ReleaseAudit'],
    *each(node, path, query) {
      const { scoped, order, contract } = planScopeOf(query);
      if (!scoped || !order) return;
      const criteria = criteriaOf(contract);
      // What the contract does not have is told by PLAN-22.
      const foreign = distinct(node.acceptanceCriteria).filter(
        (id) => criteria.has(id) && !order.criteria.includes(id),
      );
      if (foreign.length === 0) return;
      yield {
        path: `${path}.acceptanceCriteria`,
        message: `Node ${node.id} covers ${listed(foreign)}, which is outside the work order.`,
        ...told(node.acceptanceCriteria.filter((id) => order.criteria.includes(id))),
        fix: `Cover only what the order names: ${listed(order.criteria)}.`,
      };
    },
  }),
  nodeRule({
    number: '24',
    text: 'Before the fix is unlocked, a node covers diagnosis criteria only.',
    reads: ['TaskContract', 'QualityReview', 'WorkPlan'],
    *each(node, path, query) {
      const { initial, contract, scoped, order } = planScopeOf(query);
      if (!initial) return;
      const criteria = criteriaOf(contract);
      const isEarly = (id: string): boolean => criteria.get(id)?.stage === 'completion';
      const isTold = (id: string): boolean => scoped && !order?.criteria.includes(id);
      const early = distinct(node.acceptanceCriteria).filter((id) => isEarly(id) && !isTold(id));
      if (early.length === 0) return;
      yield {
        path: `${path}.acceptanceCriteria`,
        message: `Node ${node.id} covers ${listed(early)} of the completion stage before the fix is unlocked.`,
        ...told(node.acceptanceCriteria.filter((id) => !isEarly(id))),
        fix: 'Leave completion criteria to the plan that follows a proceed_to_fix review.',
      };
    },
  }),
];
