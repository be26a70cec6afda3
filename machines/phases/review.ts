import { admit, ends, enter, exits, kit, standalone } from '../kit.ts';

/** The scenario author judges the contract: pass it on, send it back once, or stop. */
export const review = kit.createStateConfig({
  initial: 'open',
  states: {
    open: {
      entry: enter('agent_1_review'),
      on: { 'submit.PromptReview': [...admit, ...exits('pass', 'revise', 'block')] },
    },
    ...ends('pass', 'revise', 'block'),
  },
});

export const reviewMachine = standalone('review', review);
