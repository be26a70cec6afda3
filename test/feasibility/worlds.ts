import fc from 'fast-check';
import type { RunContext } from '../../machines/context.ts';
import { effectivePermissions } from '../../machines/permissions/modes.ts';
import { emptyPermissions, keepCapabilities } from '../../machines/permissions/permissionSet.ts';
import type { RunRecord } from '../../machines/record.ts';
import type { PermissionSet } from '../../schemas/permissions.ts';
import {
  type ActionCapability,
  executes,
  type IntentMode,
  intentModes,
  type VerificationCapability,
} from '../../schemas/vocabulary.ts';
import {
  audit,
  type Body,
  correctionOrder,
  defect,
  diagnosisGate,
  fixReview,
  node,
  order,
  planOf,
  recordOf,
  remediating,
  review,
  type Step,
  start,
} from '../rules/executionFixtures.ts';
import { bodies, own, run, verification } from '../rules/fixtures.ts';

/** Runs that stand before a plan, of every mode and in every state that leads there, with small contracts and orders. */

export interface World {
  readonly run: RunContext;
  readonly record: RunRecord;
  /** The record before the review or audit that orders the work; null where nothing is ordered. */
  readonly before: RunRecord | null;
  readonly contract: Body;
  /** The order as the body of its review or audit has it. */
  readonly order: Body | null;
  readonly control: Body | null;
  readonly depth: number;
}

/** How the run came to stand before a plan. */
const ways = ['first', 'remediated', 'audited', 'correcting', 'fix remediated', 'fix audited'] as const;
type Way = (typeof ways)[number];

const granted: PermissionSet = {
  ...emptyPermissions(),
  repository: { read: ['**'], write: ['**'], delete: [] },
  shell: { inspect: true, executeAllowlist: ['npm test', 'npm run lint'] },
  browser: { inspect: true, mutateState: false },
  network: { readDomains: ['example.org'], externalWrite: false },
  subagents: { spawn: true, maximumChildren: 3, maximumDepth: 1 },
};

/** What contracts and orders grant: all of it, or narrower. */
const narrow: PermissionSet = {
  ...granted,
  repository: { read: ['src/**', 'docs/a.md'], write: ['src/**'], delete: [] },
  shell: { inspect: true, executeAllowlist: ['npm test'] },
  subagents: { spawn: true, maximumChildren: 1, maximumDepth: 1 },
};

export const capabilities = [
  'repository.read',
  'repository.write',
  'shell.inspect',
  'shell.execute',
  'network.read',
  'subagent.spawn',
] as const satisfies readonly ActionCapability[];

const verifiable = [
  'repository.read',
  'shell.inspect',
  'shell.execute',
  'network.read',
] as const satisfies readonly VerificationCapability[];

const part = (set: PermissionSet, kept: readonly ActionCapability[]): PermissionSet =>
  keepCapabilities(set, (capability) => kept.includes(capability));

const stages = fc.constantFrom('diagnosis', 'completion');
/** More often many than few, so that about as many worlds can be planned as not. */
const most = <T>(pool: readonly T[]): fc.Arbitrary<T[]> =>
  fc.oneof({ arbitrary: fc.constant<T[]>([...pool]), weight: 2 }, { arbitrary: fc.subarray<T>([...pool]), weight: 3 });

const contractOf = (mode: IntentMode) =>
  fc
    .record({
      stages: fc.array(stages, { minLength: 1, maxLength: 3 }),
      checks: fc.array(
        fc.record({ stage: stages, capability: fc.constantFrom(...verifiable), required: fc.boolean() }),
        { maxLength: 2 },
      ),
      must: fc.record({
        diagnosis: fc.constantFrom(...verifiable),
        completion: fc.constantFrom(...verifiable),
      }),
      kept: most(capabilities),
      wide: fc.boolean(),
    })
    .map(({ stages: drawn, checks, must, kept, wide }) => {
      const staged = mode === 'analyze_and_fix';
      const all = staged ? [...new Set([...drawn, 'diagnosis', 'completion'])] : drawn;
      const effective = effectivePermissions(mode, wide ? granted : narrow, emptyPermissions());
      const due = [
        ...(executes(mode) ? [verification('VR-c', 'completion', must.completion)] : []),
        ...(staged ? [verification('VR-d', 'diagnosis', must.diagnosis)] : []),
      ];
      return {
        ...bodies.contract(),
        intentMode: mode,
        permissions: part(effective, kept),
        acceptanceCriteria: all.map((stage, index) => ({
          id: `AC-${index + 1}`,
          stage,
          requirement: 'Shown.',
          evidenceRequired: ['out'],
        })),
        verificationRequirements: [
          ...due,
          ...checks.map(({ stage, capability, required }, index) =>
            verification(`VR-${index}`, staged ? stage : 'completion', capability, required),
          ),
        ],
      };
    });

