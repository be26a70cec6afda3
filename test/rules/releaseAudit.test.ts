import { describe, expect, it } from 'vitest';
import type { RunContext } from '../../machines/context.ts';
import { releaseAuditRules } from '../../machines/rules/releaseAudit.ts';
import type { IntentMode } from '../../schemas/vocabulary.ts';
import {
  audit,
  type Body,
  claimOf,
  contract,
  defect,
  findings,
  fixed,
  fixReview,
  type Given,
  grant,
  queryOf,
  review,
  reviewed,
  type Step,
  suite,
  worked,
} from './executionFixtures.ts';
import { check, own, run } from './fixtures.ts';

const { accepts, refuses } = suite('ReleaseAudit', releaseAuditRules);

const auditing = (
  mode: IntentMode,
  steps: readonly Step[] = reviewed(mode),
  more: Partial<RunContext> = {},
): Given => ({
  steps,
  run: { mode, phase: 'agent_5_audit', topology: 'standard', nodesCompleted: true, quality: 'pass', ...more },
});
const blocked = (more: Partial<RunContext> = {}): Given =>
  auditing('fix_only', [...worked('fix_only'), ['QualityReview', review('fix_only', { decision: 'block' })]], {
    quality: 'block',
    hint: 'blocked',
    ...more,
  });
const partial = (mode: IntentMode, more: Record<string, unknown> = {}): Body =>
  audit(mode, { decision: 'partial', unresolvedRisks: ['One case is open.'], ...more });
const remediate = (mode: IntentMode, more: Record<string, unknown> = {}): Body =>
  audit(mode, { decision: 'remediate', remediationDefect: defect(more), userReportRef: null });

describe('what the audit is about', () => {
  for (const mode of ['report_only', 'plan_only', 'analyze_only', 'fix_only'] as const)
    accepts('ADM-AUDIT-01', `the release of a ${mode} run`, () => [audit(mode), auditing(mode)]);
  accepts('ADM-AUDIT-02', 'the release of an analyze_and_fix run with both rounds', () => [
    audit('analyze_and_fix', {
      workPlanRefs: [own('plan-02'), own('plan-01')],
      workResultRefs: [own('result-01'), own('result-02')],
      qualityReviewRef: own('quality-02'),
    }),
    auditing('analyze_and_fix', [...fixed, ['QualityReview', fixReview()]], { gate: 'unlocked', topology: 'forensic' }),
  ]);
  refuses('ADM-AUDIT-01', 'another number of remediations', () => [
    audit('fix_only', { remainingRemediations: 0 }),
    auditing('fix_only'),
  ]);
  for (const [field, value] of [
    ['originalRequestRef', own('msg-00')],
    ['taskContractRef', own('contract-00')],
    ['qualityReviewRef', own('quality-00')],
    ['workPlanRefs', [own('plan-00')]],
    ['workResultRefs', []],
  ] as const)
    refuses('ADM-AUDIT-02', `a stale ${field}`, () => [audit('fix_only', { [field]: value }), auditing('fix_only')]);
  refuses('ADM-AUDIT-03', 'an audit that does not judge the request', () => [
    audit('fix_only', { userFidelity: [check(own('contract-01'), own('ev-repo'))] }),
    auditing('fix_only'),
  ]);
  refuses('ADM-AUDIT-03', 'an audit that judges the request twice', () => [
    audit('fix_only', { userFidelity: [check(own('msg-01'), own('ev-repo')), check(own('msg-01'), own('ev-repo'))] }),
    auditing('fix_only'),
  ]);
  accepts('ADM-AUDIT-03', 'a second check of another subject', () => [
    audit('fix_only', {
      userFidelity: [check(own('msg-01'), own('ev-repo')), check(own('contract-01'), own('ev-repo'))],
    }),
    auditing('fix_only'),
  ]);
});

