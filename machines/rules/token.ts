import type { FailureCode, Finding } from '../../schemas/failure.ts';
import { found } from '../../schemas/found.ts';
import { type PhaseRow, phaseTable, recordPhases } from '../../schemas/vocabulary.ts';
import { actionIdOf, type RunContext } from '../context.ts';
import type { Token } from '../events.ts';
import type { RunRecord } from '../record.ts';
import { type BookEntry, type RuleCode, rule, type Said } from './book.ts';
import { listed } from './wording.ts';

/**
 * What the machine judges before any body: the token, whether the run takes anything now, whether this phase takes this
 * type, and the answer to the open question (admission sections 1, 2 and 4). The functions give findings; their codes and
 * refusals are the entries below.
 */

const entry = (code: RuleCode, refusal: FailureCode, text: string, reads: readonly string[]): BookEntry =>
  rule({ code, refusal, text, reads, types: [], part: 'common', ends: true });

const rows = {
  version: entry('ADM-TR-02', 'stale_version', 'expected_run_version is the version of the run.', ['run.version']),
  action: entry('ADM-TR-03', 'stale_action', 'action_id is the one of the current version.', ['run.version']),
  paused: entry(
    'ADM-TR-12',
    'wrong_phase',
    'While a question is open, the run takes an answer or a cancel and nothing else.',
    ['run.status'],
  ),
  owned: entry(
    'ADM-COM-01',
    'controller_owned',
    'What the controller writes (envelope, manifest, actions, trace, receipts, messages, documents) cannot be submitted.',
    [],
  ),
  accepted: entry('ADM-COM-09', 'wrong_phase', 'A phase takes the types of its row and no other.', ['run.phase']),
  ended: entry('ADM-COM-10', 'run_terminal', 'A run that has ended takes nothing more.', ['run.status']),
  asks: entry(
    'ADM-CLR-01',
    'clarification_invalid',
    'Every phase before the audit may ask the user; audit and report decide with the evidence at hand.',
    ['run.phase'],
  ),
  blank: entry('ADM-CLR-06', 'invalid_arguments', 'The answer to a question is not blank.', []),
  long: entry('ADM-CLR-07', 'invalid_arguments', 'The answer to a question has at most 32768 characters.', []),
  awaiting: entry('ADM-CLR-08', 'not_awaiting_clarification', 'Only a run that waits for an answer takes one.', [
    'run.status',
  ]),
  question: entry('ADM-CLR-09', 'integrity_failed', 'The open question is stored and can be read.', [
    'ClarificationRequest',
  ]),
  choice: entry('ADM-CLR-10', 'clarification_invalid', 'The answer is the id of one choice of the open question.', [
    'run.choices',
  ]),
  effect: entry('ADM-CLR-11', 'integrity_failed', 'The chosen option resumes, cancels or asks for a new run.', [
    'run.choices',
  ]),
  resumable: entry('ADM-CLR-12', 'integrity_failed', 'A paused run remembers the phase that it resumes.', [
    'run.resumePhase',
  ]),
  grounds: entry('ADM-GROUND-01', 'wrong_phase', 'Context is grounded once, as the first step of a run.', [
    'run.phase',
  ]),
  captures: entry('ADM-EVID-01', 'wrong_phase', 'Evidence is captured while a work node executes.', ['run.phase']),
  presents: entry(
    'ADM-SCEN-01',
    'wrong_phase',
    'A ScenarioSpec stands between its accepted ProblemFrame and the first contract.',
    ['run.phase'],
  ),
} as const;

/** The entries of this file, in the order of the page's rows. */
export const tokenRules: readonly BookEntry[] = Object.values(rows);

const says = (of: BookEntry, said: Said): readonly Finding[] => [{ ...said, code: of.code }];
const nothing: readonly Finding[] = [];

