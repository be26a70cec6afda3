import type { ElicitRequestFormParams, ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import { parseArtifactUri } from '../../../machines/record.ts';
import { ClarificationRequest } from '../../../schemas/artifacts/clarification.ts';
import type { Controller, Stepped } from '../../controller/api.ts';
import { TelicError } from '../../controller/telicError.ts';
import type { Moves } from '../moves.ts';
import type { Report } from '../report.ts';
import { choiceField, formOf } from './form.ts';

/** The way to the user that a client declared: it shows forms. */
export interface FormClient {
  readonly protocolVersion: string;
  /** @throws when the client fails, does not answer, or the signal ends the wait; the form is then withdrawn */
  readonly show: (form: ElicitRequestFormParams, signal: AbortSignal) => Promise<ElicitResult>;
}

export interface AskPorts {
  readonly client: FormClient;
  readonly moves: Moves;
  /** Ends with the call that asks, at its longest. */
  readonly signal: AbortSignal;
  readonly report: Report;
}

const questionOf = async (
  controller: Controller,
  { run, nextAction }: Stepped,
): Promise<ClarificationRequest | null> => {
  if (nextAction.kind !== 'clarification') return null;
  const at = parseArtifactUri(nextAction.clarificationRequestRef);
  if (!at) return null;
  const { artifact } = await controller.artifact(run.runId, at.id);
  return 'body' in artifact ? ClarificationRequest.parse(artifact.body) : null;
};

/** What the user chose; null when nobody answered, whatever the reason. */
const chosen = async (
  question: ClarificationRequest,
  { run }: Stepped,
  { client, moves, signal, report }: AskPorts,
): Promise<string | null> => {
  // Whoever answers or cancels the run beside the form makes the form void.
  const moved = new AbortController();
  const stopListening = moves.listen(({ runId }) => {
    if (runId === run.runId) moved.abort(new Error('The run has moved meanwhile.'));
  });
  try {
    const { action, content } = await client.show(
      formOf(question, client.protocolVersion),
      AbortSignal.any([signal, moved.signal]),
    );
    const value = action === 'accept' ? content?.[choiceField] : undefined;
    return typeof value === 'string' && question.responseChoices.some(({ id }) => id === value) ? value : null;
  } catch (error) {
    if (!moved.signal.aborted && !signal.aborted)
      report(`the client did not put the question to the user: ${error instanceof Error ? error.message : error}`);
    return null;
  } finally {
    stopListening();
  }
};

/** The run as it stands now, which is what the call left unless somebody else has moved it since. */
const standing = async (controller: Controller, asked: Stepped): Promise<Stepped> => {
  const { run, nextAction } = await controller.run(asked.run.runId, { limit: 1 });
  return nextAction === undefined || run.version === asked.run.version
    ? asked
    : { run, nextAction, stored: asked.stored };
};

/**
 * Puts the question that a submission led to before the user, through the client, and submits the choice in the same
 * call (guidance section 5). Without an answer the run waits as it does for any host, and the host asks.
 *
 * @param asked what the submission of the question answered
 * @returns the run after the answer; the run as it stands when there was none
 */
export const askUser = async (asked: Stepped, controller: Controller, ports: AskPorts): Promise<Stepped> => {
  const { run, nextAction, stored } = asked;
  const token = { runId: run.runId, actionId: nextAction.id, expectedVersion: run.version };
  try {
    const question = await questionOf(controller, asked);
    const answer = question && (await chosen(question, asked, ports));
    if (answer !== null) {
      const moved = await controller.answer({ ...token, answer, via: 'client' });
      return { ...moved, stored: [...stored, ...moved.stored] };
    }
  } catch (error) {
    // The question is stored, so the call has succeeded whatever became of the answer.
    if (!(error instanceof TelicError && error.failure.kind === 'stale'))
      ports.report(`the user's choice was not stored: ${error instanceof Error ? error.message : error}`);
  }
  return standing(controller, asked);
};
