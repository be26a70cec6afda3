import type { ElicitRequestFormParams } from '@modelcontextprotocol/sdk/types.js';
import type { ClarificationRequest, ResponseChoice } from '../../../schemas/artifacts/clarification.ts';

/** The one field of the form: its value is the id of a choice. */
export const choiceField = 'choice';

/** Choices with titles came with this version; before it, a form names the values and their titles in two lists. */
const firstWithTitledChoices = '2025-11-25';

// A terminal would obey what these characters order; line breaks and tabs are text.
const control = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
const shown = (text: string): string => text.replace(control, ' ');

const lineOf = ({ label, consequence }: ResponseChoice): string => `- ${shown(label)}: ${shown(consequence)}`;

/**
 * The question of a run as a form that a client shows to its user: the question as it is stored, each choice with its
 * consequence, and one field that takes the id of a choice.
 *
 * @param protocolVersion the one that was negotiated
 */
export const formOf = (
  { question, responseChoices }: ClarificationRequest,
  protocolVersion: string,
): ElicitRequestFormParams => {
  const field = {
    type: 'string',
    title: 'Choice',
    description: 'The run goes on, or ends, as the choice says.',
  } as const;
  return {
    mode: 'form',
    message: [shown(question), '', ...responseChoices.map(lineOf)].join('\n'),
    requestedSchema: {
      type: 'object',
      properties: {
        [choiceField]:
          protocolVersion >= firstWithTitledChoices
            ? { ...field, oneOf: responseChoices.map(({ id, label }) => ({ const: id, title: shown(label) })) }
            : {
                ...field,
                enum: responseChoices.map(({ id }) => id),
                enumNames: responseChoices.map(({ label }) => shown(label)),
              },
      },
      required: [choiceField],
    },
  };
};
