import { z } from 'zod';
import { type BodyRule, rule, withRules } from '../bodyRules.ts';
import { Id, int, list, num, Refs, RefUri, SomeRefs, Summary, str, Text } from '../primitives.ts';
import { ActionCapability } from '../vocabulary.ts';

/** The objects that more than one body holds (artifacts section 4 and where they are named again). */

export const contractFields = [
  'schemaVersion',
  'id',
  'runId',
  'version',
  'originalRequestRef',
  'problemFrameRef',
  'intentMode',
  'objective',
  'scope',
  'constraints',
  'nonGoals',
  'contextRefs',
  'ruleRefs',
  'permissions',
  'acceptanceCriteria',
  'requiredOutputs',
  'verificationRequirements',
  'stopConditions',
  'assumptions',
  'unresolvedQuestions',
  'rationaleSummary',
] as const;
export const ContractField = z.enum(contractFields);
export type ContractField = z.infer<typeof ContractField>;

/** What a revision may change; scope, constraints, permissions and criteria are not among them. */
export const correctionFields = [
  'objective',
  'contextRefs',
  'requiredOutputs',
  'verificationRequirements',
  'stopConditions',
  'assumptions',
  'unresolvedQuestions',
  'rationaleSummary',
] as const;
export const CorrectionField = z.enum(correctionFields);
export type CorrectionField = z.infer<typeof CorrectionField>;

export const EvidenceStatus = z.enum(['observed', 'inferred', 'user_reported', 'unverified']);
export type EvidenceStatus = z.infer<typeof EvidenceStatus>;

export const Severity = z.enum(['info', 'warning', 'blocking']);
export type Severity = z.infer<typeof Severity>;

export const Stage = z.enum(['diagnosis', 'completion']);
export type Stage = z.infer<typeof Stage>;

export const CheckStatus = z.enum(['pass', 'fail', 'unverified', 'not_applicable']);
export type CheckStatus = z.infer<typeof CheckStatus>;

export const ClaimBasis = z.enum(['direct', 'user_reported']);
export type ClaimBasis = z.infer<typeof ClaimBasis>;

export const ClaimStatus = z.enum(['supported', 'unsupported', 'contradicted', 'unverified']);
export type ClaimStatus = z.infer<typeof ClaimStatus>;

export const Capabilities = list(ActionCapability);
export const ContractFields = list(ContractField, 0, 64);
export const CorrectionFields = list(CorrectionField, 0, 64);

export const Scope = z.strictObject({ include: list(str(1, 1024)), exclude: list(str(1, 1024)) });
export type Scope = z.infer<typeof Scope>;

export const AcceptanceCriterion = z.strictObject({
  id: Id,
  stage: Stage,
  requirement: Text,
  evidenceRequired: list(str(1, 255), 1),
});
export type AcceptanceCriterion = z.infer<typeof AcceptanceCriterion>;

/** A verdict of one of these words rests on evidence. */
const needsEvidence = <T extends { readonly status: string; readonly evidenceRefs: readonly string[] }>(
  code: BodyRule<T>['code'],
  what: string,
  words: readonly string[],
): BodyRule<T> =>
  rule(
    code,
    ['evidenceRefs'],
    `${what} that is ${words.join(' or ')} names its evidence.`,
    'Name at least one reference in evidenceRefs, or choose a status that claims less.',
    ({ status, evidenceRefs }) =>
      words.includes(status) && evidenceRefs.length === 0 && `status is "${status}" and evidenceRefs is empty`,
    () => ({ minItems: 1 }),
  );

const EvidenceClaimFields = z.strictObject({
  id: Id,
  text: Text,
  status: EvidenceStatus,
  evidenceRefs: Refs,
  confidence: num(0, 1),
});
export const evidenceClaimRules = [
  needsEvidence<z.output<typeof EvidenceClaimFields>>('SCH-CLAIM-01', 'A statement', ['observed', 'inferred']),
];
export const EvidenceClaim = withRules(EvidenceClaimFields, evidenceClaimRules);
export type EvidenceClaim = z.infer<typeof EvidenceClaim>;

