import { spawn } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { pathInside } from './paths.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** How a program ended. `stderr` is kept short: it serves to tell causes apart and is never shown. */
export type CommandEnd =
  | { readonly kind: 'exited'; readonly status: number; readonly stderr: string }
  | { readonly kind: 'timed_out' }
  | { readonly kind: 'too_much_output' }
  | { readonly kind: 'not_started' };

export interface CommandRequest {
  /** Absolute path of the program. */
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Without it, a program that waits for a lock, a disk or a name would hold the grounding for ever. */
  readonly milliseconds: number;
  readonly signal?: AbortSignal | undefined;
  /** Takes the output as it comes. */
  readonly onOutput: (chunk: Buffer) => void;
}

const longestStderr = 4096;
/** What is kept of the output of a command that answers in a few lines. */
const longestCapture = 16_777_216;

const start = ({ program, args, cwd, env }: CommandRequest) =>
  spawn(program, [...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], shell: false, windowsHide: true });

/**
 * Runs one program without a shell: fixed arguments, closed input, nothing of the caller's environment but what is
 * given. Resolves when it has ended and its output was taken. Throws only the reason of an aborted signal.
 */
export async function runCommand(request: CommandRequest): Promise<CommandEnd> {
  request.signal?.throwIfAborted();
  const end = await new Promise<CommandEnd>((resolve) => {
    let child: ReturnType<typeof start>;
    try {
      child = start(request);
    } catch {
      // Most failures come as an event; arguments that are longer than the system takes are thrown.
      resolve({ kind: 'not_started' });
      return;
    }
    let stderr = '';
    // Not when it has ended: what it started may hold its output open, and a program that a disk holds does not die.
    const giveUp = (): void => {
      child.kill('SIGKILL');
      child.stdout.destroy();
      child.stderr.destroy();
      child.unref();
      finish({ kind: 'timed_out' });
    };
    const timer = setTimeout(giveUp, request.milliseconds);
    request.signal?.addEventListener('abort', giveUp, { once: true });
    const finish = (result: CommandEnd): void => {
      clearTimeout(timer);
      request.signal?.removeEventListener('abort', giveUp);
      resolve(result);
    };
    child.stdout.on('data', request.onOutput);
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      if (stderr.length < longestStderr) stderr += text.slice(0, longestStderr - stderr.length);
    });
    child.once('error', () => finish({ kind: 'not_started' }));
    child.once('close', (status) => finish({ kind: 'exited', status: status ?? -1, stderr }));
  });
  request.signal?.throwIfAborted();
  return end;
}

/** As `runCommand`, and gives the whole output, which may have at most 16 MiB. */
export async function captureCommand(
  request: Omit<CommandRequest, 'onOutput'>,
): Promise<{ readonly end: CommandEnd; readonly output: Buffer }> {
  const chunks: Buffer[] = [];
  let size = 0;
  const end = await runCommand({
    ...request,
    onOutput: (chunk) => {
      size += chunk.length;
      if (size <= longestCapture) chunks.push(chunk);
    },
  });
  if (size > longestCapture) return { end: { kind: 'too_much_output' }, output: Buffer.alloc(0) };
  return { end, output: Buffer.concat(chunks) };
}

/**
 * The directories of `PATH` that may hold a program for this repository: absolute ones outside of it. A relative entry,
 * or `node_modules/.bin` of the repository itself, would let its content choose what runs.
 */
export function programDirectories(env: Environment, root: string): string[] {
  const entries = (env.PATH ?? '').split(delimiter);
  return entries.filter((entry) => isAbsolute(entry) && pathInside(root, entry) === null);
}

/** The absolute path of a program in one of the directories, or null. */
export function findProgram(name: string, directories: readonly string[]): string | null {
  for (const directory of directories) {
    const path = join(directory, name);
    if (isProgram(path)) return path;
  }
  return null;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    // Not there, not ours to run, or in a directory that is closed to us: the next directory may have it.
    return false;
  }
}
