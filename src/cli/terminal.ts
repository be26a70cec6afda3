/** What a command may use of the process; tests give their own. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute. */
  readonly cwd: string;
  /** Whether standard output is a terminal that shows colours. */
  readonly colours: boolean;
  out(text: string): void;
  err(text: string): void;
}

/** The terminal of this process. No colours where output is piped or NO_COLOR is set (no-color.org: and not empty). */
export const processTerminal = (): Terminal => ({
  env: process.env,
  cwd: process.cwd(),
  colours: process.stdout.isTTY === true && (process.env.NO_COLOR ?? '') === '',
  out: (text) => {
    process.stdout.write(text);
  },
  err: (text) => {
    process.stderr.write(text);
  },
});

/** A failure that the user can do something about: one sentence, and the exit code 1. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}
