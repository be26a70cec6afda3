import { describe, expect, it } from 'vitest';
import { workPlanRules } from '../../machines/rules/workPlan.ts';
import type { IntentMode } from '../../schemas/vocabulary.ts';
import {
  type Body,
  contract,
  damagedRecord,
  findings,
  fixPlan,
  type Given,
  grant,
  node,
  order,
  plan,
  planOf,
  queryOf,
  remediating,
  reviewed,
  type Step,
  start,
  suite,
  unlocked,
  worked,
} from './executionFixtures.ts';
import { own, verification } from './fixtures.ts';

const { accepts, refuses } = suite('WorkPlan', workPlanRules);

const planning = (mode: IntentMode, steps: readonly Step[] = start(mode)): Given => ({
  steps,
  run: { mode, phase: 'agent_3_plan' },
});

/** After a review that remediates, the plan is scoped by its order. */
const scoped = (mode: IntentMode, more: Record<string, unknown> = {}): Given =>
  planning(mode, [
    ...worked(mode),
    ['QualityReview', remediating(mode, { remediationWorkOrder: order('failedCriterionIds', ['AC-1'], more) })],
  ]);

const again = (criteria: readonly string[], more: Record<string, unknown> = {}): Body =>
  planOf(
    [node('again', ['repository.read'], criteria, { inputRefs: [own('contract-01'), own('quality-01')], ...more })],
    { id: 'plan-02', globalBudgets: budgets(8) },
  );

const budgets = (maximumToolCalls: number, maximumSubagentDepth = 0) => ({
  maximumToolCalls,
  maximumParallelWorkers: 1,
  maximumSubagentDepth,
});

/** The plan of a mode with its one node changed. */
const withNode = (mode: IntentMode, more: Record<string, unknown>): Body => {
  const body = plan(mode);
  return { ...body, nodes: [{ ...body.nodes[0], ...more }] };
};

const withContract = (mode: IntentMode, more: Record<string, unknown>): Given =>
  planning(mode, [...start(mode).slice(0, -1), ['TaskContract', contract(mode, more)]]);

/** The same run on a host with sub-agents. */
const withSubagents = (mode: IntentMode): Given =>
  planning(
    mode,
    start(mode, {
      budgets: { promptRevisions: 1, postExecutionRemediations: 1, maximumParallelWorkers: 3, maximumSubagentDepth: 1 },
    }),
  );

describe('the plan as a whole', () => {
  for (const mode of ['report_only', 'plan_only', 'analyze_only', 'fix_only', 'analyze_and_fix'] as const)
    accepts('ADM-PLAN-01', `the plan of a ${mode} run`, () => [plan(mode), planning(mode)]);
  refuses('ADM-PLAN-01', 'a plan for another contract', () => [
    plan('fix_only', { taskContractRef: own('contract-00') }),
    planning('fix_only'),
  ]);
  refuses('ADM-PLAN-02', 'a plan whose validation is pending', () => [
    plan('fix_only', { planValidation: 'pending' }),
    planning('fix_only'),
  ]);
  it('ADM-PLAN-03 refuses a plan that is not serial, as a damaged one could be', () => {
    const query = queryOf('WorkPlan', plan('fix_only'), planning('fix_only'));
    const body: typeof query.body = JSON.parse(JSON.stringify({ ...query.body, executionMode: 'parallel' }));
    expect(findings(workPlanRules, { ...query, body })).toMatchObject([
      { code: 'ADM-PLAN-03', path: 'executionMode', expected: 'serial' },
    ]);
  });
  accepts('ADM-PLAN-03', 'a serial plan', () => [plan('fix_only'), planning('fix_only')]);
  accepts('ADM-PLAN-02', 'a plan marked valid', () => [plan('fix_only'), planning('fix_only')]);
  refuses('ADM-PLAN-04', 'nodes that need more calls than the plan has', () => [
    plan('fix_only', { globalBudgets: budgets(7) }),
    planning('fix_only'),
  ]);
  accepts('ADM-PLAN-04', 'a plan with calls to spare', () => [
    plan('fix_only', { globalBudgets: budgets(9) }),
    planning('fix_only'),
  ]);
  const large = (id: string, calls: number): Body =>
    planOf(
      [0, 1, 2, 3].map((n) =>
        node(`n-${n}`, ['repository.read'], ['AC-1', 'AC-2'], {
          inputRefs: [own('contract-01')],
          budgets: { maximumToolCalls: calls, maximumChildren: 0 },
        }),
      ),
      { id, globalBudgets: budgets(4000) },
    );
  refuses('ADM-PLAN-05', 'a plan beyond the calls that the run has left', () => [
    large('plan-02', 1000),
    planning('analyze_only', [...start('analyze_only'), ['WorkPlan', plan('analyze_only')]]),
  ]);
  accepts('ADM-PLAN-05', 'a plan that takes the last calls of the run', () => [
    large('plan-02', 998),
    planning('analyze_only', [...start('analyze_only'), ['WorkPlan', plan('analyze_only')]]),
  ]);
  refuses('ADM-PLAN-06', 'a sub-agent depth that the host does not offer', () => [
    plan('fix_only', { globalBudgets: budgets(8, 1) }),
    planning('fix_only'),
  ]);
  accepts('ADM-PLAN-06', 'a sub-agent depth that the host offers', () => [
    plan('fix_only', { globalBudgets: budgets(8, 1) }),
    withSubagents('fix_only'),
  ]);
});

