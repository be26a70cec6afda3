import type { ClarificationReason } from '../../../schemas/artifacts/clarification.ts';
import type { BodyOf } from '../../../schemas/artifacts/index.ts';
import { headOf, requestOf, type Stand } from './stand.ts';

/** A question with one choice for each thing that an answer can do under its reason. */
export const clarificationRequest = (stand: Stand, reason: ClarificationReason): BodyOf<'ClarificationRequest'> => {
  const expands = reason === 'permission_expanding';
  return {
    ...headOf(stand, 'question'),
    question: expands ? 'May a new run do more than this one?' : 'Shall the run go on as it was framed?',
    reason,
    divergence: 'The answers lead to different ends of this run.',
    evidenceInspected: [requestOf(stand).ref],
    blockedBoundary: expands ? 'authority of the run' : 'meaning of the request',
    responseConstraints: 'Answer with the id of one choice.',
    responseChoices: [
      {
        id: 'go-on',
        label: 'Go on',
        consequence: 'The run goes on within its present authority.',
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
      ...(expands
        ? [
            {
              id: 'start-over',
              label: 'Start over with more authority',
              consequence: 'This run ends; a new one has to be started.',
              authorityEffect: 'requires_new_run' as const,
              runEffect: 'new_run' as const,
            },
          ]
        : []),
    ],
    permissionExpansionRequired: expands,
    rationaleSummary: 'Only the user can settle this.',
  };
};