const orderIn = (mode: IntentMode, criteria: readonly string[], effective: PermissionSet) =>
  fc
    .record({
      named: most(criteria),
      allowed: most(capabilities),
      kept: most(capabilities),
      wide: fc.boolean(),
      calls: fc.oneof(fc.constant(1000), fc.integer({ min: 1, max: 4 })),
    })
    .map(({ named, allowed, kept, wide, calls }) => ({
      criteria: named.length > 0 ? named : criteria.slice(0, 1),
      more: {
        allowedCapabilities: allowed.length > 0 || !executes(mode) ? allowed : ['repository.read'],
        permissions: part(wide ? effective : narrow, kept),
        maximumToolCalls: calls,
      },
    }));

const reservedPlan = (id: string, calls: number, more: object = {}): Body => {
  const nodes = [0, 1, 2, 3].map((index) =>
    node(`n-${index}`, [], [], {
      budgets: { maximumToolCalls: Math.min(1000, Math.max(0, calls - 1000 * index)), maximumChildren: 0 },
      ...more,
    }),
  );
  return planOf(nodes, {
    id,
    globalBudgets: { maximumToolCalls: 4000, maximumParallelWorkers: 1, maximumSubagentDepth: 0 },
  });
};

const waysOf = (mode: IntentMode): readonly Way[] =>
  mode === 'analyze_and_fix' ? ways : ['first', 'remediated', 'audited'];

const controlIn = (
  mode: IntentMode,
  way: Way,
  { criteria, more }: { criteria: readonly string[]; more: object },
): Step | null => {
  const id = 'control-01';
  switch (way) {
    case 'first':
      return null;
    case 'remediated':
      return [
        'QualityReview',
        remediating(mode, { id, remediationWorkOrder: order('failedCriterionIds', criteria, { ...more }) }),
      ];
    case 'fix remediated':
      return [
        'QualityReview',
        fixReview({
          id,
          decision: 'remediate',
          remediationWorkOrder: order('failedCriterionIds', criteria, { ...more }),
        }),
      ];
    case 'audited':
    case 'fix audited':
      return [
        'ReleaseAudit',
        audit(mode, {
          id,
          decision: 'remediate',
          remediationDefect: { ...defect({ ...more }), failedCriterionIds: criteria },
          userReportRef: null,
        }),
      ];
    case 'correcting': {
      const correction = correctionOrder({ ...more, targetCriterionIds: criteria });
      return ['QualityReview', review(mode, { id, diagnosisGate: diagnosisGate({ correctionWorkOrder: correction }) })];
    }
  }
};

const orderOf = (control: Body): Body =>
  control.remediationWorkOrder ?? control.remediationDefect ?? control.diagnosisGate?.correctionWorkOrder ?? null;

/** Every state of a run in which a plan is due. */
export const worlds: fc.Arbitrary<World> = fc
  .constantFrom(...intentModes)
  .chain((mode) => fc.tuple(fc.constant(mode), fc.constantFrom(...waysOf(mode)), contractOf(mode)))
  .chain(([mode, way, contract]) =>
    fc
      .record({
        ordered: orderIn(
          mode,
          contract.acceptanceCriteria.map(({ id }) => id),
          contract.permissions,
        ),
        reserved: fc.oneof({ arbitrary: fc.constant(8), weight: 3 }, fc.integer({ min: 3996, max: 4000 })),
        depth: fc.integer({ min: 0, max: 1 }),
      })
      .map(({ ordered, reserved, depth }): World => {
        const control = controlIn(mode, way, ordered);
        const budgets = {
          promptRevisions: 1,
          postExecutionRemediations: 1,
          maximumParallelWorkers: 3,
          maximumSubagentDepth: depth,
        };
        const [request, envelope] = start(mode, {
          budgets,
          authorization: { granted, denied: emptyPermissions() },
        });
        if (!request || !envelope) throw new Error('A run has a start.');
        const first: readonly Step[] = [
          request,
          envelope,
          ['ContextDocument', bodies.document()],
          ['ContextManifest', bodies.manifest()],
          ['ProblemFrame', bodies.frame()],
          ['TaskContract', contract],
        ];
        const worked: readonly Step[] = way === 'first' ? [] : [['WorkPlan', reservedPlan('earlier-01', reserved)]];
        const unlocked: readonly Step[] = way.startsWith('fix')
          ? [
              ['QualityReview', review(mode)],
              ['WorkPlan', reservedPlan('earlier-02', 0, { inputRefs: [own('contract-01'), own('quality-01')] })],
            ]
          : [];
        const steps = [...first, ...worked, ...unlocked];
        return {
          run: run({ mode, phase: 'agent_3_plan', topology: 'forensic', contractVersion: 1 }),
          record: recordOf(control ? [...steps, control] : steps),
          before: control ? recordOf(steps) : null,
          contract,
          order: control && orderOf(control[1]),
          control: control?.[1] ?? null,
          depth,
        };
      }),
  );