describe('a plan under a work order', () => {
  accepts('ADM-PLAN-08', 'a plan whose nodes cite the review', () => [again(['AC-1']), scoped('analyze_only')]);
  refuses('ADM-PLAN-08', 'a node that does not cite the review', () => [
    again(['AC-1'], { inputRefs: [own('contract-01')] }),
    scoped('analyze_only'),
  ]);
  accepts('ADM-PLAN-08', 'the plan that unlocks the fix', () => [
    fixPlan(),
    planning('analyze_and_fix', reviewed('analyze_and_fix')),
  ]);
  refuses('ADM-PLAN-07', 'any plan when the work order is lost', () => {
    const { remediationWorkOrder: _lost, ...body } = remediating('analyze_only');
    return [
      again(['AC-1']),
      { ...planning('analyze_only'), steps: damagedRecord([...worked('analyze_only'), ['QualityReview', body]]) },
    ];
  });
  accepts('ADM-PLAN-07', 'a plan under an order that can be read', () => [again(['AC-1']), scoped('analyze_only')]);
  refuses('ADM-PLAN-09', 'more calls than the order allows', () => [
    again(['AC-1']),
    scoped('analyze_only', { maximumToolCalls: 7 }),
  ]);
  accepts('ADM-PLAN-09', 'as many calls as the order allows', () => [
    again(['AC-1']),
    scoped('analyze_only', { maximumToolCalls: 8 }),
  ]);
  refuses('ADM-PLAN-10', 'a capability that the order does not allow', () => [
    again(['AC-1'], { allowedTools: ['repository.read', 'shell.inspect'], permissions: inspecting() }),
    scoped('analyze_only', { permissions: inspecting() }),
  ]);
  accepts('ADM-PLAN-10', 'the capabilities that the order allows', () => [
    again(['AC-1'], { allowedTools: ['repository.read', 'shell.inspect'], permissions: inspecting() }),
    scoped('analyze_only', { permissions: inspecting(), allowedCapabilities: ['repository.read', 'shell.inspect'] }),
  ]);
  refuses('ADM-PLAN-11', 'permissions beyond the order, told once', () => [
    again(['AC-1'], { permissions: inspecting() }),
    scoped('analyze_only'),
  ]);
  accepts('ADM-PLAN-11', 'permissions inside the order', () => [
    again(['AC-1'], { permissions: inspecting() }),
    scoped('analyze_only', { permissions: inspecting() }),
  ]);
  refuses('ADM-PLAN-23', 'a criterion outside the order', () => [again(['AC-1', 'AC-2']), scoped('analyze_only')]);
  accepts('ADM-PLAN-23', 'every criterion of the order', () => [
    again(['AC-2']),
    planning('analyze_only', [
      ...worked('analyze_only'),
      ['QualityReview', remediating('analyze_only', { remediationWorkOrder: order('failedCriterionIds', ['AC-2']) })],
    ]),
  ]);
  refuses('ADM-PLAN-25', 'a plan that leaves out an ordered criterion', () => [
    again(['AC-1']),
    planning('analyze_only', [
      ...worked('analyze_only'),
      [
        'QualityReview',
        remediating('analyze_only', { remediationWorkOrder: order('failedCriterionIds', ['AC-1', 'AC-2']) }),
      ],
    ]),
  ]);
  accepts('ADM-PLAN-25', 'a plan of the fix that covers the whole order', () => [
    fixPlan(),
    planning('analyze_and_fix', reviewed('analyze_and_fix')),
  ]);
});

