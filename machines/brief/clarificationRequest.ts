import type { ClarificationReason } from '../../schemas/artifacts/clarification.ts';
import type { Variant } from '../../schemas/brief.ts';
import { inputRefsOf } from '../projection/inputs.ts';
import { choice, type Draft, headOf, list, most, rationale, type Stand, text } from './draft.ts';

/** Schema of the choices: 2 to 8. */
const mostChoices = 8;

const within = 'within_current_authority';
const resume = { authorityEffect: within, runEffect: 'resume' };
const cancel = { authorityEffect: within, runEffect: 'cancel' };
const newRun = { authorityEffect: 'requires_new_run', runEffect: 'new_run' };
const open = { authorityEffect: null, runEffect: null };

const answer = (number: number, effect: object) => ({ id: `answer-0${number}`, label: '', consequence: '', ...effect });

const ofTheUser: Variant = {
  name: 'user_owned_materially_divergent',
  when: 'Only the user can choose among readings that end differently.',
  patch: { reason: 'user_owned_materially_divergent', permissionExpansionRequired: false },
  blanks: [],
};

const beyondAuthority: Variant = {
  name: 'permission_expanding',
  when: 'The work needs authority that this run lacks.',
  patch: {
    reason: 'permission_expanding',
    permissionExpansionRequired: true,
    responseChoices: [answer(1, resume), answer(2, newRun)],
  },
  blanks: [],
};

/** The beginning of the reading list, where the request stands, and its newest. */
const inspected = ({ record, run }: Stand): readonly string[] => {
  const refs = inputRefsOf(record, run.phase);
  return [...new Set([...refs.slice(0, 1), ...refs.slice(-1)])];
};

/**
 * The draft of a ClarificationRequest: its first answer lets the run go on, its second ends it, or starts another with
 * the authority that is missing (guidance section 1, SCH-CLAR-03 to -05).
 * @param first the reason that is tried first
 */
export const draftOfClarificationRequest = (
  stand: Stand,
  first: ClarificationReason = 'user_owned_materially_divergent',
): Draft => ({
  body: {
    ...headOf(stand, 'question'),
    question: '',
    reason: null,
    divergence: '',
    evidenceInspected: inspected(stand),
    blockedBoundary: '',
    responseConstraints: '',
    responseChoices: [answer(1, resume), answer(2, cancel)],
    permissionExpansionRequired: null,
    rationaleSummary: '',
  },
  blanks: [
    text('question', 'One question.'),
    text('divergence', 'How the outcomes differ.'),
    text('blockedBoundary', 'What waits for it.', { maximum: most.label }),
    text('responseConstraints', 'How to answer.'),
    list(
      'responseChoices',
      'More answers.',
      { value: answer(3, open), blanks: [choice('runEffect', '', [resume, cancel])] },
      { minimum: 2, maximum: mostChoices, optional: true },
    ),
    text('responseChoices[*].label', '', { maximum: most.label }),
    text('responseChoices[*].consequence', 'What follows; differs from every other.'),
    rationale(),
  ],
  variants: first === 'permission_expanding' ? [beyondAuthority, ofTheUser] : [ofTheUser, beyondAuthority],
});
