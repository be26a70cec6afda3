import { found } from '../../../schemas/found.ts';
import type { BookEntry } from '../book.ts';
import { nearestSources, proofs, selectedSources, userMessages } from '../sources.ts';
import { choice, listed } from '../wording.ts';
import { each } from './each.ts';

/** Which files of the repository may be cited, and what they cannot show (admission section 3.1). */
export const repositoryRules: readonly BookEntry[] = [
  each(
    'ADM-REF-05',
    'A claim on the word of the user rests on the message of the user, not on a file.',
    [],
    (citation, { record }) =>
      citation.place.kind === 'repository' && citation.role === 'user_reported'
        ? {
            message: `${found(citation.ref)} is a repository file; a user-reported claim rests on what the user said.`,
            ...choice(userMessages(record)),
            fix: 'Cite the UserMessage, or change the basis of the claim and cite captured Evidence.',
          }
        : null,
  ),
  each(
    'ADM-REF-06',
    'A repository reference is a source that was selected when the context was grounded.',
    ['ContextManifest'],
    ({ place, ref }, { type, record }) => {
      if (place.kind !== 'repository' || type === 'ContextManifest') return null;
      const selected = selectedSources(record);
      if (selected.has(ref)) return null;
      const near = nearestSources(ref, selected);
      return {
        message: `${found(ref)} is not among the ${selected.size} selected sources${near.length > 0 ? `; near it are ${listed(near)}` : ''}.`,
        ...choice(near.length > 0 ? near : [...selected].slice(0, 16)),
        fix:
          selected.size > 0
            ? 'Cite a selected source, exactly as the next action names it.'
            : 'No repository source was selected in this run; cite an artifact instead.',
      };
    },
  ),
  each(
    'ADM-REF-07',
    'What must be shown is shown by captured evidence, not by a repository file.',
    [],
    (citation, query) =>
      citation.place.kind === 'repository' && citation.role === 'direct'
        ? {
            message: `${citation.pattern} needs evidence of what happened; the file ${found(citation.ref)} is context only.`,
            ...choice(proofs(query)),
            fix: 'Capture what you saw as Evidence while a work node executes, and cite that.',
          }
        : null,
  ),
];
