import { describe, expect, it } from 'vitest';
import type { RunContext } from '../../machines/context.ts';
import { qualityReviewRules } from '../../machines/rules/qualityReview.ts';
import type { IntentMode } from '../../schemas/vocabulary.ts';
import {
  act,
  type Body,
  contract,
  correctionOrder,
  covered,
  diagnosisGate,
  findings,
  fixed,
  fixReview,
  type Given,
  grant,
  node,
  order,
  plan,
  planned,
  planOf,
  queryOf,
  remediating,
  result,
  review,
  reviewed,
  type Step,
  start,
  suite,
  worked,
} from './executionFixtures.ts';
import { bodies, check, own, run, verification } from './fixtures.ts';

const { accepts, refuses } = suite('QualityReview', qualityReviewRules);

const reviewing = (mode: IntentMode, steps: readonly Step[] = worked(mode), more: Partial<RunContext> = {}): Given => ({
  steps,
  run: { mode, phase: 'agent_3_review', topology: 'standard', nodesCompleted: true, ...more },
});
const fixReviewing = (more: Partial<RunContext> = {}, steps: readonly Step[] = fixed): Given =>
  reviewing('analyze_and_fix', steps, { gate: 'unlocked', topology: 'forensic', ...more });
const partial = (mode: IntentMode, more: Record<string, unknown> = {}): Body =>
  review(mode, { decision: 'partial', diagnosisGate: null, ...more });

describe('what the review is about', () => {
  for (const mode of ['report_only', 'plan_only', 'analyze_only', 'fix_only', 'analyze_and_fix'] as const)
    accepts('ADM-QUALITY-01', `the first review of a ${mode} run`, () => [review(mode), reviewing(mode)]);
  refuses('ADM-QUALITY-01', 'another number of remediations', () => [
    review('fix_only', { remainingRemediations: 0 }),
    reviewing('fix_only'),
  ]);
  refuses('ADM-QUALITY-01', 'a remediation when none is left', () => [
    remediating('fix_only'),
    reviewing('fix_only', worked('fix_only'), { budgets: { revisions: 1, remediations: 0 } }),
  ]);
  refuses('ADM-QUALITY-02', 'a review of another contract', () => [
    review('fix_only', { taskContractRef: own('contract-00') }),
    reviewing('fix_only'),
  ]);
  accepts('ADM-QUALITY-02', 'a review of the current contract', () => [review('fix_only'), reviewing('fix_only')]);
  refuses('ADM-QUALITY-03', 'a review of an earlier plan alone', () => [
    fixReview({ workPlanRefs: [own('plan-01')] }),
    fixReviewing(),
  ]);
  accepts('ADM-QUALITY-03', 'a review of both plans', () => [
    fixReview({ workPlanRefs: [own('plan-01'), own('plan-02')] }),
    fixReviewing(),
  ]);
  refuses('ADM-QUALITY-04', 'results of an earlier plan', () => [
    fixReview({ workResultRefs: [own('result-01'), own('result-02')] }),
    fixReviewing(),
  ]);
  accepts('ADM-QUALITY-04', 'the results of the current plan', () => [fixReview(), fixReviewing()]);
  const halfDone: readonly Step[] = [
    ...start('analyze_only'),
    [
      'WorkPlan',
      planOf([
        node('look', ['repository.read'], ['AC-1', 'AC-2']),
        node('more', ['repository.read'], ['AC-1', 'AC-2']),
      ]),
    ],
    ...planned('analyze_only').slice(-3),
    ['WorkResult', result('analyze_only')],
  ];
  refuses('ADM-QUALITY-05', 'a pass while a node has not completed', () => [
    review('analyze_only'),
    reviewing('analyze_only', halfDone, { nodesCompleted: false }),
  ]);
  it('ADM-QUALITY-05 refuses with the name of the node, where there is a record', () => {
    const given = reviewing('analyze_only', halfDone, { nodesCompleted: false });
    const [said] = findings(qualityReviewRules, queryOf('QualityReview', review('analyze_only'), given));
    expect(said?.message).toContain('node more');
  });
  accepts('ADM-QUALITY-05', 'a partial verdict while a node has not completed', () => [
    partial('analyze_only'),
    reviewing('analyze_only', halfDone, { nodesCompleted: false }),
  ]);
  accepts('ADM-QUALITY-05', 'a pass where nothing is executed', () => [
    review('plan_only'),
    reviewing('plan_only', worked('plan_only'), { nodesCompleted: null }),
  ]);
  const looking: readonly Step[] = [
    ...start('fix_only'),
    ['WorkPlan', planOf([node('fix', ['repository.read'], ['AC-1', 'AC-2'])])],
    ...planned('fix_only').slice(-3),
    [
      'WorkResult',
      result('fix_only', { actions: [act('A-1', 'repository.read', 'src/args.ts', 'ev-repo')], filesChanged: [] }),
    ],
  ];
  refuses('ADM-QUALITY-06', 'a fix that changed nothing', () => [review('fix_only'), reviewing('fix_only', looking)]);
  accepts('ADM-QUALITY-06', 'a fix that changed something', () => [review('fix_only'), reviewing('fix_only')]);
});

