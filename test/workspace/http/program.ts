import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';
import { bundlePath } from '../../support/bundle.ts';

export interface Said {
  readonly exit: number;
  readonly out: string;
  readonly err: string;
}

const environment = (data: string, env: Readonly<Record<string, string>> = {}) => ({
  PATH: process.env.PATH ?? '',
  TELIC_WORKSPACE_DATA: data,
  ...env,
});

/** Runs `telic workspace …` to its end. */
export const workspace = (
  data: string,
  words: readonly string[],
  env?: Readonly<Record<string, string>>,
): Promise<Said> =>
  new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [bundlePath, 'workspace', ...words],
      { env: environment(data, env), cwd: data },
      (_, out, err) => resolve({ exit: child.exitCode ?? -1, out, err }),
    );
  });

export interface Running {
  readonly address: string;
  readonly port: number;
  /** What it printed when it was ready, with `--json`. */
  readonly started: Readonly<Record<string, unknown>>;
  readonly child: ChildProcess;
  /** The end of the process: its exit code, the signal that killed it, and its log. */
  readonly ended: Promise<Readonly<{ exit: number | null; err: string }>>;
}

/** Starts `telic workspace serve` on a free port as a process of its own, killed at the end of the test if need be. */
export const start = async (data: string, words: readonly string[] = []): Promise<Running> => {
  const child = spawn(process.execPath, [bundlePath, 'workspace', 'serve', '--port', '0', '--json', ...words], {
    env: environment(data),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let err = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  const ended = once(child, 'close').then(([exit]) => ({ exit: typeof exit === 'number' ? exit : null, err }));
  let out = '';
  child.stdout.setEncoding('utf8');
  for await (const text of child.stdout) {
    out += text;
    if (out.includes('\n')) break;
  }
  if (!out.includes('\n')) throw new Error(`The host did not start: ${(await ended).err}`);
  const started: Record<string, unknown> = JSON.parse(out);
  const address = String(started.address);
  return { address, port: Number(new URL(address).port), started, child, ended };
};
