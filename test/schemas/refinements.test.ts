import { describe, expect, it } from 'vitest';
import { type CheckableType, checkBody } from '../../schemas/issues.ts';
import { bodyIn, invalid, put } from './bodies.ts';

/** Each refinement alone: one reason at a time for it, and the nearest body that gives none (artifacts sections 2 to 8). */

type Edit = readonly (readonly [path: string, value: unknown])[];

const told = (type: CheckableType, file: string, edit: Edit): readonly string[] => {
  const body = edit.reduce((at, [path, value]) => put(at, path, value), bodyIn(`${type}/${file}.json`));
  const checked = checkBody(type, body);
  return checked.ok ? [] : checked.issues.map(({ code, path }) => `${code} ${path}`);
};
const contract = (...edit: Edit) => told('TaskContract', 'valid-plan-only', edit);
const result = (...edit: Edit) => told('WorkResult', 'valid-completed', edit);
const review = (...edit: Edit) => told('QualityReview', 'valid-pass', edit);
const fixing = (...edit: Edit) => told('QualityReview', 'valid-proceed-to-fix', edit);
const release = (...edit: Edit) => told('ReleaseAudit', 'valid-release', edit);
const partial = (...edit: Edit) => told('ReleaseAudit', 'valid-partial', edit);

describe('the issues of the conformance bodies', () => {
  it.each(invalid)('of $file are where and what they were, with what they expect', ({ type, file }) => {
    const checked = checkBody(type, bodyIn(file));
    expect(
      checked.ok ? [] : checked.issues.map(({ code, path, expected }) => ({ code, path, expected })),
    ).toMatchSnapshot();
  });
});

describe('a contract of a mode that changes nothing', () => {
  const grants = [
    ['repository.write', ['src/**']],
    ['repository.delete', ['src/**']],
    ['runtime.restart', ['local']],
    ['browser.mutateState', true],
    ['network.externalWrite', true],
  ] as const;

  const verification = (more: object) => ({
    id: 'VR-1',
    stage: 'completion',
    description: 'Look at it.',
    required: true,
    capability: 'repository.read',
    fallback: null,
    ...more,
  });

  it('is taken as it stands', () => expect(contract()).toEqual([]));

  it.each(grants)('is refused with %s, and told to withdraw it', (grant, value) => {
    const body = put(bodyIn('TaskContract/valid-plan-only.json'), `permissions.${grant}`, value);
    const checked = checkBody('TaskContract', body);
    const issues = checked.ok ? [] : checked.issues;
    expect(issues).toMatchObject([
      { code: 'SCH-CONTRACT-07', path: 'permissions', message: expect.stringContaining(grant) },
    ]);
    expect(checkBody('TaskContract', put(body, 'permissions', issues[0]?.expected)).ok).toBe(true);
  });

  it.each(['report_only', 'plan_only'] as const)('in %s is refused with any of them', (mode) => {
    expect(contract(['intentMode', mode], ['permissions.repository.write', ['a']])).toEqual([
      'SCH-CONTRACT-07 permissions',
    ]);
  });

  it('is refused with a verification of the diagnosis', () => {
    expect(contract(['verificationRequirements', [verification({ stage: 'diagnosis' })]])).toEqual([
      'SCH-CONTRACT-06 verificationRequirements',
    ]);
  });

  it.each(['analyze_only', 'fix_only'] as const)('%s executes, so that one verification must be required', (mode) => {
    const required = (value: boolean) =>
      contract(['intentMode', mode], ['verificationRequirements', [verification({ required: value })]]);
    expect(required(false)).toEqual(['SCH-CONTRACT-03 verificationRequirements']);
    expect(required(true)).toEqual([]);
  });
});

describe('a result', () => {
  const test = (status: string, outputRef: string | null) => ({
    id: 'TEST-9',
    name: 'npm test',
    status,
    commandRef: null,
    outputRef,
    exitCode: null,
    rationaleSummary: 'As it came.',
  });

  it.each(['passed', 'failed'])('with a test that %s names its output', (status) => {
    const body = (ref: string | null) => result(['status', 'partial'], ['testResults', [test(status, ref)]]);
    expect(body(null)).toEqual(['SCH-TEST-01 testResults.0.outputRef']);
    expect(body('artifact://run-timeout-01/ev-test-01')).toEqual([]);
  });

  it.each(['skipped', 'unavailable'])('with a test that is %s needs no output', (status) => {
    expect(result(['status', 'partial'], ['testResults', [test(status, null)]])).toEqual([]);
  });
});

