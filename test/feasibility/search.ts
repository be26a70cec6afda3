import { type Query, ruleBook } from '../../machines/index.ts';
import { keepCapabilities } from '../../machines/permissions/permissionSet.ts';
import { effectiveFor } from '../../machines/rules/derived.ts';
import type { BodyOf } from '../../schemas/artifacts/index.ts';
import type { ActionCapability } from '../../schemas/vocabulary.ts';
import { type Body, node, planOf } from '../rules/executionFixtures.ts';
import { own, query } from '../rules/fixtures.ts';
import { capabilities, type World } from './worlds.ts';

/** A blind search for a plan that the rules admit: it knows the shape of plans and nothing of what makes one possible. */

type Plan = BodyOf<'WorkPlan'>;
type Node = Plan['nodes'][number];

const planRules = ruleBook.filter(({ types, part }) => part === 'own' && types.includes('WorkPlan'));
/** Rows that judge the plan as a whole; the others judge each node alone. */
const whole = new Set(['04', '05', '06', '07', '09', '25', '26', '28', '29'].map((row) => `ADM-PLAN-${row}`));
const nodeRules = planRules.filter(({ code }) => !whole.has(code));

const subsets = <T>(pool: readonly T[], most = pool.length): T[][] => {
  const found: T[][] = [[]];
  for (const member of pool) found.push(...found.map((one) => [...one, member]));
  return found.filter(({ length }) => length <= most);
};

const orders: readonly (readonly (readonly [number, number])[])[] = [
  [],
  [[1, 0]],
  [[0, 1]],
  [
    [2, 0],
    [2, 1],
  ],
  [
    [1, 0],
    [2, 1],
  ],
  [
    [0, 2],
    [1, 2],
  ],
];

/** At most this many plans of two and of three nodes are tried, spread over all there are. */
const mostTried = 1500;

const planWith = (world: World, nodes: readonly Node[], order: (typeof orders)[number] = []): Plan => {
  const named = nodes.map((one, index) => ({
    ...one,
    id: `n-${index}`,
    dependsOn: order.filter(([later]) => later === index).map(([, sooner]) => `n-${sooner}`),
  }));
  const body: Body = planOf(named, {
    id: 'tried-01',
    globalBudgets: {
      maximumToolCalls: nodes.reduce((sum, { budgets }) => sum + budgets.maximumToolCalls, 0),
      maximumParallelWorkers: 1,
      maximumSubagentDepth: world.depth,
    },
  });
  return body;
};

/** Whether the rules about plans, or some of them, say nothing of a plan. */
const passes = (base: Query<'WorkPlan'>, body: Plan, rules = planRules): boolean => {
  const asked: Query = { ...base, body };
  return rules.every((rule) => rule.judge(asked).length === 0);
};

const nodesOf = (world: World, base: Query<'WorkPlan'>): readonly Node[] => {
  const { contract, control, order, record } = world;
  const sources = [
    contract.permissions,
    ...(order ? [order.permissions] : []),
    effectiveFor(record, 'analyze_only'),
    node('narrow', ['repository.read', 'repository.write', 'shell.execute'], []).permissions,
  ];
  const criteria: readonly string[] = contract.acceptanceCriteria.map(({ id }: { id: string }) => id);
  const found: Node[] = [];
  for (const tools of subsets<ActionCapability>(capabilities, 3))
    for (const owned of subsets(criteria))
      for (const permissions of sources) {
        const one: Body = node('n-0', tools, owned, {
          inputRefs: [own('contract-01'), ...(control ? [own(control.id)] : [])],
          permissions: keepCapabilities(permissions, (capability) => tools.includes(capability)),
          budgets: { maximumToolCalls: tools.length, maximumChildren: tools.includes('subagent.spawn') ? 1 : 0 },
        });
        if (!passes(base, planWith(world, [one]), nodeRules)) continue;
        found.push(one);
        break;
      }
  return found;
};

/** Every n-th combination, so that at most `mostTried` of each size are looked at. */
function* combinations(nodes: readonly Node[], size: 2 | 3): Generator<readonly Node[]> {
  const total = nodes.length ** size;
  // An odd step visits all residues of small counts of nodes.
  const step = Math.max(1, Math.ceil(total / mostTried)) | 1;
  for (let at = 0; at < total; at += step)
    yield Array.from(
      { length: size },
      (_, place) => nodes[Math.floor(at / nodes.length ** place) % nodes.length],
    ).filter((one) => one !== undefined);
}

/** A plan of one to three nodes that every rule admits, or null when the search finds none. */
export const searchPlan = (world: World): Plan | null => {
  const empty = planWith(world, [node('n-0', [], [])]);
  const base = query('WorkPlan', empty, { run: world.run, record: world.record });
  const nodes = nodesOf(world, base);
  for (const one of nodes) {
    const plan = planWith(world, [one]);
    if (passes(base, plan)) return plan;
  }
  for (const size of [2, 3] as const)
    for (const several of combinations(nodes, size))
      for (const order of orders.filter((pairs) => pairs.every((pair) => pair.every((at) => at < size)))) {
        const plan = planWith(world, several, order);
        if (passes(base, plan)) return plan;
      }
  return null;
};
