import type { FailedAnswer, WireError } from '../../schemas/wire/failure.ts';
import { sentence, word } from './words.ts';

/** Why a call failed: the message, then a line for each call that would work. */
export const reasonLines = ({ message, next_steps }: WireError): readonly string[] => [
  sentence(message),
  ...(next_steps ?? []).map((step) => `next: ${sentence(step)}`),
];

/** A failed call that has nothing else to tell (workspace-wire section 4). */
export const failureLines = ({ error }: FailedAnswer): readonly string[] => [
  `failed ${word(error.code)}`,
  ...reasonLines(error),
];

/** Whether an answer is the bare failure; the answers of tools that fail in a shape of their own are asked for that first. */
export const isFailure = (answer: object): answer is FailedAnswer =>
  'status' in answer && answer.status === 'failed' && 'error' in answer;
