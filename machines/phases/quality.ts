import { admit, ends, enter, exits, kit, standalone } from '../kit.ts';

/** The quality controller judges the results; where it matters, the evidence is looked at a second time. */
export const quality = kit.createStateConfig({
  initial: 'review',
  states: {
    review: {
      entry: enter('agent_3_review'),
      on: { 'submit.QualityReview': [...admit, ...exits('pass', 'partial', 'block', 'remediate', 'proceed_to_fix')] },
    },
    reverify: {
      entry: enter('agent_3_evidence_reverify'),
      on: { 'submit.QualityReview': [...admit, ...exits('pass', 'partial', 'block')] },
    },
    ...ends('pass', 'partial', 'block', 'remediate', 'proceed_to_fix'),
  },
});

export const qualityMachine = standalone('quality', quality);
