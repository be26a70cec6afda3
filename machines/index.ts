/**
 * The public face of the room: the run machine, one machine a phase, the rule book, the permission rules and the
 * projection. Everything here is pure.
 */
export { caseOf } from './case.ts';
export { actionIdOf, newRun, type RunContext, type RunInput, type RunView, viewOf } from './context.ts';
export type {
  Case,
  Dossier,
  Effect,
  Facts,
  RecordEffect,
  Refusal,
  RunEvent,
  Submission,
  Token,
  TraceEntry,
} from './events.ts';
export {
  beginInvocation,
  type InvocationContext,
  type InvocationEffect,
  type InvocationEvent,
  type InvocationInput,
  type InvocationState,
  type InvocationStep,
  invocationMachine,
  type StoredInvocation,
  stepInvocation,
} from './invocation/index.ts';
export { type Authority, type AuthorityRequest, type Authorization, authorize } from './permissions/authorize.ts';
export { type BrokerDecision, type BrokerState, brokerDecision } from './permissions/brokerDecision.ts';
export { decideTarget } from './permissions/decideTarget.ts';
export { defaultGrant, effectivePermissions, modeCeiling } from './permissions/modes.ts';
export { capabilitiesOf, covers, deniedSet, emptyPermissions, grantedSet } from './permissions/permissionSet.ts';
export { excesses, firstExcess, subset } from './permissions/subset.ts';
export { auditMachine } from './phases/audit.ts';
export { clarificationMachine } from './phases/clarification.ts';
export { contractMachine } from './phases/contract.ts';
export { executeMachine } from './phases/execute.ts';
export { frameMachine } from './phases/frame.ts';
export { groundMachine } from './phases/ground.ts';
export { planMachine } from './phases/plan.ts';
export { qualityMachine } from './phases/quality.ts';
export { reportMachine } from './phases/report.ts';
export { reviewMachine } from './phases/review.ts';
export { terminalMachine } from './phases/terminal.ts';
export { type PartialAction, projectNextAction } from './projection/nextAction.ts';
export { ProjectionError } from './projection/projectionError.ts';
export {
  type AnyArtifact,
  type Artifact,
  artifactUri,
  emptyRecord,
  type PriorRun,
  parseArtifactUri,
  type RunRecord,
  uriOf,
} from './record.ts';
export type { BookEntry, Query, RuleCode, RuledType, RuleFinding } from './rules/book.ts';
export { codeOf, entriesFor, isRuled, ruleBook } from './rules/index.ts';
export { runMachine } from './run.ts';
export { findSecret, type SecretFinding } from './secrets/content.ts';
export { secretLikeName } from './secrets/names.ts';
export { type Classification, classify } from './start/classify.ts';
export { type Lineage, lineageOf } from './start/lineage.ts';
export { type StartRule, startRules } from './start/rules.ts';
export { type StartArgs, type StartFacts, type StartOutcome, startRun } from './start/start.ts';
export { begin, freeze, machineVersion, type RunSnapshot, type Step, step, thaw, UnhandledEventError } from './step.ts';