describe('what it judges, and what backs it', () => {
  refuses('ADM-QUALITY-07', 'a criterion that is left out', () => [
    review('analyze_only', { acceptanceResults: [covered('AC-1', 'ev-repo')] }),
    reviewing('analyze_only'),
  ]);
  refuses('ADM-QUALITY-07', 'a completion criterion in the diagnosis', () => [
    review('analyze_and_fix', {
      acceptanceResults: [covered('AC-1', 'ev-repo'), covered('AC-2', 'ev-repo', 'unverified')],
    }),
    reviewing('analyze_and_fix'),
  ]);
  accepts('ADM-QUALITY-07', 'both stages once the fix is unlocked', () => [fixReview(), fixReviewing()]);
  refuses('ADM-QUALITY-08', 'a passing criterion that no result passes', () => [
    review('analyze_only'),
    reviewing('analyze_only', [
      ...planned('analyze_only'),
      [
        'WorkResult',
        result('analyze_only', {
          status: 'partial',
          acceptanceCoverage: [covered('AC-1', 'ev-repo'), covered('AC-2', 'ev-repo', 'fail')],
        }),
      ],
    ]),
  ]);
  refuses('ADM-QUALITY-08', 'a passing criterion with other evidence', () => [
    review('analyze_only', { acceptanceResults: [covered('AC-1', 'ev-test'), covered('AC-2', 'ev-repo')] }),
    reviewing('analyze_only'),
  ]);
  accepts('ADM-QUALITY-08', 'a part of the evidence of the result', () => [
    review('analyze_only'),
    reviewing('analyze_only', [
      ...planned('analyze_only'),
      [
        'WorkResult',
        result('analyze_only', {
          acceptanceCoverage: ['AC-1', 'AC-2'].map((id) => ({
            ...covered(id, 'ev-repo'),
            evidenceRefs: [own('ev-test'), own('ev-repo')],
          })),
        }),
      ],
    ]),
  ]);
  accepts('ADM-QUALITY-08', 'a criterion kept from an earlier review', () => [fixReview(), fixReviewing()]);
  refuses('ADM-QUALITY-08', 'a kept criterion with other evidence', () => [
    fixReview({ acceptanceResults: [covered('AC-1', 'ev-test'), covered('AC-2', 'ev-test')] }),
    fixReviewing(),
  ]);
  accepts('ADM-QUALITY-08', 'any passing criterion where nothing is executed', () => [
    review('plan_only', { acceptanceResults: [covered('AC-1', 'ev-test'), covered('AC-2', 'ev-diff')] }),
    reviewing('plan_only'),
  ]);
  refuses('ADM-QUALITY-09', 'a rule that is judged twice, and one that is none', () => [
    review('analyze_only', {
      ruleCompliance: [
        check('repo://AGENTS.md', own('ev-repo')),
        check('repo://AGENTS.md', own('ev-repo')),
        { ...check('repo://AGENTS.md', own('ev-repo')), subjectRef: null },
      ],
    }),
    reviewing('analyze_only'),
  ]);
  accepts('ADM-QUALITY-09', 'each rule once', () => [review('analyze_only'), reviewing('analyze_only')]);
  refuses('ADM-QUALITY-10', 'a verification that is left out', () => [
    review('analyze_only', { verificationResults: [] }),
    reviewing('analyze_only'),
  ]);
  accepts('ADM-QUALITY-10', 'the verifications of the diagnosis alone', () => [
    review('analyze_and_fix'),
    reviewing('analyze_and_fix'),
  ]);
  const verified = (more: Record<string, unknown>): Body => ({
    ...review('analyze_only').verificationResults[0],
    ...more,
  });
  refuses('ADM-QUALITY-11', 'a verification by another capability', () => [
    review('analyze_only', { verificationResults: [verified({ capability: 'shell.inspect' })] }),
    reviewing('analyze_only'),
  ]);
  accepts('ADM-QUALITY-11', 'the capability of the contract', () => [
    review('analyze_only'),
    reviewing('analyze_only'),
  ]);
  refuses('ADM-QUALITY-12', 'a pass over an open required verification', () => [
    review('analyze_only', { verificationResults: [verified({ status: 'unavailable', evidenceRefs: [] })] }),
    reviewing('analyze_only'),
  ]);
  refuses('ADM-QUALITY-12', 'a proceed_to_fix over an open required verification', () => [
    review('analyze_and_fix', { verificationResults: [verified({ status: 'fail' })] }),
    reviewing('analyze_and_fix'),
  ]);
  accepts('ADM-QUALITY-12', 'a partial verdict over an open required verification', () => [
    partial('analyze_only', { verificationResults: [verified({ status: 'fail' })] }),
    reviewing('analyze_only'),
  ]);
  refuses('ADM-QUALITY-13', 'a passing verification with other evidence than its action', () => [
    review('analyze_only', { verificationResults: [verified({ evidenceRefs: [own('ev-test')] })] }),
    reviewing('analyze_only'),
  ]);
  refuses('ADM-QUALITY-13', 'a passing verification that stands before the last change', () => [
    partial('fix_only'),
    reviewing('fix_only', [
      ...planned('fix_only'),
      ['WorkResult', result('fix_only', { status: 'partial', actions: result('fix_only').actions.toReversed() })],
    ]),
  ]);
  refuses('ADM-QUALITY-13', 'an action in a node that does not require the capability', () => [
    partial('analyze_only'),
    reviewing('analyze_only', [
      ...start('analyze_only'),
      ['WorkPlan', planOf([{ ...plan('analyze_only').nodes[0], requiredCapabilities: [] }])],
      ...planned('analyze_only').slice(-3),
      ['WorkResult', result('analyze_only')],
    ]),
  ]);
  accepts('ADM-QUALITY-13', 'evidence that meets that of the action', () => [
    review('analyze_only', { verificationResults: [verified({ evidenceRefs: [own('ev-test'), own('ev-repo')] })] }),
    reviewing('analyze_only'),
  ]);
  accepts('ADM-QUALITY-13', 'a verification kept from the diagnosis', () => [fixReview(), fixReviewing()]);
  accepts('ADM-QUALITY-13', 'criteria of any stage outside analyze_and_fix', () => [
    review('analyze_only'),
    reviewing('analyze_only', [
      ...start('analyze_only').slice(0, -1),
      [
        'TaskContract',
        contract('analyze_only', {
          acceptanceCriteria: ['AC-1', 'AC-2'].map((id) => ({
            id,
            stage: 'diagnosis',
            requirement: 'Shown.',
            evidenceRequired: ['out'],
          })),
        }),
      ],
      ...worked('analyze_only').slice(3),
    ]),
  ]);
  refuses('ADM-QUALITY-13', 'a diagnosis verification kept with other evidence', () => [
    fixReview({
      verificationResults: [
        { ...fixReview().verificationResults[0], evidenceRefs: [own('ev-diff')] },
        fixReview().verificationResults[1],
      ],
    }),
    fixReviewing(),
  ]);
});