describe('what the audit may decide', () => {
  refuses('ADM-AUDIT-04', 'a remediation of a broken mode', () => [
    { ...remediate('fix_only'), modeCompliance: 'fail' },
    auditing('fix_only'),
  ]);
  accepts('ADM-AUDIT-04', 'a partial end of a broken mode', () => [
    partial('fix_only', { modeCompliance: 'fail' }),
    auditing('fix_only'),
  ]);
  refuses('ADM-AUDIT-05', 'a release after a block, told once', () => [audit('fix_only'), blocked()]);
  refuses('ADM-AUDIT-05', 'a partial end after a block', () => [partial('fix_only'), blocked()]);
  accepts('ADM-AUDIT-05', 'a block after a block', () => [partial('fix_only', { decision: 'block' }), blocked()]);
  accepts('ADM-AUDIT-05', 'a block after a pass', () => [
    partial('fix_only', { decision: 'block' }),
    auditing('fix_only'),
  ]);
  const doubtful = (more: Partial<RunContext>): Given =>
    auditing('fix_only', [...worked('fix_only'), ['QualityReview', review('fix_only', { decision: 'partial' })]], {
      quality: 'partial',
      hint: 'partial',
      ...more,
    });
  refuses('ADM-AUDIT-06', 'a release after a partial review', () => [audit('fix_only'), doubtful({})]);
  refuses('ADM-AUDIT-06', 'a release when only the reverification passed', () => [
    audit('fix_only'),
    auditing('fix_only', reviewed('fix_only'), { hint: 'partial', topology: 'forensic' }),
  ]);
  for (const quality of ['remediate', 'partial', null] as const)
    refuses('ADM-AUDIT-06', `a release when the latest review decided ${quality}, whatever the hint`, () => [
      audit('fix_only'),
      auditing('fix_only', reviewed('fix_only'), { quality, hint: null }),
    ]);
  accepts('ADM-AUDIT-06', 'a partial end after a partial review', () => [partial('fix_only'), doubtful({})]);
  it('ADM-MCH-08 refuses a decision that no audit can take', () => {
    const [entry] = releaseAuditRules.filter(({ code }) => code === 'ADM-MCH-08');
    expect(entry?.control?.holds(run(), { decision: 'pass' })).toBe(false);
    expect(entry?.control?.says(run(), { decision: 'pass' })).toMatchObject({
      path: 'decision',
      expected: ['partial', 'block', 'release', 'remediate'],
    });
  });
  it('ADM-MCH-08 accepts every decision of the schema', () => {
    const [entry] = releaseAuditRules.filter(({ code }) => code === 'ADM-MCH-08');
    for (const decision of ['release', 'remediate', 'partial', 'block'])
      expect(entry?.control?.holds(run(), { decision })).toBe(true);
  });
  it('holds in every control part when the facts are unknown', () => {
    for (const { control } of releaseAuditRules)
      expect(control?.holds(run({ quality: 'block' }), {}) ?? true).toBe(true);
  });
});

describe('claims', () => {
  refuses(
    'ADM-AUDIT-07',
    'a release without a claim',
    () => [audit('fix_only', { claimEvidenceMatrix: [] }), auditing('fix_only')],
    ['ADM-AUDIT-11'],
  );
  accepts('ADM-AUDIT-07', 'a partial end without a claim', () => [
    partial('fix_only', { claimEvidenceMatrix: [] }),
    auditing('fix_only'),
  ]);
  it('ADM-AUDIT-08 refuses an id that stands twice, as a damaged body could hold it', () => {
    const query = queryOf('ReleaseAudit', audit('fix_only'), auditing('fix_only'));
    const twice = [...query.body.claimEvidenceMatrix, ...query.body.claimEvidenceMatrix];
    const found = findings(releaseAuditRules, { ...query, body: { ...query.body, claimEvidenceMatrix: twice } });
    expect(found).toMatchObject([{ code: 'ADM-AUDIT-08', path: 'claimEvidenceMatrix.1.claimId' }]);
  });
  accepts('ADM-AUDIT-08', 'two claims of the same criterion', () => [
    audit('fix_only', { claimEvidenceMatrix: [claimOf('CL-1', ['AC-1', 'AC-2']), claimOf('CL-2', ['AC-1'])] }),
    auditing('fix_only'),
  ]);
  refuses('ADM-AUDIT-09', 'a criterion that the contract does not have', () => [
    audit('fix_only', { claimEvidenceMatrix: [claimOf('CL-1', ['AC-1', 'AC-2', 'AC-9'])] }),
    auditing('fix_only'),
  ]);
  accepts('ADM-AUDIT-09', 'criteria of the contract', () => [audit('fix_only'), auditing('fix_only')]);
  refuses('ADM-AUDIT-11', 'a release that leaves out a criterion', () => [
    audit('fix_only', { claimEvidenceMatrix: [claimOf('CL-1', ['AC-1'])] }),
    auditing('fix_only'),
  ]);
  const reported = [claimOf('CL-1', ['AC-1', 'AC-2'], { basis: 'user_reported', evidenceRefs: [own('msg-01')] })];
  refuses('ADM-AUDIT-11', "a release on the user's word outside report_only", () => [
    audit('fix_only', { claimEvidenceMatrix: reported }),
    auditing('fix_only', reviewed('fix_only'), { topology: 'forensic' }),
  ]);
  accepts('ADM-AUDIT-11', "a release on the user's word in report_only", () => [
    audit('report_only', { claimEvidenceMatrix: reported }),
    auditing('report_only', reviewed('report_only'), { topology: 'forensic' }),
  ]);
});

