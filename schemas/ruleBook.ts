import { clarificationRules } from './artifacts/clarification.ts';
import { contextBudgetRules, contextManifestRules } from './artifacts/controller.ts';
import { artifactEnvelopeRules } from './artifacts/envelope.ts';
import { fileChangeRules, testResultRules, workActionRules, workResultRules } from './artifacts/execution.ts';
import { problemFrameRules, taskContractRules } from './artifacts/intent.ts';
import { contextDocumentRules, userMessageRules } from './artifacts/ledgerOnly.ts';
import { manifestWireRules } from './artifacts/manifestWire.ts';
import { workPlanRules } from './artifacts/plan.ts';
import { promptReviewRules } from './artifacts/promptReview.ts';
import { diagnosisGateRules, qualityReviewRules, verificationResultRules } from './artifacts/quality.ts';
import { receiptAuditRules, releaseAuditRules, userReportRules } from './artifacts/release.ts';
import {
  acceptanceCoverageRules,
  claimEvidenceEntryRules,
  evidenceClaimRules,
  findingRules,
  reviewCheckRules,
} from './artifacts/shared.ts';
import { traceEventRules } from './artifacts/trace.ts';
import { type CodeEntry, fieldCodes } from './codes.ts';

/** A rule of the schema layer as a reader meets it. */
export interface SchemaRule extends CodeEntry {
  /** The body or the object inside bodies that it judges; `every field` for those of artifacts sections 1 and 2. */
  readonly on: string;
}

const on = (name: string, rules: readonly CodeEntry[]): readonly SchemaRule[] =>
  rules.map(({ code, text, fix }) => ({ code, on: name, text, fix }));

/** Every `SCH-` code there is, in the order of the artifacts page: the same sentences that refusals show. */
export const schemaRules: readonly SchemaRule[] = [
  ...on('every field', Object.values(fieldCodes)),
  ...on('EvidenceClaim', evidenceClaimRules),
  ...on('Finding', findingRules),
  ...on('ContextBudget', contextBudgetRules),
  ...on('ContextManifest', contextManifestRules),
  ...on('ContextManifestWire', manifestWireRules),
  ...on('ClarificationRequest', clarificationRules),
  ...on('ProblemFrame', problemFrameRules),
  ...on('TaskContract', taskContractRules),
  ...on('PromptReview', promptReviewRules),
  ...on('WorkPlan', workPlanRules),
  ...on('WorkAction', workActionRules),
  ...on('FileChange', fileChangeRules),
  ...on('TestResult', testResultRules),
  ...on('AcceptanceCoverage', acceptanceCoverageRules),
  ...on('WorkResult', workResultRules),
  ...on('ReviewCheck', reviewCheckRules),
  ...on('VerificationResult', verificationResultRules),
  ...on('DiagnosisGate', diagnosisGateRules),
  ...on('QualityReview', qualityReviewRules),
  ...on('ClaimEvidenceEntry', claimEvidenceEntryRules),
  ...on('ReleaseAudit', releaseAuditRules),
  ...on('UserReport', userReportRules),
  ...on('ReceiptAudit', receiptAuditRules),
  ...on('TraceEvent', traceEventRules),
  ...on('UserMessage', userMessageRules),
  ...on('ContextDocument', contextDocumentRules),
  ...on('ArtifactEnvelope', artifactEnvelopeRules),
];