describe('work orders', () => {
  const correcting = (more: Record<string, unknown>): Body =>
    review('analyze_and_fix', {
      diagnosisGate: diagnosisGate({ correctionWorkOrder: correctionOrder(more) }),
    });
  accepts('ADM-QUALITY-14', 'a correction order that keeps every rule', () => [
    review('analyze_and_fix'),
    reviewing('analyze_and_fix'),
  ]);
  it('ADM-QUALITY-14 refuses a correction order under the code of the broken row', () => {
    const given = reviewing('analyze_and_fix');
    const found = findings(
      qualityReviewRules,
      queryOf('QualityReview', correcting({ targetCriterionIds: ['AC-1'] }), given),
    );
    expect(found.map(({ code, path }) => [code, path])).toEqual([
      ['ADM-ORDER-02', 'diagnosisGate.correctionWorkOrder.targetCriterionIds'],
      ['ADM-ORDER-03', 'diagnosisGate.correctionWorkOrder.targetCriterionIds'],
    ]);
  });
  accepts('ADM-QUALITY-15', 'a remediation order that keeps every rule', () => [
    remediating('analyze_only'),
    reviewing('analyze_only'),
  ]);
  it('ADM-QUALITY-15 refuses an order of the diagnosis that may change things', () => {
    const body = remediating('analyze_and_fix', {
      remediationWorkOrder: order('failedCriterionIds', ['AC-1'], {
        permissions: contract('analyze_and_fix').permissions,
      }),
    });
    const found = findings(qualityReviewRules, queryOf('QualityReview', body, reviewing('analyze_and_fix')));
    expect(found.map(({ code, path }) => [code, path])).toEqual([
      ['ADM-ORDER-04', 'remediationWorkOrder.permissions.repository.write'],
      ['ADM-ORDER-04', 'remediationWorkOrder.permissions.repository.delete'],
      ['ADM-ORDER-04', 'remediationWorkOrder.permissions.shell.executeAllowlist'],
    ]);
  });
  accepts('ADM-QUALITY-15', 'an order with these permissions once the fix is unlocked', () => [
    fixReview({
      decision: 'remediate',
      remediationWorkOrder: order('failedCriterionIds', ['AC-2'], {
        allowedCapabilities: ['repository.read', 'shell.execute'],
        permissions: contract('analyze_and_fix').permissions,
      }),
    }),
    fixReviewing(),
  ]);
});