describe('the release defect', () => {
  accepts('ADM-AUDIT-10', 'a defect that keeps every rule', () => [remediate('fix_only'), auditing('fix_only')]);
  accepts('ADM-AUDIT-10', 'the plan as the source where nothing is executed', () => [
    remediate('plan_only', { sourceRefs: [own('plan-01')] }),
    auditing('plan_only'),
  ]);
  const codesOf = (body: Body, given: Given): readonly unknown[] =>
    findings(releaseAuditRules, queryOf('ReleaseAudit', body, given)).map(({ code, path }) => [code, path]);
  it('ADM-AUDIT-10 refuses a defect under the codes of the broken rows', () => {
    const body = remediate('fix_only', {
      failedCriterionIds: ['AC-9'],
      allowedCapabilities: [],
      sourceRefs: [own('contract-01')],
    });
    expect(codesOf(body, auditing('fix_only'))).toEqual([
      ['ADM-ORDER-02', 'remediationDefect.failedCriterionIds'],
      ['ADM-ORDER-05', 'remediationDefect.allowedCapabilities'],
      ['ADM-ORDER-07', 'remediationDefect.sourceRefs'],
      ['ADM-ORDER-08', 'remediationDefect.allowedCapabilities'],
    ]);
  });
  refuses('ADM-ORDER-08', 'a defect without the capability that must be verified again', () => [
    remediate('analyze_only', {
      allowedCapabilities: ['shell.inspect'],
      permissions: grant({
        repository: { read: ['**'], write: [], delete: [] },
        shell: { inspect: true, executeAllowlist: [] },
      }),
    }),
    auditing('analyze_only'),
  ]);
  accepts('ADM-ORDER-08', 'a defect that a plan can follow, where nothing is executed', () => [
    remediate('report_only', { allowedCapabilities: [], permissions: grant(), sourceRefs: [own('quality-01')] }),
    auditing('report_only'),
  ]);
  it('ADM-ORDER-08 refuses, before the unlock, a defect that names a completion criterion', () => {
    const diagnosis: readonly Step[] = [
      ...worked('analyze_and_fix'),
      ['QualityReview', review('analyze_and_fix', { decision: 'partial', diagnosisGate: null })],
    ];
    const given = auditing('analyze_and_fix', diagnosis, { quality: 'partial', hint: 'partial' });
    const body = remediate('analyze_and_fix', { failedCriterionIds: ['AC-1', 'AC-2'] });
    expect(findings(releaseAuditRules, queryOf('ReleaseAudit', body, given))).toMatchObject([
      { code: 'ADM-ORDER-08', path: 'remediationDefect.failedCriterionIds', expected: ['AC-1'] },
    ]);
  });
  it('ADM-AUDIT-10 refuses, before the unlock, what analysis may not use', () => {
    const diagnosis: readonly Step[] = [
      ...worked('analyze_and_fix'),
      ['QualityReview', review('analyze_and_fix', { decision: 'partial', diagnosisGate: null })],
    ];
    const body = remediate('analyze_and_fix', {
      permissions: { ...contract('analyze_and_fix').permissions, shell: { inspect: true, executeAllowlist: [] } },
    });
    const given = auditing('analyze_and_fix', diagnosis, { quality: 'partial', hint: 'partial' });
    expect(codesOf(body, given)).toEqual([
      ['ADM-ORDER-04', 'remediationDefect.permissions.repository.write'],
      ['ADM-ORDER-04', 'remediationDefect.permissions.repository.delete'],
    ]);
  });
});
