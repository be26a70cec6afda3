import { digest } from '../../schemas/canonical.ts';
import type { RunContext } from '../context.ts';
import type { AnswerEvent } from '../events.ts';
import type { Artifact } from '../record.ts';

/** The stored answer: a UserMessage with the choice exactly as sent, citing the question (admission section 4). */
export const answerMessage = (run: RunContext, event: AnswerEvent): Artifact<'UserMessage'> => {
  const body = { schemaVersion: '1.0' as const, id: event.messageId, runId: run.runId, content: event.answer };
  return {
    id: event.messageId,
    runId: run.runId,
    type: 'UserMessage',
    producer: 'user',
    sha256: digest(body),
    sourceRefs: run.lineage,
    redaction: 'none',
    createdAt: event.at,
    body,
  };
};
