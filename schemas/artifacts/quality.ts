import { z } from 'zod';
import { rule, withRules } from '../bodyRules.ts';
import { PermissionSet } from '../permissions.ts';
import { ArtifactRefs, ArtifactUri, head, Id, int, list, num, Refs, SomeRefs, Summary, Text } from '../primitives.ts';
import { ActionCapability } from '../vocabulary.ts';
import { passingScore } from './promptReview.ts';
import {
  AcceptanceCoverage,
  against,
  blockingOnes,
  Capabilities,
  closedGates,
  Finding,
  HardGate,
  notPassing,
  OrderCalls,
  ReviewCheck,
} from './shared.ts';

/** Whether the work meets the contract, and what follows (artifacts 7.3). */

export const VerificationStatus = z.enum(['pass', 'fail', 'unverified', 'unavailable']);
export type VerificationStatus = z.infer<typeof VerificationStatus>;

export const ReviewKind = z.enum(['spot', 'evidence_reverify']);
export type ReviewKind = z.infer<typeof ReviewKind>;

export const QualityDecision = z.enum(['pass', 'proceed_to_fix', 'remediate', 'block', 'partial']);
export type QualityDecision = z.infer<typeof QualityDecision>;

export const GateStatus = z.enum(['supported', 'unsupported', 'unverified']);
export type GateStatus = z.infer<typeof GateStatus>;

const VerificationResultFields = z.strictObject({
  requirementId: Id,
  capability: ActionCapability,
  status: VerificationStatus,
  evidenceRefs: Refs,
  rationaleSummary: Summary,
});
export const verificationResultRules = [
  rule<z.output<typeof VerificationResultFields>>(
    'SCH-VERIFY-01',
    ['evidenceRefs'],
    'A verification that passed or failed names its evidence.',
    'Name at least one reference in evidenceRefs, or use unverified or unavailable.',
    ({ status, evidenceRefs }) =>
      (status === 'pass' || status === 'fail') &&
      evidenceRefs.length === 0 &&
      `status is "${status}" and evidenceRefs is empty`,
    () => ({ minItems: 1 }),
  ),
];
export const VerificationResult = withRules(VerificationResultFields, verificationResultRules);
export type VerificationResult = z.infer<typeof VerificationResult>;

const order = {
  objective: Text,
  permissions: PermissionSet,
  sourceRefs: SomeRefs,
  maximumToolCalls: OrderCalls,
  rationaleSummary: Summary,
} as const;

export const RemediationWorkOrder = z.strictObject({
  id: Id,
  failedCriterionIds: list(Id, 1),
  allowedCapabilities: Capabilities,
  ...order,
});
export type RemediationWorkOrder = z.infer<typeof RemediationWorkOrder>;

export const CorrectionWorkOrder = z.strictObject({
  id: Id,
  targetCriterionIds: list(Id, 1),
  allowedCapabilities: list(ActionCapability, 1),
  ...order,
});
export type CorrectionWorkOrder = z.infer<typeof CorrectionWorkOrder>;

const DiagnosisGateFields = z.strictObject({
  id: Id,
  status: GateStatus,
  rootCause: Text,
  directEvidenceRefs: ArtifactRefs,
  correctionWorkOrder: CorrectionWorkOrder.nullable(),
  withinApprovedScope: z.boolean(),
  permissionsSufficient: z.boolean(),
  rationaleSummary: Summary,
});
type Gate = z.output<typeof DiagnosisGateFields>;

const uncited = ({ directEvidenceRefs, correctionWorkOrder }: Gate): readonly string[] =>
  correctionWorkOrder === null ? [] : directEvidenceRefs.filter((ref) => !correctionWorkOrder.sourceRefs.includes(ref));