function inspecting() {
  return grant({
    repository: { read: ['**'], write: [], delete: [] },
    shell: { inspect: true, executeAllowlist: [] },
  });
}

/** What an order of the fix may do. */
const fixing = {
  allowedCapabilities: ['repository.write', 'shell.execute'],
  permissions: grant({
    repository: { read: [], write: ['src/**'], delete: [] },
    shell: { inspect: false, executeAllowlist: ['npm test'] },
  }),
};

describe('the nodes of a plan', () => {
  refuses('ADM-PLAN-12', 'permissions beyond the contract', () => [
    withNode('analyze_only', {
      permissions: grant({ repository: { read: ['**'], write: ['src/**'], delete: [] } }),
    }),
    planning('analyze_only'),
  ]);
  accepts('ADM-PLAN-12', 'permissions inside the contract', () => [
    withNode('fix_only', {
      permissions: grant({ repository: { read: ['**'], write: ['src/args.ts'], delete: [] } }),
    }),
    planning('fix_only'),
  ]);
  refuses('ADM-PLAN-13', 'a diagnosis that may write', () => [
    withNode('analyze_and_fix', {
      permissions: grant({ repository: { read: ['**'], write: ['src/**'], delete: [] } }),
    }),
    planning('analyze_and_fix'),
  ]);
  accepts('ADM-PLAN-13', 'a fix that may write once the diagnosis is reviewed', () => [
    fixPlan(),
    planning('analyze_and_fix', reviewed('analyze_and_fix')),
  ]);
  const spawning = (children: number, depth = 1) =>
    grant({
      repository: { read: ['**'], write: ['src/**'], delete: [] },
      subagents: { spawn: true, maximumChildren: children, maximumDepth: depth },
    });
  const spawner = (more: Record<string, unknown>, depth = 1): Body => ({
    ...withNode('fix_only', more),
    globalBudgets: budgets(8, depth),
  });
  refuses('ADM-PLAN-14', 'more children than the permissions give', () => [
    spawner({ permissions: spawning(1), budgets: { maximumToolCalls: 8, maximumChildren: 2 } }),
    withSubagents('fix_only'),
  ]);
  accepts('ADM-PLAN-14', 'as many children as the permissions give', () => [
    spawner({ permissions: spawning(2), budgets: { maximumToolCalls: 8, maximumChildren: 2 } }),
    withSubagents('fix_only'),
  ]);
  refuses('ADM-PLAN-15', 'sub-agents in a plan without depth', () => [
    spawner({ permissions: spawning(1) }, 0),
    withSubagents('fix_only'),
  ]);
  accepts('ADM-PLAN-15', 'sub-agents inside the depth of the plan', () => [
    spawner({ permissions: spawning(1) }),
    withSubagents('fix_only'),
  ]);
  refuses('ADM-PLAN-16', 'a capability without permission behind it', () => [
    withNode('fix_only', { allowedTools: ['repository.read', 'repository.write', 'shell.inspect'] }),
    planning('fix_only'),
  ]);
  accepts('ADM-PLAN-16', 'capabilities that permissions back', () => [plan('fix_only'), planning('fix_only')]);
  refuses('ADM-PLAN-17', 'a required capability that stands twice', () => [
    withNode('analyze_only', { requiredCapabilities: ['repository.read', 'repository.read'] }),
    planning('analyze_only'),
  ]);
  accepts('ADM-PLAN-17', 'an allowed capability that stands twice', () => [
    withNode('analyze_only', { allowedTools: ['repository.read', 'repository.read'] }),
    planning('analyze_only'),
  ]);
  const optional = (mode: IntentMode): Given =>
    withContract(mode, {
      verificationRequirements: [
        verification('VR-1', 'completion', 'repository.read', true),
        verification('VR-2', 'completion', 'shell.inspect', false),
      ],
    });
  refuses('ADM-PLAN-18', 'a node that requires nothing where work is executed', () => {
    const body = plan('analyze_only');
    const idle = node('idle', ['repository.read'], ['AC-1'], { requiredCapabilities: [] });
    return [{ ...body, nodes: [...body.nodes, idle], globalBudgets: budgets(16) }, optional('analyze_only')];
  });
  accepts('ADM-PLAN-18', 'a node that requires nothing where nothing is executed', () => [
    withNode('report_only', { requiredCapabilities: [] }),
    planning('report_only'),
  ]);
  refuses('ADM-PLAN-19', 'a required capability that is not allowed', () => [
    withNode('analyze_only', {
      requiredCapabilities: ['repository.read', 'shell.inspect'],
      permissions: inspecting(),
    }),
    planning('analyze_only'),
  ]);
  refuses('ADM-PLAN-19', 'a required capability that is neither allowed nor permitted', () => [
    withNode('analyze_only', { requiredCapabilities: ['repository.read', 'shell.inspect'] }),
    planning('analyze_only'),
  ]);
  accepts('ADM-PLAN-19', 'an allowed capability that is not required', () => [
    withNode('analyze_only', { allowedTools: ['repository.read', 'shell.inspect'], permissions: inspecting() }),
    planning('analyze_only'),
  ]);
  refuses('ADM-PLAN-20', 'fewer calls than required capabilities', () => [
    withNode('fix_only', { budgets: { maximumToolCalls: 1, maximumChildren: 0 } }),
    planning('fix_only'),
  ]);
  accepts('ADM-PLAN-20', 'one call for each required capability', () => [
    withNode('fix_only', { budgets: { maximumToolCalls: 2, maximumChildren: 0 } }),
    planning('fix_only'),
  ]);
  const required = ['repository.read', 'repository.write', 'subagent.spawn'];
  refuses('ADM-PLAN-21', 'a required sub-agent without a child budget', () => [
    spawner({ permissions: spawning(1), allowedTools: required, requiredCapabilities: required }),
    withSubagents('fix_only'),
  ]);
  accepts('ADM-PLAN-21', 'a required sub-agent with a child budget', () => [
    spawner({
      permissions: spawning(1),
      allowedTools: required,
      requiredCapabilities: required,
      budgets: { maximumToolCalls: 8, maximumChildren: 1 },
    }),
    withSubagents('fix_only'),
  ]);
  refuses('ADM-PLAN-22', 'a criterion that the contract does not have', () => [
    withNode('fix_only', { acceptanceCriteria: ['AC-1', 'AC-2', 'AC-9'] }),
    planning('fix_only'),
  ]);
  refuses('ADM-PLAN-22', 'under an order too, told once', () => [again(['AC-1', 'AC-9']), scoped('analyze_only')]);
  accepts('ADM-PLAN-22', 'criteria of the contract', () => [plan('fix_only'), planning('fix_only')]);
  refuses('ADM-PLAN-24', 'a completion criterion before the unlock', () => [
    withNode('analyze_and_fix', { acceptanceCriteria: ['AC-1', 'AC-2'] }),
    planning('analyze_and_fix'),
  ]);
  accepts('ADM-PLAN-24', 'a completion criterion after the unlock', () => [
    { ...fixPlan({ id: 'plan-03' }), nodes: [{ ...fixPlan().nodes[0], inputRefs: [own('quality-02')] }] },
    planning('analyze_and_fix', [
      ...unlocked,
      [
        'QualityReview',
        remediating('analyze_and_fix', {
          id: 'quality-02',
          workPlanRefs: [own('plan-02')],
          workResultRefs: [],
          remediationWorkOrder: order('failedCriterionIds', ['AC-2'], fixing),
        }),
      ],
    ]),
  ]);
});

