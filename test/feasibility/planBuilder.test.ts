import { describe, expect, it } from 'vitest';
import { microPack } from '../../machines/companions/microPack.ts';
import type { RunContext } from '../../machines/context.ts';
import { draftPlan } from '../../machines/feasibility/planBuilder.ts';
import { ordinaryCalls } from '../../machines/feasibility/question.ts';
import type { IntentMode } from '../../schemas/vocabulary.ts';
import {
  contract,
  correctionOrder,
  damagedRecord,
  diagnosisGate,
  fixed,
  fixReview,
  grant,
  order,
  plan,
  recordOf,
  remediating,
  review,
  reviewed,
  type Step,
  start,
  worked,
} from '../rules/executionFixtures.ts';
import { at, bodies, own, plus, recordUpTo, run, stored } from '../rules/fixtures.ts';

const planning = (mode: IntentMode, more: Partial<RunContext> = {}): RunContext =>
  run({ mode, phase: 'agent_3_plan', ...more });

const drafted = (mode: IntentMode, steps: readonly Step[] = start(mode), more: Partial<RunContext> = {}) => {
  const answer = draftPlan(planning(mode, more), recordOf(steps));
  if (!answer.ok) throw new Error(JSON.stringify(answer.why));
  const [node] = answer.plan.nodes;
  if (!node) throw new Error('A plan has a node.');
  return { plan: answer.plan, node };
};

const under = (mode: IntentMode, more: Record<string, unknown> = {}): readonly Step[] => [
  ...worked(mode),
  ['QualityReview', remediating(mode, { remediationWorkOrder: order('failedCriterionIds', ['AC-1'], more) })],
];
const spent = { budgets: { revisions: 1, remediations: 0 } };

