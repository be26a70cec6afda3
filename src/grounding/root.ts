import { realpathSync, type Stats, statSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { directoriesAbove } from './paths.ts';

export type RepositoryRoot =
  | { readonly ok: true; readonly root: string }
  | {
      readonly ok: false;
      readonly code: 'repository_not_configured';
      readonly message: string;
      readonly nextSteps: readonly string[];
    };

const longestRoot = 4096;

/**
 * Which repository a process is bound to. Takes the environment and the working directory (absolute); gives the real
 * path of `TELIC_REPOSITORY_ROOT`, or of the working directory when the variable is missing or empty. `/` and the home
 * directory are no repository unless the variable names them. Never throws.
 * Rules: mcp-surface section 1, decisions 18, trap T27.
 */
export function resolveRepositoryRoot(env: Readonly<Record<string, string | undefined>>, cwd: string): RepositoryRoot {
  const named = env.TELIC_REPOSITORY_ROOT ?? '';
  const wanted = named === '' ? cwd : resolve(cwd, named);
  const source = named === '' ? 'The working directory' : 'TELIC_REPOSITORY_ROOT';
  if (wanted.length > longestRoot) return refused(`${source} is longer than ${longestRoot} characters.`);
  const root = realDirectory(wanted);
  if (root === null) return refused(`${source} is ${wanted}, which is not a directory that can be read.`);
  if (root.length > longestRoot) return refused(`${source} leads to a path of more than ${longestRoot} characters.`);
  if (named !== '') return { ok: true, root };
  if (dirname(root) === root) return refused(`The working directory is ${root}, the whole file system.`);
  if (homes(env).includes(root)) return refused(`The working directory is ${root}, the home directory.`);
  return { ok: true, root };
}

/**
 * Whether a directory (real path) belongs to Git itself: a bare repository, or any place inside a `.git` directory.
 * Its files are Git's own and its configuration may hold credentials (grounding section 2). A work tree that stands
 * inside a bare repository is a work tree: the first `.git` on the way up decides.
 */
export function isGitOwnDirectory(directory: string): boolean {
  for (let at = directory; ; at = dirname(at)) {
    if (exists(join(at, '.git'))) return false;
    if (at.endsWith('/.git')) return true;
    if (isGitLayout(at)) return true;
    if (dirname(at) === at) return false;
  }
}

/**
 * Whether a file lies in a directory of Git that has another name than `.git`: a bare repository that was put into the
 * work tree, or the directory that a `.git` file of this work tree points to. Takes the real root and a normal path
 * below it. Rule: grounding section 2.
 */
export function liesInGitDirectory(root: string, path: string): boolean {
  return directoriesAbove(path).some((directory) => isGitLayout(join(root, directory)));
}

/** What Git itself takes for a repository: these three names. */
function isGitLayout(directory: string): boolean {
  return (
    exists(join(directory, 'HEAD')) && isDirectory(join(directory, 'objects')) && isDirectory(join(directory, 'refs'))
  );
}

/** The real path of a directory, or null where there is none that this process can reach. */
export function realDirectory(path: string): string | null {
  try {
    const real = realpathSync.native(path);
    return statSync(real).isDirectory() ? real : null;
  } catch {
    // Missing, a loop, no permission, or a NUL in the name: in each case there is nothing to ground.
    return null;
  }
}

function refused(message: string): RepositoryRoot {
  return {
    ok: false,
    code: 'repository_not_configured',
    message: `${message} No repository is configured.`,
    nextSteps: ['Set TELIC_REPOSITORY_ROOT to the directory of the repository and start the server again.'],
  };
}

function homes(env: Readonly<Record<string, string | undefined>>): (string | null)[] {
  const named = env.HOME ?? env.USERPROFILE ?? '';
  return [isAbsolute(named) ? realDirectory(named) : null, accountHome()];
}

function accountHome(): string | null {
  try {
    return realDirectory(userInfo().homedir);
  } catch {
    // A process may run under a number that no account has: then there is no home of an account.
    return null;
  }
}

/** A state directory that is not there yet has no real path; its name must do. */
export async function realOrGiven(directory: string): Promise<string> {
  return realpath(directory).catch(() => resolve(directory));
}

function exists(path: string): boolean {
  return statOf(path) !== undefined;
}

function isDirectory(path: string): boolean {
  return statOf(path)?.isDirectory() === true;
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    // Closed to us, or a link that leads in a circle: nothing that Git could use either.
    return undefined;
  }
}
