/** The public face of the room: every shape, its checks, and its JSON Schema for hosts. */

export {
  ClarificationRequest,
  type ResponseChoice,
} from './artifacts/clarification.ts';
export {
  type ContextCandidate,
  ContextManifest,
  type ExclusionReason,
  type InventorySource,
  RunEnvelope,
} from './artifacts/controller.ts';
export { ArtifactEnvelope } from './artifacts/envelope.ts';
export { Evidence } from './artifacts/evidence.ts';
export { WorkResult } from './artifacts/execution.ts';
export {
  type ArtifactKind,
  type ArtifactRow,
  artifactRows,
  type Bodies,
  type BodyOf,
  type BodyType,
  bodySchemas,
  isPublic,
  isStoredType,
  type Quota,
} from './artifacts/index.ts';
export { ProblemFrame, ScenarioSpec, TaskContract } from './artifacts/intent.ts';
export { ContextDocument, UserMessage } from './artifacts/ledgerOnly.ts';
export { ContextManifestWire, toCanonicalManifest } from './artifacts/manifestWire.ts';
export {
  ClarificationAction,
  NextAction,
  PhaseAction,
  RemainingBudgets,
  TerminalAction,
} from './artifacts/nextAction.ts';
export { type WorkNode, WorkPlan } from './artifacts/plan.ts';
export {
  PromptReview,
  passingScore,
  ReadinessScores,
  readinessScore,
  readinessWeights,
} from './artifacts/promptReview.ts';
export { QualityReview } from './artifacts/quality.ts';
export { ReceiptAudit, ReleaseAudit, UserReport } from './artifacts/release.ts';
export type {
  AcceptanceCoverage,
  AcceptanceCriterion,
  ClaimEvidenceEntry,
  EvidenceClaim,
  Finding as ReviewFinding,
  HardGate,
  ReviewCheck,
} from './artifacts/shared.ts';
export { TraceEvent } from './artifacts/trace.ts';
export {
  CanonicalError,
  type CanonicalForm,
  canonicalBytes,
  canonicalForm,
  canonicalJson,
  canonicalOrder,
  digest,
  digestOfText,
} from './canonical.ts';
export type { SchemaCode } from './codes.ts';
export {
  type Checkable,
  CheckableType,
  type Checked,
  checkBody,
  type Issue,
  normalizeManifest,
} from './issues.ts';
export { hostSchema } from './jsonSchema.ts';
export { PermissionSet } from './permissions.ts';
export {
  AbsRoot,
  ArtifactUri,
  Commit,
  Id,
  RefUri,
  RelPath,
  RepoUri,
  Sha256,
  Summary,
  Text,
  TraceUri,
  Ts,
} from './primitives.ts';
export { type SchemaRule, schemaRules } from './ruleBook.ts';
export type { JsonSchema } from './schemaParts.ts';
export * from './vocabulary.ts';
