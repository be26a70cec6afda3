import type { Found } from '../../schemas/wire/answers.ts';
import { label, word } from './words.ts';

/** What was found, best first (workspace-wire 4.5). */
export const findLines = ({ hits, query }: Found): readonly string[] => [
  `${hits.length} for ${label(query)}`,
  ...hits.map((hit) => {
    const action = hit.action === null ? '' : ` #${word(hit.action)}`;
    return `- ${word(hit.path)} ${word(hit.kind)} ${label(hit.label)}${action}`;
  }),
];