describe('an order that a plan must be able to follow', () => {
  const fixOrder = (more: Record<string, unknown>): Body =>
    fixReview({
      decision: 'remediate',
      remediationWorkOrder: order('failedCriterionIds', ['AC-2'], {
        allowedCapabilities: ['repository.read', 'shell.execute'],
        permissions: contract('analyze_and_fix').permissions,
        ...more,
      }),
    });
  const correcting = (more: Record<string, unknown>): Body =>
    review('analyze_and_fix', { diagnosisGate: diagnosisGate({ correctionWorkOrder: correctionOrder(more) }) });

  refuses(
    'ADM-ORDER-05',
    'a remediation without a capability where a node must carry it out',
    () => [
      remediating('analyze_only', {
        remediationWorkOrder: order('failedCriterionIds', ['AC-1'], { allowedCapabilities: [] }),
      }),
      reviewing('analyze_only'),
    ],
    ['ADM-ORDER-08'],
  );
  for (const [what, id] of [
    ['the current plan', 'plan-01'],
    ['a result of it', 'result-01'],
    ['Evidence', 'ev-repo'],
  ] as const)
    accepts('ADM-ORDER-07', `a remediation that rests on ${what} alone`, () => [
      remediating('analyze_only', {
        remediationWorkOrder: order('failedCriterionIds', ['AC-1'], { sourceRefs: [own(id)] }),
      }),
      reviewing('analyze_only'),
    ]);
  refuses('ADM-ORDER-07', 'a remediation that rests on the contract alone', () => [
    remediating('analyze_only', {
      remediationWorkOrder: order('failedCriterionIds', ['AC-1'], { sourceRefs: [own('contract-01')] }),
    }),
    reviewing('analyze_only'),
  ]);
  refuses('ADM-ORDER-08', 'a correction that may not verify the completion', () => [
    correcting({ allowedCapabilities: ['repository.write'] }),
    reviewing('analyze_and_fix'),
  ]);
  accepts('ADM-ORDER-08', 'a correction that may verify the completion', () => [
    correcting({}),
    reviewing('analyze_and_fix'),
  ]);
  refuses('ADM-ORDER-08', 'a remediation of the fix without a completion criterion', () => [
    fixOrder({ failedCriterionIds: ['AC-1'] }),
    fixReviewing(),
  ]);
  accepts('ADM-ORDER-08', 'a remediation of the fix that names criteria of both stages', () => [
    fixOrder({ failedCriterionIds: ['AC-1', 'AC-2'] }),
    fixReviewing(),
  ]);
  refuses(
    'ADM-ORDER-08',
    'a remediation of the fix with a capability but no permission for what is verified',
    () => [fixOrder({ permissions: grant({ repository: { read: ['**'], write: [], delete: [] } }) }), fixReviewing()],
    ['ADM-ORDER-06'],
  );
  accepts('ADM-ORDER-08', 'an order of the diagnosis that names the verified capability', () => [
    remediating('analyze_and_fix'),
    reviewing('analyze_and_fix'),
  ]);

  const twice = (mode: IntentMode): Partial<Record<string, unknown>> => ({
    verificationRequirements: [
      verification('VR-1', 'completion', 'repository.read'),
      verification('VR-2', 'completion', 'shell.inspect'),
    ],
    permissions: contract(mode).permissions,
  });
  const both = (calls: number): Body =>
    review('analyze_only', {
      decision: 'remediate',
      verificationResults: [unverified('VR-1', 'repository.read'), unverified('VR-2', 'shell.inspect')],
      remediationWorkOrder: order('failedCriterionIds', ['AC-1'], {
        allowedCapabilities: ['repository.read', 'shell.inspect'],
        permissions: contract('analyze_only').permissions,
        maximumToolCalls: calls,
      }),
    });
  const unverified = (requirementId: string, capability: string): Body => ({
    requirementId,
    capability,
    status: 'unverified',
    evidenceRefs: [],
    rationaleSummary: 'Not shown.',
  });
  const inspected = (reserved: number): Given => {
    const [request, envelope] = start('analyze_only');
    if (!request || !envelope) throw new Error('The run has no start.');
    const nodes = [1, 2, 3, 4].map((n) =>
      node(`look-${n}`, ['repository.read'], ['AC-1', 'AC-2'], {
        budgets: { maximumToolCalls: reserved / 4, maximumChildren: 0 },
      }),
    );
    return reviewing('analyze_only', [
      request,
      envelope,
      ['TaskContract', contract('analyze_only', twice('analyze_only'))],
      ['WorkPlan', planOf(nodes, { globalBudgets: { ...planOf([]).globalBudgets, maximumToolCalls: 4000 } })],
      ['Evidence', bodies.evidence('ev-repo', 'repository')],
      ['WorkResult', result('analyze_only', { nodeId: 'look-1' })],
    ]);
  };
  refuses('ADM-ORDER-08', 'fewer calls than there are capabilities to verify', () => [both(1), inspected(400)]);
  accepts('ADM-ORDER-08', 'one call for each capability to verify', () => [both(2), inspected(400)]);
  accepts('ADM-ORDER-08', 'more calls than the run has left, for a smaller plan can follow', () => [
    both(1000),
    inspected(3996),
  ]);
  refuses('ADM-ORDER-08', 'any order when the calls of the run are used up', () => [both(1000), inspected(4000)]);
});