describe('what the nodes cover and verify together', () => {
  refuses('ADM-PLAN-26', 'a plan that leaves out a criterion', () => [
    withNode('fix_only', { acceptanceCriteria: ['AC-1'] }),
    planning('fix_only'),
  ]);
  accepts('ADM-PLAN-26', 'a diagnosis that leaves out the completion', () => [
    plan('analyze_and_fix'),
    planning('analyze_and_fix'),
  ]);
  accepts('ADM-PLAN-27', 'a diagnosis without the verification of the fix', () => [
    plan('analyze_and_fix'),
    planning('analyze_and_fix'),
  ]);
  refuses('ADM-PLAN-28', 'a verification that no node schedules', () => [
    withNode('analyze_only', {
      requiredCapabilities: ['shell.inspect'],
      allowedTools: ['repository.read', 'shell.inspect'],
      permissions: inspecting(),
    }),
    planning('analyze_only'),
  ]);
  refuses('ADM-PLAN-28', 'a verification whose capability no node allows', () => [
    withNode('analyze_only', {
      requiredCapabilities: ['shell.inspect'],
      allowedTools: ['shell.inspect'],
      permissions: inspecting(),
    }),
    planning('analyze_only'),
  ]);
  accepts('ADM-PLAN-28', 'diagnosis criteria outside analyze_and_fix', () => [
    plan('analyze_only'),
    withContract('analyze_only', {
      acceptanceCriteria: ['AC-1', 'AC-2'].map((id) => ({
        id,
        stage: 'diagnosis',
        requirement: 'Shown.',
        evidenceRequired: ['out'],
      })),
    }),
  ]);
  const chain = (verifyAfter: readonly string[]): Body =>
    planOf([
      node('verify', ['repository.read'], ['AC-1'], { dependsOn: verifyAfter }),
      node('change', ['repository.write'], ['AC-2']),
    ]);
  refuses('ADM-PLAN-29', 'a verification that may run before a change', () => [chain([]), planning('fix_only')]);
  accepts('ADM-PLAN-29', 'a verification after every change', () => [chain(['change']), planning('fix_only')]);
  refuses('ADM-PLAN-29', 'a verification that the change itself waits for', () => [
    planOf([
      node('verify', ['repository.read'], ['AC-1']),
      node('change', ['repository.write'], ['AC-2'], { dependsOn: ['verify'] }),
    ]),
    planning('fix_only'),
  ]);
  accepts('ADM-PLAN-29', 'a second look before the change, when one stands after it', () => [
    planOf([
      node('before', ['repository.read'], ['AC-1']),
      node('change', ['repository.write'], ['AC-2'], { dependsOn: ['before'] }),
      node('between', ['shell.inspect'], ['AC-2'], { dependsOn: ['change'] }),
      node('after', ['repository.read'], ['AC-1'], { dependsOn: ['between'] }),
    ]),
    planning('fix_only'),
  ]);
  accepts('ADM-PLAN-29', 'a node that changes and verifies', () => [plan('fix_only'), planning('fix_only')]);
});

describe('all faults at once', () => {
  refuses(
    'ADM-PLAN-01',
    'a plan with six faults, all told',
    () => [
      {
        ...withNode('analyze_only', {
          acceptanceCriteria: ['AC-9'],
          budgets: { maximumToolCalls: 0, maximumChildren: 1 },
        }),
        taskContractRef: own('contract-00'),
        planValidation: 'invalid',
      },
      planning('analyze_only'),
    ],
    ['ADM-PLAN-02', 'ADM-PLAN-14', 'ADM-PLAN-20', 'ADM-PLAN-22', 'ADM-PLAN-26', 'ADM-PLAN-28'],
  );
});
