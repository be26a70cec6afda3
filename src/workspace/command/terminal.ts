/** What a command may use of the process; tests give their own. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute. */
  readonly cwd: string;
  readonly platform: NodeJS.Platform;
  out(text: string): void;
  err(text: string): void;
}

export const processTerminal = (): Terminal => ({
  env: process.env,
  cwd: process.cwd(),
  platform: process.platform,
  out: (text) => {
    process.stdout.write(text);
  },
  err: (text) => {
    process.stderr.write(text);
  },
});

/** A failure that the user can do something about: one sentence, and the exit code. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exit: 1 | 2 | 3;

  constructor(message: string, exit: 1 | 2 | 3 = 1) {
    super(message);
    this.exit = exit;
  }
}