export const diagnosisGateRules = [
  rule<Gate>(
    'SCH-GATE-01',
    ['directEvidenceRefs'],
    'A supported diagnosis names direct evidence.',
    'Name at least one artifact in directEvidenceRefs, or choose another status.',
    ({ status, directEvidenceRefs }) =>
      status === 'supported' &&
      directEvidenceRefs.length === 0 &&
      'status is "supported" and directEvidenceRefs is empty',
    () => ({ minItems: 1 }),
  ),
  rule<Gate>(
    'SCH-GATE-02',
    ['correctionWorkOrder'],
    'A supported diagnosis orders the correction.',
    'Add the work order, or choose another status.',
    ({ status, correctionWorkOrder }) =>
      status === 'supported' && correctionWorkOrder === null && 'status is "supported" and correctionWorkOrder is null',
  ),
  rule<Gate>(
    'SCH-GATE-03',
    ['correctionWorkOrder'],
    'Only a supported diagnosis orders a correction.',
    'Set correctionWorkOrder to null.',
    ({ status, correctionWorkOrder }) =>
      status !== 'supported' && correctionWorkOrder !== null && `status is "${status}" and a correction is ordered`,
    () => null,
  ),
  rule<Gate>(
    'SCH-GATE-04',
    ['correctionWorkOrder', 'sourceRefs'],
    'The work order cites all direct evidence.',
    'Add the missing references to sourceRefs of the work order.',
    (gate) => uncited(gate).length > 0 && `sourceRefs lacks ${uncited(gate).join(', ')}`,
    (gate) => ({ add: [...new Set(uncited(gate))] }),
  ),
] as const;
export const DiagnosisGate = withRules(DiagnosisGateFields, diagnosisGateRules);
export type DiagnosisGate = z.infer<typeof DiagnosisGate>;

const Fields = z.strictObject({
  ...head,
  taskContractRef: ArtifactUri,
  workPlanRefs: ArtifactRefs.default(() => []),
  workResultRefs: ArtifactRefs,
  rubricId: z.literal('execution-quality-v1'),
  acceptanceResults: list(AcceptanceCoverage, 1),
  ruleCompliance: list(ReviewCheck),
  regressionChecks: list(ReviewCheck),
  verificationResults: list(VerificationResult),
  findings: list(Finding),
  hardGates: list(HardGate, 1),
  score: num(0, 100),
  remainingRemediations: int(0, 1),
  reviewKind: ReviewKind.default('spot'),
  decision: QualityDecision,
  diagnosisGate: DiagnosisGate.nullable().default(null),
  remediationWorkOrder: RemediationWorkOrder.nullable(),
  rationaleSummary: Summary,
});
type Review = z.output<typeof Fields>;

const objections = ({ hardGates, findings, ruleCompliance, regressionChecks }: Review): readonly string[] => [
  ...closedGates(hardGates),
  ...blockingOnes(findings),
  ...notPassing('ruleCompliance', ruleCompliance),
  ...notPassing('regressionChecks', regressionChecks),
];

const insufficient = ({ diagnosisGate: gate }: Review): readonly string[] =>
  gate === null
    ? []
    : [
        ...(gate.status === 'supported' ? [] : [`its status is "${gate.status}"`]),
        ...(gate.directEvidenceRefs.length > 0 ? [] : ['it names no direct evidence']),
        ...(gate.correctionWorkOrder !== null ? [] : ['it orders no correction']),
        ...(gate.withinApprovedScope ? [] : ['withinApprovedScope is false']),
        ...(gate.permissionsSufficient ? [] : ['permissionsSufficient is false']),
      ];

/** The decisions that claim no success, the one that asks least of the rest first. */
const unsuccessful: readonly QualityDecision[] = ['partial', 'block', 'remediate'];