const FindingFields = z.strictObject({
  id: Id,
  severity: Severity,
  claim: Text,
  sourceRefs: Refs,
  rubricDimension: str(1, 128).nullable(),
  requiredCorrection: Text.nullable(),
  preserveFields: ContractFields,
  correctionFields: CorrectionFields.default(() => []),
  rationaleSummary: Summary,
});
export const findingRules = [
  rule<z.output<typeof FindingFields>>(
    'SCH-FIND-01',
    ['sourceRefs'],
    'A blocking finding names its sources.',
    'Name at least one reference in sourceRefs, or lower the severity.',
    ({ severity, sourceRefs }) =>
      severity === 'blocking' && sourceRefs.length === 0 && 'severity is "blocking" and sourceRefs is empty',
    () => ({ minItems: 1 }),
  ),
];
export const Finding = withRules(FindingFields, findingRules);
export type Finding = z.infer<typeof Finding>;

export const HardGate = z.strictObject({
  id: Id,
  passed: z.boolean(),
  description: Text,
  evidenceRefs: SomeRefs,
  rationaleSummary: Summary,
});
export type HardGate = z.infer<typeof HardGate>;

const AcceptanceCoverageFields = z.strictObject({
  criterionId: Id,
  status: CheckStatus,
  evidenceRefs: Refs,
  rationaleSummary: Summary,
});
export const acceptanceCoverageRules = [
  needsEvidence<z.output<typeof AcceptanceCoverageFields>>('SCH-COVER-01', 'A criterion', ['pass', 'fail']),
];
export const AcceptanceCoverage = withRules(AcceptanceCoverageFields, acceptanceCoverageRules);
export type AcceptanceCoverage = z.infer<typeof AcceptanceCoverage>;

const ReviewCheckFields = z.strictObject({
  id: Id,
  subjectRef: RefUri.nullable().default(null),
  description: Text,
  status: CheckStatus,
  evidenceRefs: Refs,
  rationaleSummary: Summary,
});
export const reviewCheckRules = [
  needsEvidence<z.output<typeof ReviewCheckFields>>('SCH-CHECK-01', 'A check', ['pass', 'fail']),
];
export const ReviewCheck = withRules(ReviewCheckFields, reviewCheckRules);
export type ReviewCheck = z.infer<typeof ReviewCheck>;

const ClaimEvidenceEntryFields = z.strictObject({
  claimId: Id,
  claim: Text,
  criterionIds: list(Id, 1),
  basis: ClaimBasis,
  status: ClaimStatus,
  evidenceRefs: Refs,
  rationaleSummary: Summary,
});
export const claimEvidenceEntryRules = [
  needsEvidence<z.output<typeof ClaimEvidenceEntryFields>>('SCH-MATRIX-01', 'A claim', ['supported']),
];
export const ClaimEvidenceEntry = withRules(ClaimEvidenceEntryFields, claimEvidenceEntryRules);
export type ClaimEvidenceEntry = z.infer<typeof ClaimEvidenceEntry>;

/** The calls that a work order may ask for. */
export const OrderCalls = int(1, 1000);

/** Whether every one of these verdicts is `pass`; the places of the others, for a message. */
export const notPassing = (label: string, checks: readonly { readonly status: string }[]): readonly string[] =>
  checks.flatMap(({ status }, index) => (status === 'pass' ? [] : [`${label}.${index} is "${status}"`]));

/** The places of blocking findings, for a message. */
export const blockingOnes = (findings: readonly Finding[]): readonly string[] =>
  findings.flatMap(({ severity }, index) => (severity === 'blocking' ? [`findings.${index} is blocking`] : []));

/** The places of gates not passed, for a message. */
export const closedGates = (gates: readonly HardGate[]): readonly string[] =>
  gates.flatMap(({ passed }, index) => (passed ? [] : [`hardGates.${index} did not pass`]));

/** Joins what stands against a decision into one clause; `false` when nothing does. */
export const against = (decision: string, reasons: readonly string[]): string | false =>
  reasons.length > 0 &&
  `decision is "${decision}", yet ${reasons.slice(0, 5).join(', ')}${reasons.length > 5 ? ` and ${reasons.length - 5} more` : ''}`;
