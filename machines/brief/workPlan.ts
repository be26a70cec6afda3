import { draftPlan } from '../feasibility/planBuilder.ts';
import { type Draft, rationale, type Stand, text } from './draft.ts';

/**
 * The draft of a WorkPlan: one that is admissible as it stands, so that nothing in it has to be filled. A host may split
 * its node instead; that is its own plan (guidance section 1, admission section 8.2). Null only in a damaged record.
 */
export const draftOfWorkPlan = ({ run, record }: Stand): Draft | null => {
  const answer = draftPlan(run, record);
  if (!answer.ok) return null;
  return {
    body: answer.plan,
    blanks: [
      text('nodes[*].objective', 'What the node is to find out or to do.', { optional: true }),
      { ...rationale(), optional: true },
    ],
    variants: [],
  };
};
