/** What programs import to drive a run: the connection, the driver, and an author that needs no model. */
export type { Action, ArtifactMeta, PhaseStep, Refused as Refusal, TerminalStep, TraceLine } from './answers.ts';
export type { AnswerQuestion, Author, BriefPart, Product, ShownBrief, Work, Write } from './author.ts';
export { byRule, madeUp } from './brief/byRule.ts';
export { choicesOf, type Meant } from './brief/choices.ts';
export {
  type Answers,
  type Fillable,
  type FillOptions,
  fillDraft,
  type Place,
  type Room,
  withVariant,
} from './brief/fillDraft.ts';
export type { Json, JsonObject } from './brief/json.ts';
export {
  type BriefAuthorOptions,
  briefAuthor,
  type CapturedEvidence,
  type Filling,
  type Needed,
} from './briefAuthor.ts';
export { complete } from './complete.ts';
export { type Answer, type CallTool, type Connection, connectStdio, type StdioServer } from './connectStdio.ts';
export {
  type Followed,
  type FollowOptions,
  followRun,
  type GroundRequest,
  QuestionError,
  type StartRequest,
  type Step,
} from './followRun.ts';
export { RefusedError } from './refusedError.ts';
export type { RunReader } from './runReader.ts';
export { standOf } from './scriptedAuthor/acts.ts';
export { appendLine } from './scriptedAuthor/appendLine.ts';
export { evidenceOf } from './scriptedAuthor/evidence.ts';
export { gitAnswers, inspectRepository } from './scriptedAuthor/inspectRepository.ts';
export type { Captured, Change, Inspect, Look, MakeChange } from './scriptedAuthor/look.ts';
export type { Script } from './scriptedAuthor/script.ts';
export { scriptedAuthor } from './scriptedAuthor/scriptedAuthor.ts';
export { traceOf } from './traceOf.ts';
export * from './workspace/index.ts';
