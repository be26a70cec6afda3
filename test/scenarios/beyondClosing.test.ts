import { describe } from 'vitest';
import type { BodyOf } from '../../schemas/artifacts/index.ts';
import {
  audit,
  clone,
  direct,
  execEvidence,
  fresh,
  type Live,
  perms,
  quality,
  report,
  result,
  review,
  walkTo,
} from '../conformance/scenarios/lib/build.mjs';
import { accepted, at, type Build, instead, type Make, set, sharedWorld, table } from './bench.ts';

/** One change each to a valid review, audit or report: beyond the black-box scenarios. */

const world = sharedWorld();
const ok = 'accepted';
const why = 'short rationale';

describe('a quality review', () => {
  type B = BodyOf<'QualityReview'>;
  const orderOf = (b: B): NonNullable<B['remediationWorkOrder']> => {
    if (!b.remediationWorkOrder) throw new Error('There is no work order.');
    return b.remediationWorkOrder;
  };
  const build: Build<B> = (run) => ['QualityReview', quality(run)];
  const order = (b: B, run: Live): NonNullable<B['remediationWorkOrder']> => {
    Object.assign(b, quality(run, {}, { decision: 'remediate', fail: ['AC-1'] }));
    return orderOf(b);
  };

  table('judges each thing once', world.inPhase('analyze', 'agent_3_quality_review'), build, [
    ['a criterion twice', (b) => b.acceptanceResults.push(clone(at(b.acceptanceResults))), 'ADM-QUALITY-07'],
    ['a result twice', (b) => b.workResultRefs.push(at(b.workResultRefs)), 'ADM-QUALITY-04'],
    ['a rule without its subject', (b) => set(at(b.ruleCompliance), { subjectRef: null }), 'ADM-QUALITY-09'],
    ['an optional verification left out', (b) => b.verificationResults.pop(), 'ADM-QUALITY-10'],
    [
      'a required verification left open',
      (b) => Object.assign(at(b.verificationResults), { status: 'unverified', evidenceRefs: [] }),
      'ADM-QUALITY-12',
    ],
    [
      'a gate that rests on a result',
      (b, run) => set(at(b.hardGates), { evidenceRefs: [run.last('WorkResult').ref] }),
      'ADM-REF-19',
    ],
    ['no plan named', (b) => instead({ body: { ...b, workPlanRefs: undefined } }), 'ADM-QUALITY-03'],
    [
      'kind and gate left to their defaults',
      (b) => instead({ body: { ...b, reviewKind: undefined, diagnosisGate: undefined } }),
      ok,
    ],
    [
      'a warning',
      (b, run) =>
        b.findings.push({
          id: 'FN',
          severity: 'warning',
          claim: 'c',
          sourceRefs: [direct(run)],
          rubricDimension: null,
          requiredCorrection: null,
          preserveFields: [],
          correctionFields: [],
          rationaleSummary: why,
        }),
      ok,
    ],
  ]);
  table('orders what can be ordered', world.inPhase('analyze', 'agent_3_quality_review'), build, [
    ['a criterion twice', (b, run) => set(order(b, run), { failedCriterionIds: ['AC-1', 'AC-1'] }), 'ADM-ORDER-02'],
    ['no capability', (b, run) => set(order(b, run), { allowedCapabilities: [] }), 'ADM-ORDER-05'],
    [
      'a capability without permission',
      (b, run) => order(b, run).allowedCapabilities.push('shell.inspect'),
      'ADM-ORDER-06',
    ],
    ['beyond the contract', (b, run) => set(order(b, run).permissions.runtime, { inspect: ['local'] }), 'ADM-ORDER-04'],
    ['on the request alone', (b, run) => set(order(b, run), { sourceRefs: [run.requestRef] }), 'ADM-ORDER-07'],
    ['1,001 calls', (b, run) => set(order(b, run), { maximumToolCalls: 1001 }), 'SCH-NUM-01'],
    [
      'inspections alone, where reading must verify',
      (b, run) => set(order(b, run), { allowedCapabilities: ['shell.inspect'], permissions: perms(['shell.inspect']) }),
      'ADM-ORDER-08',
    ],
    [
      'on the request and a result',
      (b, run) => set(order(b, run), { sourceRefs: [run.requestRef, run.last('WorkResult').ref] }),
      ok,
    ],
    ['a criterion that passed', (b, run) => set(order(b, run), { failedCriterionIds: ['AC-2'] }), ok],
  ]);

  const unproven: Make = async () => {
    const run = await fresh(world.client, 'analyze', 'agent_4_execute');
    run.nodeEv = {};
    const empty = { actions: [], observations: [], evidenceRefs: [], acceptanceCoverage: [] };
    accepted(await run.submit('WorkResult', result(run, empty, { status: 'blocked' })));
    return run;
  };
  const open = { status: 'unverified', evidenceRefs: [] } as const;
  const bare: Build<B> = (run) => {
    const body = quality(run, {}, { decision: 'partial' });
    body.hardGates = [{ ...at(body.hardGates), passed: false, evidenceRefs: [run.last('WorkResult').ref] }];
    for (const one of [...body.ruleCompliance, ...body.acceptanceResults, ...body.verificationResults])
      Object.assign(one, open);
    return ['QualityReview', body];
  };
  table('of a result without any Evidence may fail a gate by the result', unproven, bare, [
    ['a gate that passed', (b) => set(at(b.hardGates), { passed: true }), 'ADM-REF-19'],
    ['unchanged', () => {}, ok],
  ]);

  const covered: Make = async () => {
    const run = await fresh(world.client, 'analyze', 'agent_4_execute');
    accepted(await execEvidence(run, ['log']));
    const body = result(run);
    at(body.acceptanceCoverage).evidenceRefs = Object.values(run.nodeEv);
    accepted(await run.submit('WorkResult', body));
    return walkTo(run, 'agent_3_quality_review');
  };
  table('passes a criterion by what its result showed', covered, build, [
    [
      'and more',
      (b) => at(b.acceptanceResults).evidenceRefs.push(at(at(b.acceptanceResults, 1).evidenceRefs)),
      'ADM-QUALITY-08',
    ],
    ['or a part of it', (b) => at(b.acceptanceResults).evidenceRefs.pop(), ok],
  ]);

  const again: Build<B> = (run) => ['QualityReview', quality(run, {}, { decision: 'remediate', fail: ['AC-D'] })];
  table('of a diagnosis gives no right to write', world.inPhase('anf', 'agent_3_quality_review'), again, [
    [
      'to its remediation',
      (b) => set(orderOf(b), { permissions: perms(['repository.read', 'repository.write']) }),
      'ADM-ORDER-04',
    ],
    ['or to the criterion of the fix', (b) => set(orderOf(b), { failedCriterionIds: ['AC-C'] }), 'ADM-ORDER-02'],
    ['but may look again', () => {}, ok],
  ]);
});

