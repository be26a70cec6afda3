import { spawn } from 'node:child_process';
import { accessSync, constants, existsSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { pathInside } from '../paths.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** How a program ended. `stderr` is kept short: it serves to tell causes apart and is never shown. */
export type CommandEnd =
  | { readonly kind: 'exited'; readonly status: number; readonly stderr: string }
  | { readonly kind: 'timed_out' }
  /** Whoever took the output had enough of it. */
  | { readonly kind: 'stopped' }
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
  /** Ends the program, without a failure. */
  readonly enough?: AbortSignal | undefined;
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
    const leave = (end: CommandEnd): void => {
      child.kill('SIGKILL');
      child.stdout.destroy();
      child.stderr.destroy();
      child.unref();
      finish(end);
    };
    const giveUp = (): void => leave({ kind: 'timed_out' });
    const stop = (): void => leave({ kind: 'stopped' });
    const timer = setTimeout(giveUp, request.milliseconds);
    request.signal?.addEventListener('abort', giveUp, { once: true });
    request.enough?.addEventListener('abort', stop, { once: true });
    const finish = (result: CommandEnd): void => {
      clearTimeout(timer);
      request.signal?.removeEventListener('abort', giveUp);
      request.enough?.removeEventListener('abort', stop);
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
 * The directories of `PATH` that may hold a program for this repository (its real root): absolute ones outside of it
 * and of the work tree that it is a part of, links resolved. A relative entry, or a `node_modules/.bin` of whatever
 * project, would let the content of a repository choose what runs.
 */
export function programDirectories(env: Environment, root: string): string[] {
  const entries = (env.PATH ?? '').split(delimiter);
  const owner = workTreeAround(root);
  return entries.filter(
    (entry) =>
      isAbsolute(entry) && !binariesOfPackages.test(entry) && !leadsInto(owner, entry) && !leadsInto(root, entry),
  );
}

const binariesOfPackages = /[\\/]node_modules[\\/]\.bin[\\/]*$/;

/**
 * The absolute path of a program in one of the directories, or null; one that is a link into the repository is passed
 * over, too.
 */
export function findProgram(name: string, directories: readonly string[], root: string): string | null {
  const owner = workTreeAround(root);
  for (const directory of directories) {
    const path = join(directory, name);
    if (isProgram(path) && !leadsInto(owner, path) && !leadsInto(root, path)) return path;
  }
  return null;
}

/**
 * The nearest directory with a `.git`: of a root below the top of a work tree, the whole belongs to whoever wrote it.
 * Not the home directory: who keeps that in Git has his own programs in it.
 */
function workTreeAround(root: string): string {
  for (let at = root; dirname(at) !== at; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at === home() ? root : at;
  }
  return root;
}

function home(): string | null {
  try {
    return realpathSync.native(homedir());
  } catch {
    // A process may run under a number that no account has, and a home may be gone.
    return null;
  }
}

/** Everything leads into the whole file system, which is nobody's work tree. */
function leadsInto(directory: string, path: string): boolean {
  if (dirname(directory) === directory) return false;
  return pathInside(directory, path) !== null || pathInside(directory, realOrSame(path)) !== null;
}

function realOrSame(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    // Nothing there: nothing to start either.
    return path;
  }
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
