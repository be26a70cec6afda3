import { type FailureCode, type Finding, failureCodes } from '../schemas/failure.ts';
import { limits, phaseTable } from '../schemas/vocabulary.ts';
import type { RunContext } from './context.ts';
import { entry } from './entry.ts';
import { isSubmit, type Refusal, type RunEvent, type TraceEntry } from './events.ts';
import { queryFor, typeOf, verdictOn } from './judgement.ts';
import type { RunRecord } from './record.ts';
import { codeOf } from './rules/index.ts';
import { deniedCheck } from './rules/recordedDenials.ts';
import {
  astrayFindings,
  checkQuota,
  controllerOwned,
  lostQuestion,
  nothingToResume,
  staleAction,
  staleVersion,
  unknownChoice,
} from './rules/token.ts';

/** Why an event is not accepted, as the machine's objections see it, and what a refusal leaves in the trace. */

const staleFindings = (run: RunContext, event: RunEvent): readonly Finding[] => {
  const version = staleVersion(run, event.token);
  return version.length > 0 ? version : staleAction(run, event.token);
};

/** The token is not the one of the current version. */
export const isStale = (run: RunContext, event: RunEvent | null): boolean =>
  event !== null && staleFindings(run, event).length > 0;

/** What the controller alone writes (COM-01): every such type from anywhere, a manifest from a host. */
export const ownedFindings = (event: RunEvent | null): readonly Finding[] => {
  if (!event || !isSubmit(event)) return [];
  const type = typeOf(event);
  const fromHost = event.case.dossier?.submission.from === 'host';
  return type === 'ContextManifest' && !fromHost ? [] : controllerOwned(type);
};

/** The answer cannot be taken: it names no choice, or the question or the paused phase is lost. */
export const answerFindings = (run: RunContext, event: RunEvent | null): readonly Finding[] => {
  if (event?.type !== 'user.answer') return [];
  const lost = event.record ? lostQuestion(run, event.record) : [];
  return [...unknownChoice(run, event.answer), ...lost, ...nothingToResume(run)];
};

/** Only the reserve of the trace is left, and the event moves nothing (D10). */
export const quotaFindings = (_run: RunContext, event: RunEvent | null): readonly Finding[] =>
  event?.type === 'host.check' && event.record ? checkQuota(event.record) : [];

const schemaCode = (type: string): FailureCode => (type === '' ? 'invalid_arguments' : 'invalid_body');

const firstCode = (findings: readonly Finding[]): FailureCode => {
  const first = findings[0]?.code ?? '';
  return first.startsWith('SCH-') ? schemaCode(first) : codeOf(first);
};

const recordOf = (event: RunEvent): RunRecord | null => {
  if ('case' in event) return event.case.dossier?.record ?? null;
  return event.type === 'user.cancel' ? null : event.record;
};

/** The entry that a refusal leaves: a recorded permission denial, else `transition_denied`, at most eight a version. */
const traceOf = (run: RunContext, event: RunEvent, findings: readonly Finding[], code: FailureCode): TraceEntry[] => {
  const record = recordOf(event);
  const isEnded = run.status !== 'running' && run.status !== 'awaiting_clarification';
  if (!record || isEnded || event.type === 'host.check' || failureCodes[code] === 'stale') return [];
  if (record.traceLength >= limits.traceEvents - limits.reservedTraceEvents) return [];
  if (isSubmit(event)) {
    const query = queryFor(run, event);
    const denied = query?.type === 'WorkResult' && code !== 'wrong_phase' ? deniedCheck(query, findings) : null;
    if (denied) return record.hasDeniedCheck(denied.key) ? [] : [denied.entry];
  }
  if (record.denials >= limits.deniedTraceEventsPerVersion) return [];
  const what = isSubmit(event) ? typeOf(event) : 'Answer';
  const codes = [...new Set(findings.map(({ code: rule }) => rule))].join(', ');
  const count = findings.length === 1 ? '1 finding' : `${findings.length} findings`;
  const last = record.denials === limits.deniedTraceEventsPerVersion - 1;
  const more = last ? '; further refusals at this version are not recorded' : '';
  const actor = isSubmit(event) ? phaseTable[run.phase].role : 'user';
  return [entry(run, 'transition_denied', actor, `${what} refused: ${count} (${codes})${more}.`)];
};

const findingsFor = (because: string, run: RunContext, event: RunEvent): readonly Finding[] => {
  if (because === 'stale') return staleFindings(run, event);
  if (because === 'controllerOwned') return ownedFindings(event);
  if (because === 'unknownChoice') return answerFindings(run, event);
  if (because === 'recordFull') return quotaFindings(run, event);
  if (because === 'astray' || !isSubmit(event)) return astrayFindings(run, event.type);
  const { shape, common, own } = verdictOn(run, event);
  if (because === 'breaksSchema') return shape;
  // Every finding that can be judged is told, whichever part objected first.
  return [...common, ...own];
};

/**
 * The refusal that an objection leads to, with all findings and what it leaves in the trace.
 * @param because the guard that objected, or `astray` when no row takes the event
 */
export const refusalOf = (because: string, run: RunContext, event: RunEvent | null): Refusal => {
  if (!event) return { code: 'internal', findings: [], trace: [] };
  const findings = findingsFor(because, run, event);
  const code = firstCode(findings);
  return { code, findings, trace: traceOf(run, event, findings, code) };
};
