/** What a command may use of the process; tests give their own. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute. */
  readonly cwd: string;
  /** Whether standard output is a terminal that shows colours. */
  readonly colours: boolean;
  /** How wide standard output is; nothing where that is not known. */
  readonly columns?: number | undefined;
  /** Standard input, piece by piece. */
  input(): AsyncIterable<Uint8Array>;
  out(text: string): void;
  err(text: string): void;
}

const isClosed = (error: Error): boolean => 'code' in error && error.code === 'EPIPE';

/**
 * Lets a reader go away before the end, as `head` does: what it will not read is dropped and the command ends as it
 * would have. Any other failure to write, such as a full disk, is an error.
 */
const endQuietly = (): void => {
  process.stdout.on('error', (error) => {
    if (isClosed(error)) return;
    process.stderr.write(`telic: Standard output cannot be written: ${error.message}\n`);
    process.exit(1);
  });
  process.stderr.on('error', (error) => {
    // There is no place left to tell it.
    if (!isClosed(error)) process.exit(1);
  });
};

/**
 * How wide an output is, in columns; nothing where it is no terminal, or one that does not know: some pseudo-terminals
 * say 0.
 */
export const widthOf = ({ isTTY, columns }: Pick<NodeJS.WriteStream, 'isTTY' | 'columns'>): number | undefined =>
  isTTY && columns > 0 ? columns : undefined;

/** The terminal of this process. No colours where output is piped or NO_COLOR is set (no-color.org: and not empty). */
export const processTerminal = (): Terminal => {
  endQuietly();
  return {
    env: process.env,
    cwd: process.cwd(),
    columns: widthOf(process.stdout),
    colours: process.stdout.isTTY === true && (process.env.NO_COLOR ?? '') === '',
    input: () => process.stdin,
    out: (text) => {
      process.stdout.write(text);
    },
    err: (text) => {
      process.stderr.write(text);
    },
  };
};

/** A failure that the user can do something about: one sentence, and the exit code 1. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}
