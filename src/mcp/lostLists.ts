import { z } from 'zod';
import type { Failure } from '../../schemas/failure.ts';

const MissingList = z.object({ code: z.literal('SCH-KEY-02'), expected: z.object({ type: z.literal('array') }) });
const WithBody = z.looseObject({ body: z.looseObject({}) });

/**
 * Some hosts drop empty lists from nested arguments (trap T05): where lists are missing from a body that came as an
 * object, the refusal also names the way around it.
 *
 * @param sent the arguments as the host sent them
 */
export const teachLostLists = (failure: Failure, sent: unknown): Failure =>
  failure.code === 'invalid_body' &&
  WithBody.safeParse(sent).success &&
  failure.issues.some((issue) => MissingList.safeParse(issue).success)
    ? {
        ...failure,
        next_steps: [
          ...failure.next_steps,
          'If you did send these lists, this host drops empty ones: send the same object as JSON text in body_json instead of body.',
        ],
      }
    : failure;
