import { z } from 'zod';
import { ProgramAnswer, wireAnswers } from '../../../schemas/wire/answers.ts';
import { FailedAnswer } from '../../../schemas/wire/failure.ts';
import type { WireTool } from '../../../schemas/wire/vocabulary.ts';
import { AskPending } from '../../sdk/workspace/askPending.ts';
import { Refused } from '../../sdk/workspace/refused.ts';
import { Run } from '../../sdk/workspace/run.ts';
import { type TypedAnswers, textOf } from '../../wireText/textOf.ts';

/** One typed answer, and how the command that got it ends. */
export interface Told {
  readonly answer: object;
  readonly text: string;
  readonly exit: number;
}

const schemas: { readonly [T in WireTool]: z.ZodType<TypedAnswers[T]> } = {
  ...wireAnswers,
  tilo: z.union([ProgramAnswer, FailedAnswer]),
};

/** 0: done. 1: it failed. 3: it has not happened yet, because it runs, asks its person or wants to be confirmed. */
const exitOf = (answer: object): number => {
  const status = 'status' in answer ? answer.status : 'ok';
  if (status === 'failed') return 1;
  return status === 'pending' || status === 'preview' ? 3 : 0;
};

/**
 * Makes one call and gives its typed answer, whether the client hands that over, throws it or wraps it.
 *
 * @throws what is no answer: ProtocolError
 */
export const told = async <T extends WireTool>(tool: T, call: () => Promise<object>): Promise<Told> => {
  const given = await call().catch((error: unknown) => {
    if (error instanceof Refused || error instanceof AskPending) return error.answer;
    throw error;
  });
  const answer = given instanceof Run ? given.answer : given;
  return { answer, text: textOf(tool, schemas[tool].parse(answer)), exit: exitOf(answer) };
};