describe('which decision is open', () => {
  refuses('ADM-QUALITY-16', 'a second proceed_to_fix', () => [
    fixReview({ decision: 'proceed_to_fix', diagnosisGate: diagnosisGate() }),
    fixReviewing(),
  ]);
  accepts('ADM-QUALITY-16', 'the first proceed_to_fix', () => [
    review('analyze_and_fix'),
    reviewing('analyze_and_fix'),
  ]);
  refuses('ADM-QUALITY-17', 'a pass of the diagnosis', () => [
    review('analyze_and_fix', { decision: 'pass', diagnosisGate: null }),
    reviewing('analyze_and_fix'),
  ]);
  accepts('ADM-QUALITY-17', 'a pass of the fix', () => [fixReview(), fixReviewing()]);
  const micro = (mode: IntentMode): Given => reviewing(mode, worked(mode), { topology: 'micro' });
  refuses('ADM-MCH-03', 'a fix stage in micro', () => [
    review('fix_only', { decision: 'proceed_to_fix', diagnosisGate: diagnosisGate() }),
    micro('fix_only'),
  ]);
  accepts('ADM-MCH-03', 'a pass in micro', () => [review('fix_only'), micro('fix_only')]);
  refuses('ADM-MCH-05', 'a fix stage outside analyze_and_fix', () => [
    review('fix_only', { decision: 'proceed_to_fix', diagnosisGate: diagnosisGate() }),
    reviewing('fix_only'),
  ]);
  accepts('ADM-MCH-05', 'a fix stage in analyze_and_fix', () => [
    review('analyze_and_fix'),
    reviewing('analyze_and_fix'),
  ]);
  const reverifying: Partial<RunContext> = { phase: 'agent_3_evidence_reverify', topology: 'forensic' };
  const again = (more: Record<string, unknown> = {}): Body =>
    review('analyze_only', { id: 'quality-02', reviewKind: 'evidence_reverify', ...more });
  const second = reviewing('analyze_only', reviewed('analyze_only'), reverifying);
  refuses('ADM-MCH-06', 'a spot check in the reverification', () => [again({ reviewKind: 'spot' }), second]);
  accepts('ADM-MCH-06', 'a second look at the evidence', () => [again(), second]);
  accepts('ADM-MCH-06', 'either kind in the first review', () => [
    review('analyze_only', { reviewKind: 'evidence_reverify' }),
    reviewing('analyze_only'),
  ]);
  refuses('ADM-MCH-07', 'a remediation by the reverification', () => [
    again({ decision: 'remediate', remediationWorkOrder: order('failedCriterionIds', ['AC-9']) }),
    second,
  ]);
  refuses('ADM-MCH-07', 'a fix stage by the reverification', () => [
    {
      ...fixReview(),
      id: 'quality-03',
      reviewKind: 'evidence_reverify',
      decision: 'proceed_to_fix',
      diagnosisGate: diagnosisGate(),
    },
    fixReviewing(reverifying, [...fixed, ['QualityReview', fixReview()]]),
  ]);
  for (const decision of ['pass', 'partial', 'block'])
    accepts('ADM-MCH-07', `${decision} by the reverification`, () => [again({ decision }), second]);
  it('ADM-MCH-04 refuses a decision that no review can take', () => {
    const [entry] = qualityReviewRules.filter(({ code }) => code === 'ADM-MCH-04');
    const context = run({ mode: 'fix_only', phase: 'agent_3_review', topology: 'standard' });
    expect(entry?.control?.holds(context, { decision: 'release' })).toBe(false);
    expect(entry?.control?.says(context, { decision: 'release' })).toMatchObject({
      path: 'decision',
      expected: ['partial', 'block', 'pass', 'remediate'],
    });
  });
  it('ADM-MCH-04 accepts every decision of the schema', () => {
    const [entry] = qualityReviewRules.filter(({ code }) => code === 'ADM-MCH-04');
    for (const decision of ['pass', 'proceed_to_fix', 'remediate', 'partial', 'block'])
      expect(entry?.control?.holds(run(), { decision })).toBe(true);
  });
  it('holds in every control part when the facts are unknown', () => {
    for (const { control } of qualityReviewRules)
      expect(control?.holds(run({ mode: 'fix_only' }), {}) ?? true).toBe(true);
  });
});

describe('a run that was remediated', () => {
  accepts('ADM-QUALITY-08', 'a criterion that the second plan does not touch', () => [
    review('analyze_only', {
      id: 'quality-02',
      workPlanRefs: [own('plan-02')],
      workResultRefs: [own('result-02')],
      remainingRemediations: 0,
    }),
    reviewing(
      'analyze_only',
      [
        ...worked('analyze_only'),
        ['QualityReview', remediating('analyze_only')],
        [
          'WorkPlan',
          planOf([node('again', ['repository.read'], ['AC-1'], { inputRefs: [own('quality-01')] })], { id: 'plan-02' }),
        ],
        [
          'WorkResult',
          result('analyze_only', {
            id: 'result-02',
            workPlanRef: own('plan-02'),
            nodeId: 'again',
            acceptanceCoverage: [covered('AC-1', 'ev-repo')],
          }),
        ],
      ],
      { budgets: { revisions: 1, remediations: 0 } },
    ),
  ]);
});
