import type { WireAnswers } from '../../schemas/wire/answers.ts';
import type { FailedAnswer } from '../../schemas/wire/failure.ts';
import type { WireTool } from '../../schemas/wire/vocabulary.ts';
import { doneAllLines, doneLines, isDone, isDoneAll } from './done.ts';
import { failureLines, isFailure } from './failure.ts';
import { findLines } from './find.ts';
import { lsLines } from './ls.ts';
import { readLines } from './read.ts';
import { tiloLines } from './tilo.ts';
import { watchLines } from './watch.ts';

/** The typed answer of each tool; a tool that could not begin answers the bare failure. */
export type TypedAnswers = { readonly [T in WireTool]: WireAnswers[T] | FailedAnswer };

const lines: { readonly [T in WireTool]: (answer: TypedAnswers[T]) => readonly string[] } = {
  tilo_ls: (answer) => (isFailure(answer) ? failureLines(answer) : lsLines(answer)),
  tilo_read: (answer) => (isFailure(answer) ? failureLines(answer) : readLines(answer)),
  tilo_do: (answer) => {
    if (isDoneAll(answer)) return doneAllLines(answer);
    return isDone(answer) ? doneLines(answer) : failureLines(answer);
  },
  tilo_find: (answer) => (isFailure(answer) ? failureLines(answer) : findLines(answer)),
  tilo_status: (answer) => (isDone(answer) ? doneLines(answer) : failureLines(answer)),
  tilo: tiloLines,
  tilo_watch: (answer) => (isFailure(answer) ? failureLines(answer) : watchLines(answer)),
};

/**
 * The text that agents read, made from the typed answer alone, so that it can name nothing that the answer lacks
 * (workspace-wire 3.1 and the text formats of section 4). Lines end in `\n`, the last one without.
 *
 * @param tool the tool that answered
 * @param answer its typed answer, as the schemas of `schemas/wire/answers.ts` have it
 */
export const textOf = <T extends WireTool>(tool: T, answer: TypedAnswers[T]): string => lines[tool](answer).join('\n');
