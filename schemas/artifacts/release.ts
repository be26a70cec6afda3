import { z } from 'zod';
import { type BodyRule, type Breach, repeats, rule, withRules } from '../bodyRules.ts';
import { PermissionSet } from '../permissions.ts';
import {
  ArtifactRefs,
  ArtifactUri,
  head,
  Id,
  int,
  list,
  Refs,
  SomeRefs,
  Summary,
  Text,
  Texts,
  TraceUri,
  Ts,
} from '../primitives.ts';
import { TerminalStatus } from '../vocabulary.ts';
import {
  against,
  blockingOnes,
  Capabilities,
  ClaimEvidenceEntry,
  EvidenceClaim,
  Finding,
  notPassing,
  OrderCalls,
  ReviewCheck,
} from './shared.ts';

/** How a run closes: the audit, the receipt that stands for it, the report (artifacts 8.1 to 8.3). */

export const PassFail = z.enum(['pass', 'fail']);
export type PassFail = z.infer<typeof PassFail>;

export const AuditDecision = z.enum(['release', 'remediate', 'partial', 'block']);
export type AuditDecision = z.infer<typeof AuditDecision>;

export const DigestStatus = z.enum(['verified', 'failed']);
export type DigestStatus = z.infer<typeof DigestStatus>;

export const ReleaseDefect = z.strictObject({
  id: Id,
  failedCriterionIds: list(Id, 1),
  description: Text,
  allowedCapabilities: Capabilities,
  permissions: PermissionSet,
  sourceRefs: SomeRefs,
  maximumToolCalls: OrderCalls,
  returnToRole: z.literal('quality_controller'),
  rationaleSummary: Summary,
});
export type ReleaseDefect = z.infer<typeof ReleaseDefect>;

type Matrix = { readonly claimEvidenceMatrix: readonly ClaimEvidenceEntry[] };

const uniqueClaims = <T extends Matrix>(code: BodyRule<T>['code']): BodyRule<T> =>
  rule(
    code,
    ['claimEvidenceMatrix'],
    'Each claim has an id of its own.',
    'Give each claim another id.',
    ({ claimEvidenceMatrix }) => {
      const twice = repeats(claimEvidenceMatrix, ({ claimId }) => claimId);
      return twice.length > 0 && `used more than once: ${[...new Set(twice.map(({ key }) => key))].join(', ')}`;
    },
  );

const unsupported = ({ claimEvidenceMatrix }: Matrix): readonly string[] =>
  claimEvidenceMatrix.flatMap(({ status }, index) =>
    status === 'supported' ? [] : [`claimEvidenceMatrix.${index} is "${status}"`],
  );

const ReleaseAuditFields = z.strictObject({
  ...head,
  originalRequestRef: ArtifactUri,
  taskContractRef: ArtifactUri,
  workPlanRefs: ArtifactRefs.default(() => []),
  workResultRefs: ArtifactRefs,
  qualityReviewRef: ArtifactUri,
  userFidelity: list(ReviewCheck, 1),
  modeCompliance: PassFail,
  claimEvidenceMatrix: list(ClaimEvidenceEntry),
  unresolvedRisks: Texts,
  findings: list(Finding),
  remainingRemediations: int(0, 1),
  decision: AuditDecision,
  remediationDefect: ReleaseDefect.nullable(),
  userReportRef: ArtifactUri.nullable(),
  rationaleSummary: Summary,
});
type Audit = z.output<typeof ReleaseAuditFields>;

const doubts = (body: Audit): readonly string[] => [
  ...(body.modeCompliance === 'fail' ? ['modeCompliance is "fail"'] : []),
  ...notPassing('userFidelity', body.userFidelity),
  ...unsupported(body),
];

export const releaseAuditRules = [
  uniqueClaims<Audit>('SCH-AUDIT-01'),
  rule<Audit>(
    'SCH-AUDIT-02',
    ['workResultRefs'],
    'An audit names the plans or the results that it judged.',
    'Name the WorkResults, or the WorkPlans where nothing was executed.',
    ({ workPlanRefs, workResultRefs }) =>
      workPlanRefs.length === 0 && workResultRefs.length === 0 && 'workPlanRefs and workResultRefs are both empty',
  ),
  rule<Audit>(
    'SCH-AUDIT-03',
    ['decision'],
    'A release has its mode kept, every check passed, every claim supported and no blocking finding.',
    'Decide remediate, partial or block, or clear what stands against the release.',
    (body) => body.decision === 'release' && against('release', [...doubts(body), ...blockingOnes(body.findings)]),
    () => ['partial', 'block', 'remediate'] satisfies readonly AuditDecision[],
  ),
  rule<Audit>(
    'SCH-AUDIT-04',
    ['remainingRemediations'],
    'A remediation needs one that is left.',
    'Copy the remaining budget of the action; when it is 0, decide release, partial or block.',
    ({ decision, remainingRemediations }) =>
      decision === 'remediate' &&
      remainingRemediations !== 1 &&
      `decision is "remediate" and remainingRemediations is ${remainingRemediations}`,
  ),
  rule<Audit>(
    'SCH-AUDIT-05',
    ['remediationDefect'],
    'A remediation has its defect.',
    'Describe the defect.',
    ({ decision, remediationDefect }) =>
      decision === 'remediate' && remediationDefect === null && 'decision is "remediate" and there is no defect',
  ),
  rule<Audit>(
    'SCH-AUDIT-06',
    ['userReportRef'],
    'A remediation has no report to follow.',
    'Set userReportRef to null.',
    ({ decision, userReportRef }) =>
      decision === 'remediate' && userReportRef !== null && 'decision is "remediate" and a report is named',
    () => null,
  ),
  rule<Audit>(
    'SCH-AUDIT-07',
    ['remediationDefect'],
    'Only a remediation has a defect.',
    'Set remediationDefect to null, or decide remediate.',
    ({ decision, remediationDefect }) =>
      decision !== 'remediate' && remediationDefect !== null && `decision is "${decision}" and there is a defect`,
    () => null,
  ),
  rule<Audit>(
    'SCH-AUDIT-08',
    ['userReportRef'],
    'Any other decision names the report that follows.',
    'Name the artifact:// reference that the report will have.',
    ({ decision, userReportRef }) =>
      decision !== 'remediate' && userReportRef === null && `decision is "${decision}" and userReportRef is null`,
    ({ runId }) => `artifact://${runId}/report-01`,
  ),
  rule<Audit>(
    'SCH-AUDIT-09',
    ['decision'],
    'A partial or blocking decision has a reason in the body.',
    'Name an unresolved risk or a finding, or decide release.',
    (body) =>
      (body.decision === 'partial' || body.decision === 'block') &&
      doubts(body).length === 0 &&
      body.findings.length === 0 &&
      body.unresolvedRisks.length === 0 &&
      `decision is "${body.decision}", yet all is passed and supported and there is neither a finding nor a risk`,
  ),
] as const;

