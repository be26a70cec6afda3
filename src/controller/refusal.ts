import { actionIdOf, type RunContext } from '../../machines/context.ts';
import type { Refusal } from '../../machines/events.ts';
import { type Current, type FailureCode, failureCodes } from '../../schemas/failure.ts';
import { phaseTable } from '../../schemas/vocabulary.ts';
import { type FailureParts, sentenceOf, TelicError } from './telicError.ts';

/** The token that a caller needs to go on. */
export const currentOf = (run: RunContext): Current => ({ version: run.version, actionId: actionIdOf(run) });

const tokenText = (run: RunContext): string =>
  `run_id ${run.runId}, expected_run_version ${run.version}, action_id ${actionIdOf(run)}`;

const resend = (run: RunContext): string => `Correct it and call telic_submit_artifact again with ${tokenText(run)}.`;
const refresh = (run: RunContext): string => `Call telic_get_next_action with run_id ${run.runId}.`;

/** What would work now: the call to make next, with the current token (guidance section 2). */
export const nextStepsFor = (code: FailureCode, run: RunContext): readonly string[] => {
  switch (code) {
    case 'stale_version':
    case 'stale_action':
      if (run.status !== 'running' && run.status !== 'awaiting_clarification')
        return [`The run has ended as ${run.status}; it takes nothing more. ${refresh(run)} It names the report.`];
      return [`${refresh(run)} If the step is still wanted, send it with ${tokenText(run)}.`];
    case 'run_terminal':
      return [
        `Read how it ended: telic_get_run with run_id ${run.runId}.`,
        'Start another run with telic_start_run if more is to be done.',
      ];
    case 'wrong_phase':
    case 'wrong_type':
    case 'not_awaiting_clarification':
    case 'controller_owned':
      return run.status === 'awaiting_clarification'
        ? [`Send the user's choice as clarification_response: telic_submit_artifact with ${tokenText(run)}.`]
        : [`The phase is ${phaseTable[run.phase].wire}. ${refresh(run)} It says what is accepted.`];
    case 'clarification_invalid':
      return run.status === 'awaiting_clarification'
        ? [`Send one choice id as clarification_response: telic_submit_artifact with ${tokenText(run)}.`]
        : [resend(run)];
    case 'run_escalated':
      return [refresh(run)];
    case 'permission_denied':
      return ['The authority of this run does not grow: leave the action out, or report it as denied.', resend(run)];
    case 'quota_exceeded':
      return [`${refresh(run)} Finish the run within its limits, or end it with telic_cancel_run.`];
    case 'integrity_failed':
      return ['Let an operator look at the ledger: telic doctor.'];
    case 'id_taken':
      return [`Choose another id. ${resend(run)}`];
    default:
      return [resend(run)];
  }
};

/** The error that a refusal of the machine becomes, with every finding and the way out. */
export const refusalError = (
  run: RunContext,
  refusal: Refusal,
  type: string | undefined,
  extra: FailureParts = {},
): TelicError =>
  new TelicError(refusal.code, sentenceOf(refusal.findings, type), {
    findings: refusal.findings,
    nextSteps: nextStepsFor(refusal.code, run),
    ...(failureCodes[refusal.code] === 'stale' && { current: currentOf(run) }),
    ...extra,
  });
