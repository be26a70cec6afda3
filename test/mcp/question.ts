import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { z } from 'zod';
import { request, tokenOf } from './rawServer.ts';
import { call } from './sdkClient.ts';

export const choices = [
  {
    id: 'narrow',
    label: 'Only the app',
    consequence: 'The run goes on with src/app.ts alone.',
    authorityEffect: 'within_current_authority',
    runEffect: 'resume',
  },
  {
    id: 'stop',
    label: 'Stop',
    consequence: 'The run is cancelled.',
    authorityEffect: 'within_current_authority',
    runEffect: 'cancel',
  },
] as const;

export const question = 'Which files\nare meant?';

/** The arguments that hand in the one question of a run which waits for its frame. */
export const askedIn = (token: ReturnType<typeof tokenOf>, evidence: readonly string[], text = question) => ({
  ...token,
  artifact_type: 'ClarificationRequest',
  body: {
    schemaVersion: '1.0',
    id: 'question-01',
    runId: token.run_id,
    question: text,
    reason: 'user_owned_materially_divergent',
    divergence: 'One file, or every file.',
    evidenceInspected: evidence,
    blockedBoundary: 'the scope of the frame',
    responseConstraints: 'One choice.',
    responseChoices: choices,
    permissionExpansionRequired: false,
    rationaleSummary: 'Only the user can say which files are meant.',
  },
});

const Inputs = z.object({ nextAction: z.looseObject({ inputRefs: z.array(z.string()) }) });

/** The arguments of a question, for a run that was started and grounded for it. */
export const readyToAsk = async (client: Client, text = question) => {
  const started = tokenOf(await call(client, 'telic_start_run', request));
  const grounded = await call(client, 'telic_ground_context', started);
  return askedIn(tokenOf(grounded), Inputs.parse(grounded).nextAction.inputRefs, text);
};

const Events = z.object({ events: z.array(z.looseObject({ actor: z.string(), rationaleSummary: z.string() })) });

/** What the trace says of the answer: its actor and its summary. */
export const answerIn = async (client: Client, run_id: string) => {
  const { events } = Events.parse(await call(client, 'telic_get_trace', { run_id }));
  return events
    .filter(({ rationaleSummary }) => rationaleSummary.startsWith('Choice '))
    .map(({ actor, rationaleSummary }) => ({ actor, rationaleSummary }));
};
