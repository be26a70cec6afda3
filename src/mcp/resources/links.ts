import type { ResourceLink } from '@modelcontextprotocol/sdk/types.js';
import { fullAnswerBudget } from '../../../schemas/vocabulary.ts';
import type { ArtifactMeta } from '../../ledger/ledger.ts';
import type { Budget } from '../fit/budget.ts';

/** A grounding may store hundreds of documents; its manifest names them all. */
const mostLinks = 16;

/**
 * Whether links may stand beside the answer. Not for a host that shows little: one counts text, structure and whatever
 * else together, one shows the first block alone, one prints both copies as soon as the text is not all there is (hosts
 * section 4).
 */
export const linksFit = ({ most }: Budget): boolean => most >= fullAnswerBudget;

/** Links to what a call stored, what the run is about before the documents of its repository. */
export const linksTo = (stored: readonly ArtifactMeta[]): ResourceLink[] =>
  [
    ...stored.filter(({ type }) => type !== 'ContextDocument'),
    ...stored.filter(({ type }) => type === 'ContextDocument'),
  ]
    .slice(0, mostLinks)
    .map(({ runId, id, type, sourceRefs }) => ({
      type: 'resource_link',
      uri: `artifact://${runId}/${id}`,
      name: id,
      // Sixteen links of one title would not tell which document is which file; the reference is encoded, so it is one
      // line.
      title: type === 'ContextDocument' ? [type, ...sourceRefs].join(' ') : type,
      mimeType: 'application/json',
    }));
