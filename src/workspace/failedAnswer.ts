import type { FailedAnswer, WireError } from '../../schemas/wire/failure.ts';
import { appAtFault } from './appFault.ts';
import { type Failure, say, spoken } from './failure.ts';
import type { IdSource } from './sources.ts';
import { takesNothing } from './store/errors.ts';

/** How many next steps an answer tells at most (workspace-wire 3.2). */
const mostSteps = 5;

/** A failure as answers show it; `prefix` is the workspace at the account endpoint, else null. */
export const wireError = ({ code, message, next }: Failure, prefix: string | null): WireError => ({
  code,
  message: spoken(message, prefix),
  ...(next.length > 0 && { next_steps: next.slice(0, mostSteps).map((step) => spoken(step, prefix)) }),
});

/** The answer of a call that failed and has nothing else to tell. */
export const failedAnswer = (failure: Failure, prefix: string | null): FailedAnswer => ({
  status: 'failed',
  error: wireError(failure, prefix),
});

/**
 * What a caller is told of an exception that no one foresaw: no word of it, but the number under which the log has it.
 *
 * @param whose the app, or null when it is the host's own fault unless the error names an app
 * @param report takes one line for the log
 */
export const incident = (
  error: unknown,
  whose: string | null,
  ids: Pick<IdSource, 'ask'>,
  report: (line: string) => void,
): Failure => {
  const number = ids.ask();
  report(`incident ${number}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  // Not the app's fault either, and what whoever runs the host can mend.
  if (takesNothing(error))
    return { code: 'failed', message: say`The host cannot store anything now (incident ${number}).`, next: [] };
  return {
    code: 'failed',
    message:
      (whose ?? appAtFault(error)) === null
        ? say`The host could not do that (incident ${number}).`
        : say`The app could not do that.`,
    next: [],
  };
};