/** TR-02: the version of the token is the current one. */
export const staleVersion = (run: RunContext, token: Token): readonly Finding[] =>
  token.expectedVersion === run.version
    ? nothing
    : says(rows.version, {
        path: 'expected_run_version',
        message: `expected_run_version is ${token.expectedVersion}, but the run is at version ${run.version}.`,
        expected: run.version,
        fix: 'Fetch the next action; if what you want to send still fits it, send it again with its version and action id.',
      });

/** TR-03: the action id is the one of the current version, compared with the formula alone (D7). */
export const staleAction = (run: RunContext, token: Token): readonly Finding[] =>
  token.actionId === actionIdOf(run)
    ? nothing
    : says(rows.action, {
        path: 'action_id',
        message: `action_id ${found(token.actionId)} is not the one of version ${run.version} of this run.`,
        expected: actionIdOf(run),
        fix: 'Send the action_id of the current next action.',
      });

/** COM-10: the run has not ended. */
export const ended = (run: RunContext): readonly Finding[] =>
  run.status === 'running' || run.status === 'awaiting_clarification'
    ? nothing
    : says(rows.ended, {
        path: 'run_id',
        message: `The run has ended as ${run.status}; nothing more can be sent to it.`,
        fix: 'Read its report, or start a new run; prior_run_id lets the new one cite its Evidence.',
      });

/** TR-12: the run does not wait for an answer. */
export const paused = (run: RunContext): readonly Finding[] =>
  run.status !== 'awaiting_clarification'
    ? nothing
    : says(rows.paused, {
        path: 'artifact_type',
        message: 'The run waits for the answer to its question and takes no artifact until then.',
        expected: run.choices.map(({ id }) => id),
        fix: 'Ask the user, then send the id of the chosen option as clarification_response.',
      });

/** Types that no caller may submit, the wire's enumeration or not. */
const controllerTypes: ReadonlySet<string> = new Set([
  'RunEnvelope',
  'ContextManifest',
  'NextAction',
  'TraceEvent',
  'ReceiptAudit',
  'UserMessage',
  'ContextDocument',
]);

/** COM-01: the type is one that callers write. */
export const controllerOwned = (type: string): readonly Finding[] =>
  controllerTypes.has(type)
    ? says(rows.owned, {
        path: 'artifact_type',
        message: `${type} is written by the controller and cannot be submitted.`,
        fix:
          type === 'ContextManifest'
            ? 'Call telic_ground_context; it writes the manifest.'
            : 'Submit the type that the next action asks for.',
      })
    : nothing;

const takes = (row: PhaseRow): readonly string[] => [...row.accepts, ...row.supports];

const acceptedBy = (run: RunContext): string[] =>
  takes(phaseTable[run.phase]).filter((type) => !controllerTypes.has(type));

const phasesOf = (type: string): string[] =>
  recordPhases.map((phase) => phaseTable[phase]).flatMap((row) => (takes(row).includes(type) ? [row.wire] : []));

const wording = (run: RunContext, type: string): readonly [BookEntry, string, string] => {
  const phase = phaseTable[run.phase].wire;
  switch (type) {
    case 'ClarificationRequest':
      return [
        rows.asks,
        `Phase ${phase} cannot ask the user.`,
        'Decide with the evidence at hand and say in the artifact what stays open.',
      ];
    case 'Evidence':
      return [
        rows.captures,
        `Evidence is captured only in ${phasesOf(type).join(', ')}; the run is in ${phase}.`,
        'Cite what is stored already, or capture it while the next work node executes.',
      ];
    case 'ScenarioSpec':
      return [
        rows.presents,
        `A ScenarioSpec is taken only in ${phasesOf(type).join(', ')}; the run is in ${phase}.`,
        'Go on without it: it adds no authority.',
      ];
    case 'ContextManifest':
      return [
        rows.grounds,
        `The run is in ${phase} and does not wait for context.`,
        'Fetch the next action and do what it asks for; the sources are those that were selected.',
      ];
    default:
      return [
        rows.accepted,
        `Phase ${phase} takes ${acceptedBy(run).join(' or ')}, not ${found(type)}.`,
        'Fetch the next action and submit the type that it asks for.',
      ];
  }
};

