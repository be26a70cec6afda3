import { z } from 'zod';

/**
 * A `tools/call` with its `arguments` in a box of their own, so that the SDK's check of the request cannot answer in our
 * place: whatever a client sends there is refused by our own words.
 */
export const CallRequest = z.object({
  method: z.literal('tools/call'),
  params: z
    .looseObject({ name: z.unknown().optional(), arguments: z.unknown().optional() })
    .optional()
    .transform(({ name, arguments: sent, ...rest } = {}) => ({
      ...rest,
      // No tool has this name: the answer is that of any tool that is not there.
      name: typeof name === 'string' ? name : '',
      arguments: { sent },
    })),
});
