import { describe, expect, it } from 'vitest';
import { bodyReferences } from '../../machines/rules/bodyReferences.ts';
import type { RuledType } from '../../machines/rules/book.ts';
import { evidenceRole } from '../../machines/rules/directEvidence.ts';
import { kindsFor } from '../../machines/rules/evidenceKinds.ts';
import { actionCapabilities } from '../../schemas/vocabulary.ts';

/** The tables of admission section 3, written out once more: a row that is lost or added here is told by its name. */

const referenceKeys = [
  'applicableRuleRefs',
  'argumentsRef',
  'changeRefs',
  'clarificationRequestRef',
  'commandRef',
  'contextManifestRef',
  'contextRefs',
  'derivedRefs',
  'diffRef',
  'directEvidenceRefs',
  'evidenceInspected',
  'evidenceRefs',
  'findingRefs',
  'followupRequestRefs',
  'inputRefs',
  'instructionRef',
  'originalRequestRef',
  'outputRef',
  'outputRefs',
  'pinnedRefs',
  'policyRefs',
  'problemFrameRef',
  'promptReadinessRubricRef',
  'qualityReviewRef',
  'ref',
  'requestRef',
  'resultRef',
  'ruleRefs',
  'sourceRef',
  'sourceRefs',
  'subjectRef',
  'targetRef',
  'taskContractRef',
  'toolEventRefs',
  'traceRef',
  'userReportRef',
  'verificationRefs',
  'workPlanRef',
  'workPlanRefs',
  'workResultRef',
  'workResultRefs',
];

const ref = 'artifact://run-1/a';

describe('the keys of references', () => {
  it.each(referenceKeys)('%s holds references, alone or in a list', (key) => {
    expect(bodyReferences({ [key]: ref }).map(({ path }) => path)).toEqual([key]);
    expect(bodyReferences({ at: [{ [key]: [ref, ref] }] }).map(({ pattern }) => pattern)).toEqual([
      `at[].${key}[]`,
      `at[].${key}[]`,
    ]);
  });

  it.each(['summary', 'id', 'refs', 'Ref', 'target', 'path', 'missingRef', ''])('%j holds none', (key) => {
    expect(bodyReferences({ [key]: ref })).toEqual([]);
  });
});

const directInAnyType: readonly (readonly [string, object])[] = [
  ['toolEventRefs[]', { toolEventRefs: [ref] }],
  ['verificationRefs[]', { verificationRefs: [ref] }],
  ['diagnosisGate.directEvidenceRefs[]', { diagnosisGate: { directEvidenceRefs: [ref] } }],
  ['filesChanged[].diffRef', { filesChanged: [{ diffRef: ref }] }],
  ['testResults[].commandRef', { testResults: [{ commandRef: ref }] }],
  ['testResults[].outputRef', { testResults: [{ outputRef: ref }] }],
  ...[
    'claimEvidenceMatrix',
    'completionClaims',
    'observations',
    'inferences',
    'acceptanceCoverage',
    'acceptanceResults',
    'verificationResults',
    'ruleCompliance',
    'regressionChecks',
    'userFidelity',
  ].map((list) => [`${list}[].evidenceRefs[]`, { [list]: [{ evidenceRefs: [ref] }] }] as const),
];
const types: readonly RuledType[] = ['WorkPlan', 'WorkResult', 'QualityReview', 'ReleaseAudit', 'UserReport'];
const roles = (type: RuledType, body: object): readonly string[] =>
  bodyReferences(body).map((one) => evidenceRole(type, body, one));

describe('the fields that captured evidence must back', () => {
  it.each(directInAnyType)('%s in a body of any type', (_pattern, body) => {
    for (const type of types) expect(roles(type, body), type).toEqual(['direct']);
  });

  it.each([
    ['WorkResult', { evidenceRefs: [ref] }],
    ['WorkResult', { actions: [{ evidenceRefs: [ref] }] }],
    ['QualityReview', { hardGates: [{ evidenceRefs: [ref] }] }],
  ] as const)('in a %s alone: %j', (owner, body) => {
    for (const type of types) expect(roles(type, body), type).toEqual([type === owner ? 'direct' : 'plain']);
  });

  it.each([
    ['ReleaseAudit', { claimEvidenceMatrix: [{ basis: 'user_reported', evidenceRefs: [ref] }] }],
    ['UserReport', { completionClaims: [{ status: 'user_reported', evidenceRefs: [ref] }] }],
  ] as const)('rest on the word of the user where an element of a %s says so: %j', (owner, body) => {
    for (const type of types) expect(roles(type, body), type).toEqual([type === owner ? 'user_reported' : 'direct']);
  });

  it('are no others', () => {
    expect(roles('WorkResult', { taskContractRef: ref, sourceRefs: [ref], nodes: [{ evidenceRefs: [ref] }] })).toEqual([
      'plain',
      'plain',
      'plain',
    ]);
  });
});

describe('the kinds of Evidence that show a capability', () => {
  it('are those of the table', () => {
    expect(Object.fromEntries(actionCapabilities.map((capability) => [capability, kindsFor(capability)]))).toEqual({
      'repository.read': ['repository', 'diff', 'tool_output'],
      'repository.write': ['diff'],
      'repository.delete': ['diff'],
      'shell.inspect': ['tool_output', 'log', 'test'],
      'shell.execute': ['tool_output', 'log', 'test'],
      'runtime.inspect': ['runtime', 'log', 'tool_output'],
      'runtime.restart': ['runtime', 'log', 'tool_output'],
      'browser.inspect': ['browser'],
      'browser.mutate': ['browser'],
      'network.read': ['tool_output'],
      'external.write': ['tool_output'],
      'subagent.spawn': ['tool_output'],
    });
  });
});
