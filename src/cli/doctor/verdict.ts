import { shorten } from '../../../machines/sentence.ts';
import { LedgerError } from '../../ledger/errors.ts';

/** What every check of the doctor says, whatever facts stand beside it. */
export interface Check {
  readonly ok: boolean;
  /** What would mend it; null while there is nothing to mend. */
  readonly hint: string | null;
}

const longestHint = 800;

/** @param hint null when nothing is amiss */
export const verdict = (hint: string | null): Check => ({
  ok: hint === null,
  hint: hint === null ? null : shorten(hint, longestHint),
});

/** What an error says, with its ways out. */
export const hintOf = (error: unknown): string => {
  if (error instanceof LedgerError) return [error.message, ...error.nextSteps].join(' ');
  return error instanceof Error ? error.message : String(error);
};
