import { runTilo } from '../../../src/cli/tilo/tilo.ts';

export interface Said {
  readonly exit: number;
  readonly out: string;
  readonly err: string;
}

interface Surroundings {
  readonly env?: Readonly<Record<string, string>>;
  /** What stands on standard input. */
  readonly input?: string;
  /** Told each piece of the output as it comes. */
  readonly onOut?: (text: string) => void;
}

async function* once(piece: string): AsyncIterable<Uint8Array> {
  yield Buffer.from(piece);
}

/** Runs a command of `tilo` in this process. */
export const tilo = async (
  argv: readonly string[],
  { env = {}, input = '', onOut = () => {} }: Surroundings = {},
): Promise<Said> => {
  let out = '';
  let err = '';
  const exit = await runTilo(argv, {
    env,
    cwd: '/',
    colours: false,
    input: () => once(input),
    out: (text) => {
      out += text;
      onOut(text);
    },
    err: (text) => {
      err += text;
    },
  });
  return { exit, out, err };
};
