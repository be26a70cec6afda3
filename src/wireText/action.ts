import type { ActionRow, ParamRow } from '../../schemas/wire/answers.ts';
import { label, sentence, word } from './words.ts';

const paramText = ({ name, ty, required, choices }: ParamRow): string => {
  const narrowed = choices ? `(${choices.map((choice) => word(String(choice))).join('|')})` : '';
  return `${word(name)}: ${word(ty.toLowerCase())}${narrowed}${required ? '!' : ''}`;
};

/** An action as one line: `#share(with: text!, access: text(read|write)) outside "Share"` (workspace-wire 4.1). */
export const actionText = (action: ActionRow): string =>
  `#${word(action.id)}(${action.params.map(paramText).join(', ')}) ${word(action.kind)} ${label(action.label)}`;

/** One line a parameter that has a description. */
export const describedParams = ({ params }: ActionRow): readonly string[] =>
  params.flatMap(({ name, description }) =>
    description === undefined ? [] : [`${word(name)} — ${sentence(description)}`],
  );
