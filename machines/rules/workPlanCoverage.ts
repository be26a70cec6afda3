import { mayMutate } from '../permissions/capability.ts';
import { covers } from '../permissions/permissionSet.ts';
import { type BookEntry, type Query, rule, type Said } from './book.ts';
import type { PlanNode } from './derived.ts';
import {
  criteriaOf,
  dueVerifications,
  isEligible,
  ownsStage,
  type PlanScope,
  planScopeOf,
  type Verification,
} from './planScope.ts';
import { listed, told } from './wording.ts';

/** Rules of what the nodes of a WorkPlan cover and verify together (admission section 8.2, rows 25 to 29). */

const about = ['WorkPlan'] as const;

type PlanQuery = Query<'WorkPlan'>;

const coverageFault = (nodes: readonly PlanNode[], wanted: readonly string[], source: string): readonly Said[] => {
  const covered = new Set(nodes.flatMap((node) => node.acceptanceCriteria));
  const missing = wanted.filter((id) => !covered.has(id));
  if (missing.length === 0) return [];
  return [
    {
      path: 'nodes.0.acceptanceCriteria',
      message: `No node covers ${listed(missing)} of ${source}.`,
      ...told({ add: missing }),
      fix: `Name ${listed(missing)} in acceptanceCriteria of a node, this one or another.`,
    },
  ];
};

const demanded = ({ contract, stage }: PlanScope): readonly Verification[] =>
  contract ? dueVerifications(contract.body, stage) : [];

const eligibleNodes = (query: PlanQuery, verification: Verification): readonly PlanNode[] => {
  const { contract, stage } = planScopeOf(query);
  const criteria = criteriaOf(contract);
  return query.body.nodes.filter((node) => isEligible(node, criteria, verification, stage !== null));
};

const unscheduled = (query: PlanQuery, verification: Verification): Said => {
  const { contract, stage } = planScopeOf(query);
  const criteria = criteriaOf(contract);
  const { id, capability } = verification;
  const kind = stage === null ? 'a criterion' : `a ${stage} criterion`;
  const owners = query.body.nodes.flatMap((node, index) => (ownsStage(node, criteria, stage) ? [{ node, index }] : []));
  const ready = owners.find(({ node }) => node.allowedTools.includes(capability));
  const backed = owners.find(({ node }) => covers(node.permissions, capability));
  const message = `Verification ${id} is not scheduled: no node both requires ${capability} and owns ${kind}.`;
  if (ready)
    return {
      path: `nodes.${ready.index}.requiredCapabilities`,
      message,
      ...told([...ready.node.requiredCapabilities, capability]),
      fix: `Add ${capability} to requiredCapabilities of node ${ready.node.id}, with a tool call for it.`,
    };
  if (backed)
    return {
      path: `nodes.${backed.index}.allowedTools`,
      message,
      ...told([...backed.node.allowedTools, capability]),
      fix: `Add ${capability} to allowedTools and requiredCapabilities of node ${backed.node.id}, with a tool call for it.`,
    };
  return {
    path: 'nodes',
    message,
    fix: `Let a node that owns ${kind} allow and require ${capability}, with permissions that back it.`,
  };
};

/** Every node that must have run before a node, followed through dependsOn. */
const ancestorsOf = (nodes: readonly PlanNode[], start: PlanNode): ReadonlySet<string> => {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const found = new Set<string>();
  const open = [...start.dependsOn];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (found.has(id)) continue;
    found.add(id);
    open.push(...(byId.get(id)?.dependsOn ?? []));
  }
  return found;
};

/** The mutating nodes that are not sure to run before a node, or with it. */
const missedBy = (nodes: readonly PlanNode[], node: PlanNode): readonly PlanNode[] => {
  const before = ancestorsOf(nodes, node);
  return nodes.filter(
    (other) => other.id !== node.id && !before.has(other.id) && other.allowedTools.some((tool) => mayMutate(tool)),
  );
};

/** One node that verifies after all mutation is enough. */
const orderFault = (nodes: readonly PlanNode[], id: string, eligible: readonly PlanNode[]): readonly Said[] => {
  const tried = eligible.map((node) => ({ node, missed: missedBy(nodes, node) }));
  if (tried.length === 0 || tried.some(({ missed }) => missed.length === 0)) return [];
  const isFree = (node: PlanNode, missed: readonly PlanNode[]): boolean =>
    missed.every((other) => !ancestorsOf(nodes, other).has(node.id));
  const best = tried.find(({ node, missed }) => isFree(node, missed)) ?? tried[0];
  if (!best) return [];
  const names = best.missed.map((node) => node.id);
  const message = `Verification ${id} could run in node ${best.node.id} before ${listed(names)}, which may change things.`;
  if (!isFree(best.node, best.missed))
    return [
      {
        path: 'nodes',
        message,
        fix: 'Require its capability in a node that depends on every node that may change something.',
      },
    ];
  return [
    {
      path: `nodes.${nodes.indexOf(best.node)}.dependsOn`,
      message,
      ...told([...best.node.dependsOn, ...names]),
      fix: `Make node ${best.node.id} depend on ${listed(names)}.`,
    },
  ];
};

export const workPlanCoverageRules: readonly BookEntry[] = [
  rule({
    code: 'ADM-PLAN-25',
    types: about,
    part: 'own',
    text: 'Under a work order, the nodes together cover every criterion that it names.',
    reads: ['QualityReview', 'ReleaseAudit'],
    refusal: 'rule_broken',
    check: (query) => {
      const { scoped, order } = planScopeOf(query);
      return scoped && order ? coverageFault(query.body.nodes, order.criteria, 'the work order') : [];
    },
  }),
  rule({
    code: 'ADM-PLAN-26',
    types: about,
    part: 'own',
    text: 'Without a work order, the nodes together cover every criterion of the contract; before the unlock of analyze_and_fix, every diagnosis criterion.',
    reads: ['TaskContract'],
    refusal: 'rule_broken',
    check: (query) => {
      const { scoped, initial, contract } = planScopeOf(query);
      if (scoped) return [];
      const wanted = contract?.body.acceptanceCriteria.filter(({ stage }) => !initial || stage === 'diagnosis') ?? [];
      return coverageFault(
        query.body.nodes,
        wanted.map(({ id }) => id),
        'the contract',
      );
    },
  }),
  rule({
    code: 'ADM-PLAN-27',
    types: about,
    part: 'own',
    text: 'In analyze_and_fix a plan schedules the required verifications of its stage, in the other modes all required ones.',
    reads: ['TaskContract', 'mode'],
    refusal: 'rule_broken',
  }),
  rule({
    code: 'ADM-PLAN-28',
    types: about,
    part: 'own',
    text: 'Each verification due has a node that requires its capability and owns a criterion (in analyze_and_fix: of its stage).',
    reads: ['TaskContract', 'mode'],
    refusal: 'rule_broken',
    *check(query) {
      for (const verification of demanded(planScopeOf(query)))
        if (eligibleNodes(query, verification).length === 0) yield unscheduled(query, verification);
    },
  }),
  rule({
    code: 'ADM-PLAN-29',
    types: about,
    part: 'own',
    text: 'Each completion verification has a node that runs after, or is, every node that may change something.',
    reads: ['TaskContract', 'mode'],
    refusal: 'rule_broken',
    *check(query) {
      for (const verification of demanded(planScopeOf(query)))
        if (verification.stage === 'completion')
          yield* orderFault(query.body.nodes, verification.id, eligibleNodes(query, verification));
    },
  }),
];