describe('a review', () => {
  it.each(['pass', 'fail'])('with a verification of status %s names its evidence', (status) => {
    expect(review(['verificationResults.0.status', status], ['verificationResults.0.evidenceRefs', []])).toEqual([
      'SCH-VERIFY-01 verificationResults.0.evidenceRefs',
    ]);
  });

  it.each(['unverified', 'unavailable'])('with a verification that is %s names none', (status) => {
    expect(review(['verificationResults.0.status', status], ['verificationResults.0.evidenceRefs', []])).toEqual([]);
  });

  it.each([
    ['hardGates.0.passed', false],
    ['ruleCompliance.0.status', 'fail'],
    ['regressionChecks.0.status', 'fail'],
    ['acceptanceResults.0.status', 'fail'],
  ])('does not pass with %s at %s', (path, status) => {
    expect(review([path, status])).toContain('SCH-QUALITY-03 decision');
  });

  it('passes from a score of 80 on', () => {
    expect(review(['score', 80])).toEqual([]);
    expect(review(['score', 79])).toEqual(['SCH-QUALITY-02 score']);
  });

  it.each([
    ['status', 'unverified'],
    ['directEvidenceRefs', []],
    ['correctionWorkOrder', null],
    ['withinApprovedScope', false],
    ['permissionsSufficient', false],
  ])('does not go on to the fix with %s of its gate at %j', (field, value) => {
    expect(fixing([`diagnosisGate.${field}`, value])).toContain('SCH-QUALITY-09 diagnosisGate');
  });

  it('goes on to the fix with its gate', () => expect(fixing()).toEqual([]));
});

describe('an audit', () => {
  it('releases when nothing stands against it', () => expect(release()).toEqual([]));

  it.each([
    ['modeCompliance', 'fail'],
    ['userFidelity.0.status', 'fail'],
    ['claimEvidenceMatrix.0.status', 'unverified'],
  ])('does not release with %s at %s', (path, value) => {
    expect(release([path, value])).toEqual(['SCH-AUDIT-03 decision']);
  });

  const bare: Edit = [
    ['unresolvedRisks', []],
    ['findings', []],
    ['modeCompliance', 'pass'],
    ['userFidelity.0.status', 'pass'],
    ['claimEvidenceMatrix', []],
  ];
  it.each(['partial', 'block'])('that decides %s has a reason', (decision) => {
    expect(partial(...bare, ['decision', decision])).toEqual(['SCH-AUDIT-09 decision']);
  });

  it.each([
    ['modeCompliance', 'fail'],
    ['userFidelity.0.status', 'fail'],
    ['unresolvedRisks', ['It may slow down.']],
  ] as const)('has a reason in %s alone', (path, value) => {
    expect(partial(...bare, [path, value])).toEqual([]);
  });
});

describe('a report of a run that ended short', () => {
  const short = (...edit: Edit) =>
    told('UserReport', 'valid-completed', [
      ['terminalStatus', 'partial'],
      ['findingRefs', []],
      ['unresolvedRisks', []],
      ['nextActions', []],
      ...edit,
    ]);

  it.each(['partial', 'failed_verification', 'blocked'])('%s says what is open', (status) => {
    expect(short(['terminalStatus', status])).toEqual(['SCH-REPORT-04 unresolvedRisks']);
  });

  it('may leave that out when it was cancelled', () => expect(short(['terminalStatus', 'cancelled'])).toEqual([]));

  it.each([
    ['findingRefs', ['artifact://run-timeout-01/quality-01']],
    ['unresolvedRisks', ['It may slow down.']],
    ['nextActions', [{ id: 'NA-1', description: 'Try it.', requiresAuthorization: false }]],
  ] as const)('says it in %s alone', (path, value) => {
    expect(short([path, value])).toEqual([]);
  });
});

describe('a reference', () => {
  const at = (ref: string) => result(['evidenceRefs', [ref]]);
  it('is measured before its form is looked at', () => {
    expect(at('')).toEqual(['SCH-LEN-01 evidenceRefs.0']);
    expect(at('x')).toEqual(['SCH-URI-04 evidenceRefs.0']);
    expect(at('x'.repeat(2048))).toEqual(['SCH-URI-04 evidenceRefs.0']);
    expect(at('x'.repeat(2049))).toEqual(['SCH-LEN-01 evidenceRefs.0']);
  });
});
