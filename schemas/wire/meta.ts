import { z } from 'zod';

/** The key under `_meta` of a call and of an answer's request (the seed, "Asking for typed answers"). */
export const metaKey = 'so.tilo.mcp';

/** A run that a caller names: `id` groups its changes into one undo step, `title` is shown where people read history. */
export const NamedRun = z.object({
  id: z.string().regex(/^[A-Za-z0-9._:-]{1,128}$/, 'must be 1 to 128 letters, digits or . _ : -'),
  title: z.string().min(1).max(200),
});
export type NamedRun = z.infer<typeof NamedRun>;

/** What a call may say of itself; unknown keys are ignored, a known key of the wrong type makes the call malformed (D-12). */
export const CallMeta = z.object({
  structured: z.boolean().optional(),
  run: NamedRun.optional(),
  step: z.string().min(1).max(128).optional(),
});
export type CallMeta = z.infer<typeof CallMeta>;
