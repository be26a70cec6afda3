import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { Done, DoneAll, Found, Listing, ProgramAnswer, Reading, Watched } from '../../../schemas/wire/answers.ts';
import { FailedAnswer } from '../../../schemas/wire/failure.ts';
import { ProtocolError } from './protocolError.ts';
import { Refused } from './refused.ts';

/** What each call of the SDK may be answered. Keys that a newer host adds are kept. */
export const expected = {
  ls: z.union([FailedAnswer, Listing]),
  read: z.union([FailedAnswer, Reading]),
  do: z.union([Done, FailedAnswer]),
  doAll: z.union([DoneAll, FailedAnswer]),
  find: z.union([FailedAnswer, Found]),
  tilo: z.union([ProgramAnswer, FailedAnswer]),
  watch: z.union([FailedAnswer, Watched]),
} as const;

const shown = 400;

/**
 * The typed answer in the result of a call.
 *
 * @throws ProtocolError when the call was malformed, or the answer has not the shape of the wire
 */
export const typedIn = <T>(tool: string, schema: z.ZodType<T>, result: CallToolResult): T => {
  const { structuredContent, content, isError } = result;
  if (structuredContent === undefined) {
    const text = content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
    throw new ProtocolError(isError === true ? text : `${tool} gave no typed answer: ${text.slice(0, shown)}`);
  }
  const parsed = schema.safeParse(structuredContent);
  if (parsed.success) return parsed.data;
  const why = z.prettifyError(parsed.error).slice(0, shown);
  throw new ProtocolError(`The answer of ${tool} is not one of the wire: ${why}`, undefined, { cause: parsed.error });
};

/** Whether an answer is the failure alone, without what its tool tells otherwise. */
export const isBareFailure = (answer: object): answer is FailedAnswer =>
  'status' in answer && answer.status === 'failed' && 'error' in answer && !('path' in answer) && !('output' in answer);

/** The answer of a tool that fails with the bare failure; that one is thrown. */
export const orRefused = <T extends object>(answer: T | FailedAnswer): T => {
  if (isBareFailure(answer)) throw new Refused(answer.error, answer);
  return answer;
};