/** COM-09, and CLR-01, EVID-01, SCEN-01 and GROUND-01 for their types: the phase takes the type. */
export const notAccepted = (run: RunContext, type: string): readonly Finding[] => {
  if (takes(phaseTable[run.phase]).includes(type)) return nothing;
  const [row, message, fix] = wording(run, type);
  const path = row === rows.grounds ? 'run_id' : 'artifact_type';
  return says(row, { path, message, expected: acceptedBy(run), fix });
};

/** CLR-08: the run waits for an answer. */
export const notAwaiting = (run: RunContext): readonly Finding[] =>
  run.status === 'awaiting_clarification'
    ? nothing
    : says(rows.awaiting, {
        path: 'clarification_response',
        message: 'The run waits for no answer.',
        fix: 'Fetch the next action and submit the artifact that it asks for.',
      });

/** CLR-09: the question that the run waits on is stored. */
export const lostQuestion = (run: RunContext, record: RunRecord): readonly Finding[] =>
  run.status !== 'awaiting_clarification' || record.latest('ClarificationRequest')
    ? nothing
    : says(rows.question, {
        path: '',
        message: 'The open question is not in the ledger.',
        fix: 'Let an operator check the ledger; the run can still be cancelled.',
      });

const longestAnswer = 32_768;

/**
 * CLR-06, -07, -10 and -11: the answer is exactly the id of one choice, and the choice has a known effect. Nothing is
 * trimmed: the API asks for the exact identifier, where admission section 4 would trim.
 */
export const unknownChoice = (run: RunContext, answer: string): readonly Finding[] => {
  const path = 'clarification_response';
  const expected = run.choices.map(({ id }) => id);
  const fix = `Send one of these ids alone: ${listed(expected, 8)}.`;
  if (answer.trim() === '') return says(rows.blank, { path, message: 'The answer is blank.', expected, fix });
  if (answer.length > longestAnswer)
    return says(rows.long, {
      path,
      message: `The answer has ${answer.length} characters; ${longestAnswer} is the limit.`,
      expected,
      fix,
    });
  const chosen = run.choices.find(({ id }) => id === answer);
  if (!chosen)
    return says(rows.choice, { path, message: `${found(answer)} is no choice of the open question.`, expected, fix });
  const effects: readonly string[] = ['resume', 'cancel', 'new_run'];
  return effects.includes(chosen.effect)
    ? nothing
    : says(rows.effect, {
        path,
        message: `The choice ${found(answer)} has no known effect.`,
        fix: 'Let an operator check the ledger; the run can still be cancelled.',
      });
};

/** CLR-12: a run that is to resume is paused and remembers where. */
export const nothingToResume = (run: RunContext): readonly Finding[] =>
  run.status === 'awaiting_clarification' && run.resumePhase !== null
    ? nothing
    : says(rows.resumable, {
        path: '',
        message: 'The run has no paused phase to resume.',
        fix: 'Let an operator check the ledger; the run can still be cancelled.',
      });

/**
 * Why no row of the run takes an event.
 * @param event the type of the event: `submit.<Type>`, `user.answer` or any other
 */
export const astrayFindings = (run: RunContext, event: string): readonly Finding[] => {
  const over = ended(run);
  if (over.length > 0) return over;
  if (event === 'user.answer') return notAwaiting(run);
  const type = event.startsWith('submit.') ? event.slice('submit.'.length) : event;
  const waits = paused(run);
  if (waits.length > 0) return waits;
  const owned = type === 'ContextManifest' ? nothing : controllerOwned(type);
  return owned.length > 0 ? owned : notAccepted(run, type);
};

/** COM-15 for a tool check: it may not use the reserve of the trace (D10). */
export { checkQuota } from './ledgerRules.ts';
