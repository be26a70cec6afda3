import { z } from 'zod';
import { type Breach, repeats, rule, withRules } from '../bodyRules.ts';
import { PermissionSet } from '../permissions.ts';
import { ArtifactUri, head, Id, int, list, Refs, Summary, str, Text } from '../primitives.ts';
import { Capabilities } from './shared.ts';

/** How the contract will be carried out: nodes tied by what they depend on (artifacts 7.1). */

export const PlanValidation = z.enum(['pending', 'valid', 'invalid']);
export type PlanValidation = z.infer<typeof PlanValidation>;

export const NodeBudgets = z.strictObject({ maximumToolCalls: int(0, 1000), maximumChildren: int(0, 16) });
export type NodeBudgets = z.infer<typeof NodeBudgets>;

export const WorkNode = z.strictObject({
  id: Id,
  logicalRole: str(1, 255),
  objective: Text,
  dependsOn: list(Id, 0, 64),
  inputRefs: Refs,
  contextRefs: Refs,
  allowedTools: Capabilities,
  requiredCapabilities: Capabilities,
  permissions: PermissionSet,
  outputType: z.literal('WorkResult'),
  acceptanceCriteria: list(Id),
  stopConditions: list(Text, 0, 64),
  budgets: NodeBudgets,
});
export type WorkNode = z.infer<typeof WorkNode>;

export const PlanBudgets = z.strictObject({
  maximumToolCalls: int(0, 4000),
  maximumParallelWorkers: z.literal(1),
  maximumSubagentDepth: int(0, 4),
});
export type PlanBudgets = z.infer<typeof PlanBudgets>;

const Fields = z.strictObject({
  ...head,
  taskContractRef: ArtifactUri,
  executionMode: z.literal('serial'),
  nodes: list(WorkNode, 1, 64),
  joinRules: list(Text, 0, 64),
  globalBudgets: PlanBudgets,
  planValidation: PlanValidation,
  rationaleSummary: Summary,
});
type Plan = z.output<typeof Fields>;

/** Ids that lie on a cycle or behind one; a repeated id has the edges of its last node. */
const stuck = ({ nodes }: Plan): readonly string[] => {
  const known = new Set(nodes.map(({ id }) => id));
  const waiting = new Map(nodes.map(({ id, dependsOn }) => [id, new Set(dependsOn.filter((on) => known.has(on)))]));
  const behind = new Map<string, string[]>();
  for (const [id, edges] of waiting) for (const on of edges) behind.set(on, [...(behind.get(on) ?? []), id]);
  const ready = [...waiting].flatMap(([id, edges]) => (edges.size === 0 ? [id] : []));
  for (const done of ready) {
    waiting.delete(done);
    for (const id of behind.get(done) ?? []) {
      const edges = waiting.get(id);
      edges?.delete(done);
      if (edges?.size === 0) ready.push(id);
    }
  }
  return [...waiting.keys()];
};

export const workPlanRules = [
  {
    code: 'SCH-PLAN-01',
    text: 'Each node has an id of its own.',
    fix: 'Give the node another id.',
    check: ({ nodes }: Plan): Breach[] =>
      repeats(nodes, ({ id }) => id).map(({ index, key }) => ({
        path: ['nodes', index, 'id'],
        wrong: `an earlier node has the id "${key}" already`,
      })),
  },
  {
    code: 'SCH-PLAN-02',
    text: 'A node depends on nodes of this plan only.',
    fix: 'Name an id that a node of this plan has, or drop the entry.',
    check: ({ nodes }: Plan): Breach[] => {
      const known = new Set(nodes.map(({ id }) => id));
      return nodes.flatMap(({ id: own, dependsOn }, index) =>
        dependsOn
          .filter((id) => !known.has(id))
          .map((id) => ({
            path: ['nodes', index, 'dependsOn'],
            wrong: `no node has the id "${id}"`,
            expected: dependsOn.filter((one) => one !== own && known.has(one)),
          })),
      );
    },
  },
  {
    code: 'SCH-PLAN-03',
    text: 'A node does not depend on itself.',
    fix: 'Drop the entry.',
    check: ({ nodes }: Plan): Breach[] =>
      nodes.flatMap(({ id, dependsOn }, index) =>
        dependsOn.includes(id)
          ? [
              {
                path: ['nodes', index, 'dependsOn'],
                wrong: `node "${id}" depends on itself`,
                expected: dependsOn.filter((one) => one !== id),
              },
            ]
          : [],
      ),
  },
  rule<Plan>(
    'SCH-PLAN-04',
    ['nodes'],
    'The dependencies have no cycle.',
    'Drop a dependency, so that some node can begin.',
    (body) => {
      const never = stuck(body);
      return never.length > 0 && `these nodes wait for each other and can never begin: ${never.join(', ')}`;
    },
  ),
] as const;

export const WorkPlan = withRules(Fields, workPlanRules);
export type WorkPlan = z.infer<typeof WorkPlan>;