export const qualityReviewRules = [
  rule<Review>(
    'SCH-QUALITY-01',
    ['workResultRefs'],
    'A review names the plans or the results that it judged.',
    'Name the WorkResults, or the WorkPlans where nothing was executed.',
    ({ workPlanRefs, workResultRefs }) =>
      workPlanRefs.length === 0 && workResultRefs.length === 0 && 'workPlanRefs and workResultRefs are both empty',
  ),
  rule<Review>(
    'SCH-QUALITY-02',
    ['score'],
    `A decision to go on has a score of at least ${passingScore}.`,
    'Judge the score again, or decide otherwise.',
    ({ decision, score }) =>
      (decision === 'pass' || decision === 'proceed_to_fix') &&
      score < passingScore &&
      `decision is "${decision}" and score is ${score}`,
    () => ({ minimum: passingScore }),
  ),
  rule<Review>(
    'SCH-QUALITY-03',
    ['decision'],
    'A pass has all gates, criteria and checks passed and no blocking finding.',
    'Decide remediate, partial or block, or clear what stands against the pass.',
    (body) =>
      body.decision === 'pass' &&
      against('pass', [...objections(body), ...notPassing('acceptanceResults', body.acceptanceResults)]),
    () => unsuccessful,
  ),
  rule<Review>(
    'SCH-QUALITY-04',
    ['remainingRemediations'],
    'A remediation needs one that is left.',
    'Copy the remaining budget of the action; when it is 0, decide pass, partial or block.',
    ({ decision, remainingRemediations }) =>
      decision === 'remediate' &&
      remainingRemediations !== 1 &&
      `decision is "remediate" and remainingRemediations is ${remainingRemediations}`,
  ),
  rule<Review>(
    'SCH-QUALITY-05',
    ['remediationWorkOrder'],
    'A remediation has its work order.',
    'Add the work order.',
    ({ decision, remediationWorkOrder }) =>
      decision === 'remediate' && remediationWorkOrder === null && 'decision is "remediate" and there is no work order',
  ),
  rule<Review>(
    'SCH-QUALITY-06',
    ['remediationWorkOrder'],
    'Only a remediation has a remediation work order.',
    'Set remediationWorkOrder to null, or decide remediate.',
    ({ decision, remediationWorkOrder }) =>
      decision !== 'remediate' &&
      remediationWorkOrder !== null &&
      `decision is "${decision}" and there is a work order`,
    () => null,
  ),
  rule<Review>(
    'SCH-QUALITY-07',
    ['decision'],
    'Going on to the fix needs all gates and checks passed and no blocking finding.',
    'Decide remediate, partial or block, or clear what stands against going on.',
    (body) => body.decision === 'proceed_to_fix' && against('proceed_to_fix', objections(body)),
    () => unsuccessful,
  ),
  rule<Review>(
    'SCH-QUALITY-08',
    ['diagnosisGate'],
    'Going on to the fix needs a diagnosis gate.',
    'Add the gate with its evidence and its correction order.',
    ({ decision, diagnosisGate }) =>
      decision === 'proceed_to_fix' && diagnosisGate === null && 'decision is "proceed_to_fix" and there is no gate',
  ),
  rule<Review>(
    'SCH-QUALITY-09',
    ['diagnosisGate'],
    'Going on to the fix needs a supported gate with direct evidence, an order, approved scope and sufficient permissions.',
    'Mend the gate where it is true, or decide partial or block.',
    (body) =>
      body.decision === 'proceed_to_fix' &&
      insufficient(body).length > 0 &&
      `decision is "proceed_to_fix", yet the gate does not carry it: ${insufficient(body).join(', ')}`,
  ),
  rule<Review>(
    'SCH-QUALITY-10',
    ['diagnosisGate'],
    'Only going on to the fix has a diagnosis gate.',
    'Set diagnosisGate to null, or decide proceed_to_fix.',
    ({ decision, diagnosisGate }) =>
      decision !== 'proceed_to_fix' && diagnosisGate !== null && `decision is "${decision}" and there is a gate`,
    () => null,
  ),
] as const;

export const QualityReview = withRules(Fields, qualityReviewRules);
export type QualityReview = z.infer<typeof QualityReview>;
