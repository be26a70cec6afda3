import { spawn } from 'node:child_process';
import { runCli } from '../../src/cli/cli.ts';
import { bundlePath } from '../support/bundle.ts';

export interface Said {
  readonly exit: number;
  readonly out: string;
  readonly err: string;
}

interface Surroundings {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** What stands on standard input. */
  readonly input?: string | Uint8Array;
  /** The id of the user that the executable runs as. */
  readonly user?: number;
  /** How wide the terminal is; none where the output is piped. */
  readonly columns?: number;
}

async function* once(piece: string | Uint8Array): AsyncIterable<Uint8Array> {
  yield Buffer.from(piece);
}

/** Runs a command in this process. */
export const cli = async (
  argv: readonly string[],
  { env = {}, cwd = '/', input = '', columns }: Surroundings = {},
): Promise<Said> => {
  let out = '';
  let err = '';
  const exit = await runCli(argv, {
    env,
    cwd,
    colours: false,
    columns,
    input: () => once(input),
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
  });
  return { exit, out, err };
};

/** Runs the executable itself; its environment is what is given and the search path. */
export const telic = (
  argv: readonly string[],
  { env = {}, cwd = '/', input, user }: Surroundings = {},
): Promise<Said> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [bundlePath, ...argv], {
      cwd,
      ...(user !== undefined && { uid: user }),
      env: { PATH: process.env.PATH ?? '', ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    child.stdin.end(input);
    let out = '';
    let err = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      err += text;
    });
    child.once('error', reject);
    child.once('close', (code) => resolve({ exit: code ?? -1, out, err }));
  });