export const ReleaseAudit = withRules(ReleaseAuditFields, releaseAuditRules);
export type ReleaseAudit = z.infer<typeof ReleaseAudit>;

const ReceiptAuditFields = z.strictObject({
  ...head,
  controllingReviewRef: ArtifactUri,
  claimEvidenceMatrix: list(ClaimEvidenceEntry),
  digestStatus: DigestStatus,
  verifiedAt: Ts,
});
type Receipt = z.output<typeof ReceiptAuditFields>;

export const receiptAuditRules = [
  uniqueClaims<Receipt>('SCH-RECEIPT-01'),
  rule<Receipt>(
    'SCH-RECEIPT-02',
    ['digestStatus'],
    'A verified receipt has every claim supported.',
    'Set digestStatus to failed, or support the claims.',
    (body) =>
      body.digestStatus === 'verified' &&
      unsupported(body).length > 0 &&
      `digestStatus is "verified", yet ${unsupported(body).slice(0, 5).join(', ')}`,
    () => 'failed',
  ),
] as const;

export const ReceiptAudit = withRules(ReceiptAuditFields, receiptAuditRules);
export type ReceiptAudit = z.infer<typeof ReceiptAudit>;

export const NextUserAction = z.strictObject({ id: Id, description: Text, requiresAuthorization: z.boolean() });
export type NextUserAction = z.infer<typeof NextUserAction>;

const UserReportFields = z.strictObject({
  ...head,
  terminalStatus: TerminalStatus,
  summary: Text,
  completionClaims: list(EvidenceClaim),
  findingRefs: Refs,
  changeRefs: Refs,
  verificationRefs: Refs,
  unresolvedRisks: Texts,
  permissionsHonored: z.boolean(),
  nextActions: list(NextUserAction),
  traceRef: TraceUri,
  rationaleSummary: Summary,
});
type Report = z.output<typeof UserReportFields>;

export const userReportRules = [
  rule<Report>(
    'SCH-REPORT-01',
    ['completionClaims'],
    'A completed run has completion claims.',
    'Copy the audited claims, or choose another terminalStatus.',
    ({ terminalStatus, completionClaims }) =>
      terminalStatus === 'completed' &&
      completionClaims.length === 0 &&
      'terminalStatus is "completed" and completionClaims is empty',
    () => ({ minItems: 1 }),
  ),
  rule<Report>(
    'SCH-REPORT-02',
    ['permissionsHonored'],
    'A completed run kept to its permissions.',
    'Choose another terminalStatus when permissions were overstepped.',
    ({ terminalStatus, permissionsHonored }) =>
      terminalStatus === 'completed' &&
      !permissionsHonored &&
      'terminalStatus is "completed" and permissionsHonored is false',
  ),
  {
    code: 'SCH-REPORT-03',
    text: 'Each claim of a completed run is verified and names its evidence.',
    fix: 'Leave the claim out, or choose another terminalStatus.',
    check: ({ terminalStatus, completionClaims }: Report): Breach[] =>
      terminalStatus === 'completed'
        ? completionClaims.flatMap(({ status, evidenceRefs }, index) =>
            status === 'unverified' || evidenceRefs.length === 0
              ? [
                  {
                    path: ['completionClaims', index],
                    expected: { absent: true },
                    wrong: `terminalStatus is "completed", yet this claim is "${status}" with ${evidenceRefs.length} references`,
                  },
                ]
              : [],
          )
        : [],
  },
  rule<Report>(
    'SCH-REPORT-04',
    ['unresolvedRisks'],
    'A run that ended short says what is open.',
    'Name a risk, a finding or a next action.',
    ({ terminalStatus, findingRefs, unresolvedRisks, nextActions }) =>
      terminalStatus !== 'completed' &&
      terminalStatus !== 'cancelled' &&
      findingRefs.length + unresolvedRisks.length + nextActions.length === 0 &&
      `terminalStatus is "${terminalStatus}", yet findingRefs, unresolvedRisks and nextActions are all empty`,
  ),
] as const;

export const UserReport = withRules(UserReportFields, userReportRules);
export type UserReport = z.infer<typeof UserReport>;
