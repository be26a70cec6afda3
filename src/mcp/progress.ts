import type { GroundProgress } from '../controller/api.ts';

/** A progress notification as MCP knows it: it only grows. */
export interface Progress {
  readonly progress: number;
  readonly total: number;
  readonly message: string;
}

const stages: readonly GroundProgress['stage'][] = ['inventory', 'ranking', 'reading', 'storing'];

/** At most ten a second, beside one as each stage begins and one at the end: more cost the host more than they tell. */
const pause = 100;

/**
 * Turns the steps of a grounding into growing numbers: each stage counts for one, its share done is the fraction.
 *
 * @param now milliseconds of any monotonic clock
 */
export const progressOf = (send: (progress: Progress) => void, now: () => number): ((step: GroundProgress) => void) => {
  let last = -1;
  let sentAt = Number.NEGATIVE_INFINITY;
  let begun = -1;
  return ({ stage, done, total }) => {
    const share = total > 0 ? Math.min(1, done / total) : 0;
    const position = stages.indexOf(stage);
    const progress = position + share;
    const at = now();
    const ended = progress === stages.length;
    if (progress <= last || (at - sentAt < pause && position === begun && !ended)) return;
    begun = position;
    last = progress;
    sentAt = at;
    send({ progress, total: stages.length, message: total > 0 ? `${stage}: ${done} of ${total}` : stage });
  };
};
