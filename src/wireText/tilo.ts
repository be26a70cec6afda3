import type { ProgramAnswer } from '../../schemas/wire/answers.ts';
import type { FailedAnswer } from '../../schemas/wire/failure.ts';
import { failureLines, isFailure } from './failure.ts';

/**
 * What a program answered: its output (workspace-wire 4.6). A preview says so first; a failure is told as everywhere,
 * and then what was done all the same (`undo task` takes back what it can, section 7.7).
 */
export const tiloLines = (answer: ProgramAnswer | FailedAnswer): readonly string[] => {
  const output = isProgram(answer) ? answer.output : [];
  if (isFailure(answer)) return [...failureLines(answer), ...output];
  return answer.status === 'preview' ? ['preview', ...output] : output;
};

const isProgram = (answer: object): answer is ProgramAnswer => 'output' in answer && Array.isArray(answer.output);