describe('a release audit', () => {
  type B = BodyOf<'ReleaseAudit'>;
  const build: Build<B> = (run) => ['ReleaseAudit', audit(run)];
  table(
    'covers every criterion by direct, supported claims',
    world.inPhase('analyze', 'agent_5_release_audit'),
    build,
    [
      ['a plan twice', (b) => b.workPlanRefs.push(at(b.workPlanRefs)), 'ADM-AUDIT-02'],
      ['the request judged twice', (b) => b.userFidelity.push({ ...at(b.userFidelity), id: 'UF-2' }), 'ADM-AUDIT-03'],
      ['a contradicted claim', (b) => set(at(b.claimEvidenceMatrix), { status: 'contradicted' }), 'SCH-AUDIT-03'],
      ['a criterion uncovered', (b) => b.claimEvidenceMatrix.pop(), 'ADM-AUDIT-11'],
      [
        'a user-reported claim that cites Evidence',
        (b) => set(at(b.claimEvidenceMatrix), { basis: 'user_reported' }),
        'ADM-REF-18',
      ],
      ['a report in another run', (b) => set(b, { userReportRef: 'artifact://another-run/report' }), 'ADM-REF-14'],
      ['a report that is the request', (b, run) => set(b, { userReportRef: run.requestRef }), 'ADM-REF-15'],
      [
        'a remediation with a report',
        (b, run) => Object.assign(b, audit(run, { userReportRef: run.uri('r') }, { decision: 'remediate' })),
        'SCH-AUDIT-06',
      ],
      [
        'another subject judged beside the request',
        (b, run) =>
          b.userFidelity.push({ ...at(b.userFidelity), id: 'UF-2', subjectRef: run.last('ProblemFrame').ref }),
        ok,
      ],
      [
        'two criteria in one claim',
        (b) => {
          at(b.claimEvidenceMatrix).criterionIds.push('AC-2');
          b.claimEvidenceMatrix.pop();
        },
        ok,
      ],
      [
        'partial without claims',
        (b, run) => Object.assign(b, audit(run, { claimEvidenceMatrix: [] }, { decision: 'partial' })),
        ok,
      ],
      ['a block after a pass', (b, run) => Object.assign(b, audit(run, {}, { decision: 'block' })), ok],
    ],
  );
});

describe('a user report', () => {
  type B = BodyOf<'UserReport'>;
  table('repeats what was audited', world.inPhase('fix', 'user_report'), (run) => ['UserReport', report(run)], [
    [
      'a trace event instead of the trace',
      (b, run) => set(b, { traceRef: `trace://${run.runId}/event-0001` }),
      'ADM-REPORT-01',
    ],
    ['a change twice', (b) => b.changeRefs.push(at(b.changeRefs)), 'ADM-REPORT-02'],
    ['a verification twice', (b) => b.verificationRefs.push(at(b.verificationRefs)), 'ADM-REPORT-13'],
    ['the end as cancelled', (b) => set(b, { terminalStatus: 'cancelled' }), 'ADM-REPORT-12'],
    [
      'the claims in another order, with less confidence',
      (b) => {
        b.completionClaims.reverse();
        at(b.completionClaims).confidence = 0;
      },
      ok,
    ],
    [
      'risks and further steps',
      (b) =>
        Object.assign(b, {
          unresolvedRisks: ['x'],
          nextActions: [{ id: 'N', description: 'd', requiresAuthorization: true }],
        }),
      ok,
    ],
  ]);

  const blocked: Make = async () => {
    const run = await fresh(world.client, 'analyze', 'agent_1_review');
    accepted(await run.submit('PromptReview', review(run, 'block')));
    return run;
  };
  const claim = { id: 'c', text: 't', confidence: 0.1 } as const;
  table(
    'before any audit only says blocked',
    blocked,
    (run) => ['UserReport', report(run)] as const satisfies readonly ['UserReport', B],
    [
      ['partial', (b) => set(b, { terminalStatus: 'partial' }), 'ADM-REPORT-08'],
      [
        'permissions not honored, though nothing was denied',
        (b) => set(b, { permissionsHonored: false }),
        'ADM-REPORT-08',
      ],
      [
        'a claim on the word of the user',
        (b, run) =>
          set(b, { completionClaims: [{ ...claim, status: 'user_reported', evidenceRefs: [run.requestRef] }] }),
        'ADM-REPORT-08',
      ],
      [
        'the blocking review uncited',
        (b, run) => set(b, { findingRefs: [run.last('ProblemFrame').ref] }),
        'ADM-REPORT-08',
      ],
      ['unchanged', () => {}, ok],
    ],
  );
});