describe('the drafted plan', () => {
  it('covers the diagnosis of analyze_and_fix with what analysis may use', () => {
    const { node } = drafted('analyze_and_fix');
    expect(node.acceptanceCriteria).toEqual(['AC-1']);
    expect(node.requiredCapabilities).toEqual(['repository.read']);
    expect(node.allowedTools).toEqual(['repository.read', 'shell.inspect']);
    expect(node.permissions.repository).toEqual({ read: ['**'], write: [], delete: [] });
    expect(node.permissions.shell.executeAllowlist).toEqual([]);
  });

  it('cites the review that opened the fix, keeps to its order and requires a change', () => {
    const { node, plan: body } = drafted('analyze_and_fix', reviewed('analyze_and_fix'));
    expect(body.id).toBe('plan-02');
    expect(node.inputRefs).toEqual([own('contract-01'), own('quality-01')]);
    expect(node.acceptanceCriteria).toEqual(['AC-2']);
    expect(node.requiredCapabilities).toEqual(['repository.write', 'shell.execute']);
    expect(node.permissions).toEqual(correctionOrder().permissions);
    expect(body.globalBudgets.maximumToolCalls).toBe(20);
  });

  it('requires no second change where one was made', () => {
    const steps: readonly Step[] = [
      ...fixed,
      [
        'QualityReview',
        fixReview({
          decision: 'remediate',
          remediationWorkOrder: order('failedCriterionIds', ['AC-2'], {
            allowedCapabilities: ['repository.read', 'repository.write', 'shell.execute'],
            permissions: contract('analyze_and_fix').permissions,
          }),
        }),
      ],
    ];
    const { node } = drafted('analyze_and_fix', steps, spent);
    expect(node.requiredCapabilities).toEqual(['shell.execute']);
    expect(node.allowedTools).toContain('repository.write');
  });

  it('leaves the change out where the order gives no call for it', () => {
    const gate = diagnosisGate({ correctionWorkOrder: correctionOrder({ maximumToolCalls: 1 }) });
    const steps: readonly Step[] = [
      ...worked('analyze_and_fix'),
      ['QualityReview', review('analyze_and_fix', { diagnosisGate: gate })],
    ];
    expect(drafted('analyze_and_fix', steps).node.requiredCapabilities).toEqual(['shell.execute']);
  });

  it('plans a report without tools and without calls', () => {
    const { plan: body, node } = drafted('report_only');
    expect([node.allowedTools, node.requiredCapabilities]).toEqual([[], []]);
    expect(body.globalBudgets.maximumToolCalls).toBe(0);
  });

  it('offers sub-agents only where the host has a depth for them', () => {
    const offer = (maximumSubagentDepth: number) =>
      start('fix_only', {
        budgets: {
          promptRevisions: 1,
          postExecutionRemediations: 1,
          maximumParallelWorkers: 3,
          maximumSubagentDepth,
        },
      });
    const without = drafted('fix_only', offer(0));
    expect(without.node.allowedTools).not.toContain('subagent.spawn');
    expect(without.plan.globalBudgets.maximumSubagentDepth).toBe(0);
    const { node, plan: body } = drafted('fix_only', offer(4));
    expect(node.allowedTools).toContain('subagent.spawn');
    expect(node.budgets.maximumChildren).toBe(3);
    expect(body.globalBudgets.maximumSubagentDepth).toBe(1);
  });

  it('takes what one node can use, and leaves as much to each plan that may follow', () => {
    const callsOf = (reserved: number, more: Partial<RunContext> = {}): number => {
      const body = plan('analyze_and_fix', {
        id: 'plan-00',
        nodes: [0, 1, 2, 3].map((index) => ({
          ...plan('analyze_and_fix').nodes[0],
          id: `n-${index}`,
          budgets: { maximumToolCalls: reserved / 4, maximumChildren: 0 },
        })),
        globalBudgets: { maximumToolCalls: 4000, maximumParallelWorkers: 1, maximumSubagentDepth: 0 },
      });
      const steps: readonly Step[] = [...start('analyze_and_fix'), ['WorkPlan', body]];
      return drafted('analyze_and_fix', steps, more).plan.globalBudgets.maximumToolCalls;
    };
    expect(callsOf(0)).toBe(ordinaryCalls);
    expect(callsOf(3940)).toBe(20);
    expect(callsOf(3940, spent)).toBe(30);
    expect(callsOf(3996, spent)).toBe(2);
  });

  it('never asks for more calls than the order gives', () =>
    expect(drafted('analyze_only', under('analyze_only', { maximumToolCalls: 3 }), spent).node.budgets).toEqual({
      maximumToolCalls: 3,
      maximumChildren: 0,
    }));

  it('leaves room among its references for the contract, the control and an answered question', () => {
    const many = Array.from({ length: 256 }, (_, index) => `repo://src/file-${index}.ts`);
    const steps: readonly Step[] = [
      ...start('fix_only').slice(0, -1),
      ['TaskContract', contract('fix_only', { contextRefs: many })],
    ];
    expect(drafted('fix_only', steps).node.contextRefs).toEqual(many.slice(0, 252));
  });

  it('exists for the pack of a micro run that escalated', () => {
    for (const mode of ['fix_only', 'report_only'] as const) {
      const frame = stored('ProblemFrame', {
        ...bodies.frame(),
        id: 'frame-02',
        intentMode: mode,
        draftAcceptanceCriteria: bodies.frame().draftAcceptanceCriteria.slice(0, 1),
      });
      const before = recordUpTo('ContextManifest');
      const context = planning(mode, { topology: 'micro' });
      const pack = microPack(context, before, frame, at);
      const record = plus(before, frame, pack.contract, pack.plan);
      expect(draftPlan({ ...context, topology: 'standard' }, record)).toMatchObject({ ok: true });
    }
  });
});

describe('a plan that cannot be', () => {
  it('is told for a run whose contract or work order cannot be read', () => {
    expect(draftPlan(planning('fix_only'), recordUpTo('ContextManifest'))).toMatchObject({
      ok: false,
      why: [{ message: expect.stringMatching(/cannot be read/) }],
    });
    const { remediationWorkOrder: _lost, ...body } = remediating('analyze_only');
    const damaged = damagedRecord([...worked('analyze_only'), ['QualityReview', body]]);
    expect(draftPlan(planning('analyze_only'), damaged)).toMatchObject({ ok: false });
  });

  it('names the field of the permissions that the order has to back', () => {
    const answer = draftPlan(
      planning('analyze_only', spent),
      recordOf(under('analyze_only', { allowedCapabilities: ['shell.inspect'], permissions: grant() })),
    );
    expect(answer).toMatchObject({
      ok: false,
      why: [
        { path: 'allowedCapabilities', expected: ['shell.inspect', 'repository.read'] },
        { path: 'permissions.repository.read', expected: ['**'] },
      ],
    });
  });
});
