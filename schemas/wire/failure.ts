import { z } from 'zod';

/** Why a call failed: a stable code, a sentence for people, and the calls that would work (workspace-wire 3.2). */
export const WireError = z.looseObject({
  code: z.string().min(1),
  message: z.string(),
  next_steps: z.array(z.string()).min(1).max(5).optional(),
  at: z.looseObject({ line: z.int().min(1), column: z.int().min(1) }).optional(),
});
export type WireError = z.infer<typeof WireError>;

/** The answer of a call that failed and has nothing else to tell. */
export const FailedAnswer = z.looseObject({ status: z.literal('failed'), error: WireError });
export type FailedAnswer = z.infer<typeof FailedAnswer>;
