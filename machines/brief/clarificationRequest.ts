import type { ClarificationReason } from '../../schemas/artifacts/clarification.ts';
import type { Blank, Variant } from '../../schemas/brief.ts';
import { inputRefsOf } from '../projection/inputs.ts';
import { choice, type Draft, headOf, list, most, rationale, type Stand, summary, text } from './draft.ts';

/** What a question is told to rest on; the rest of the reading list adds nothing to it. */
const mostInspected = 4;
/** Schema of the choices: 2 to 8. */
const mostChoices = 8;

const within = 'within_current_authority';
const resume = { runEffect: 'resume', authorityEffect: within };
const cancel = { runEffect: 'cancel', authorityEffect: within };
const newRun = { runEffect: 'new_run', authorityEffect: 'requires_new_run' };

const effect = (path: string, effects: readonly unknown[]): Blank =>
  choice(path, 'What choosing it does to the run.', effects);

const answer = (id: string, more: object) => ({ id, label: '', consequence: '', ...more });
const noEffect = { authorityEffect: null, runEffect: null };

const answerBlanks = (at: string): readonly Blank[] => [
  text(`${at}label`, '', { maximum: most.label }),
  text(`${at}consequence`, 'What follows; differs from every other.'),
];

const variant = (reason: ClarificationReason, when: string, second: unknown, third: readonly unknown[]): Variant => ({
  name: reason,
  when,
  patch: { reason, permissionExpansionRequired: reason === 'permission_expanding' },
  blanks: [
    effect('responseChoices[1].runEffect', [second]),
    list(
      'responseChoices',
      'More answers, if there are.',
      { value: answer('answer-03', noEffect), blanks: [...answerBlanks(''), effect('runEffect', third)] },
      { minimum: 2, maximum: mostChoices, optional: true },
    ),
  ],
});

/** The beginning of the reading list, where the request stands, and its newest. */
const inspected = ({ record, run }: Stand): readonly string[] => {
  const [first, ...rest] = inputRefsOf(record, run.phase);
  return first === undefined ? [] : [first, ...rest.slice(1 - mostInspected)];
};

/**
 * The draft of a ClarificationRequest: its first answer lets the run go on, its second ends it, or starts another with
 * the authority that is missing (guidance section 1, SCH-CLAR-03 to -05).
 * @param first the reason that is tried first
 */
export const draftOfClarificationRequest = (
  stand: Stand,
  first: ClarificationReason = 'user_owned_materially_divergent',
): Draft => {
  const variants = [
    variant(
      'user_owned_materially_divergent',
      'Readings lead to different results, and only the user can choose.',
      cancel,
      [resume, cancel],
    ),
    variant('permission_expanding', 'The work needs authority that this run does not have.', newRun, [
      cancel,
      resume,
      newRun,
    ]),
  ];
  return {
    body: {
      ...headOf(stand, 'question'),
      question: '',
      reason: null,
      divergence: '',
      evidenceInspected: inspected(stand),
      blockedBoundary: '',
      responseConstraints: '',
      responseChoices: [answer('answer-01', resume), answer('answer-02', noEffect)],
      permissionExpansionRequired: null,
      rationaleSummary: '',
    },
    blanks: [
      text('question', 'One question to the user.'),
      text('divergence', 'How the outcomes differ.'),
      text('blockedBoundary', 'What waits for the answer.', { maximum: most.label }),
      summary('responseConstraints', 'How to answer: the id of one choice.'),
      ...answerBlanks('responseChoices[*].'),
      rationale(),
    ],
    variants: first === 'permission_expanding' ? variants.reverse() : variants,
  };
};
