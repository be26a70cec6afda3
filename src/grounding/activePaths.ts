import { lstat, readlink, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { GroundingError } from './groundingError.ts';
import { normalizePath, pathInside } from './paths.ts';

/** A path that the caller works on. A file that is missing is a hint; a directory raises what it holds. */
export interface ActivePath {
  /** Normal, relative to the root; empty for the root itself. */
  readonly path: string;
  readonly kind: 'file' | 'directory' | 'missing';
}

const most = 256;
const longest = 4096;
/** As many links as Linux follows in one path. */
const mostLinks = 40;

/**
 * Resolves the caller's active paths. Takes the root as given, its real path, and up to 256 relative or absolute paths;
 * gives them relative to the root, each once. Throws GroundingError: `invalid_arguments` for one that cannot name a
 * file here, `path_escape` for one that leaves the root, lexically or through a link. Rule: grounding section 1.
 */
export async function resolveActivePaths(
  givenRoot: string,
  root: string,
  paths: readonly string[],
): Promise<readonly ActivePath[]> {
  if (paths.length > most) {
    throw new GroundingError('invalid_arguments', `${paths.length} active paths are more than ${most}.`, [
      `Name at most ${most}; a directory stands for everything in it.`,
    ]);
  }
  const found = new Map<string, ActivePath>();
  for (const given of paths) {
    const path = await relativePath(givenRoot, root, given);
    found.set(path, { path, kind: await kindOf(root, path, given) });
  }
  return [...found.values()];
}

async function relativePath(givenRoot: string, root: string, given: string): Promise<string> {
  if (given === '' || given.length > longest || given.includes('\0')) {
    throw new GroundingError('invalid_arguments', `The active path ${shown(given)} cannot name a file.`, [
      `Give a path of 1 to ${longest} characters without NUL.`,
    ]);
  }
  const absolute = resolve(root, given);
  // An absolute path may name the root by another way that leads to it.
  const inside =
    pathInside(root, absolute) ??
    pathInside(resolve(givenRoot), absolute) ??
    pathInside(root, (await realEnd(absolute, mostLinks)) ?? absolute);
  if (inside === null) throw outside(given, root, 'lies outside of it');
  if (inside === '') return '';
  const path = normalizePath(inside.split(sep).join('/'));
  if (path !== null) return path;
  throw new GroundingError('invalid_arguments', `The active path ${shown(given)} cannot be referred to.`, [
    'Name a shorter path, without backslashes or broken characters, or the directory that holds it.',
  ]);
}

/** Walks down from the root; a link is followed to its end, and what it leads to must lie inside the root. */
async function kindOf(root: string, path: string, given: string): Promise<ActivePath['kind']> {
  let at = root;
  for (const segment of path === '' ? [] : path.split('/')) {
    at = join(at, segment);
    const entry = await lstat(at).catch(absent);
    if (entry === null) return 'missing';
    if (!entry.isSymbolicLink()) continue;
    const end = await endOfLink(at, mostLinks);
    if (end === null) throw outside(given, root, 'runs through links that lead in a circle');
    if (pathInside(root, end) === null) throw outside(given, root, 'leads out of it through a link');
    at = end;
  }
  const entry = await stat(at).catch(absent);
  if (entry === null) return 'missing';
  return entry.isDirectory() ? 'directory' : 'file';
}

/** Where a link leads, also when nothing is there (yet); null when its links lead in a circle. */
async function endOfLink(link: string, links: number): Promise<string | null> {
  const real = await realpath(link).catch(absent);
  if (real !== null) return real;
  return links === 0 ? null : realEnd(resolve(dirname(link), await readlink(link)), links - 1);
}

/** The real path of what exists of a path, then the names that are missing. */
async function realEnd(path: string, links: number): Promise<string | null> {
  let at = path;
  let missing = '';
  for (;;) {
    const entry = await lstat(at).catch(absent);
    if (entry !== null) {
      const end = entry.isSymbolicLink() ? await endOfLink(at, links) : await realpath(at).catch(absent);
      return end === null ? null : join(end, missing);
    }
    missing = join(basename(at), missing);
    at = dirname(at);
  }
}

function outside(given: string, root: string, how: string): GroundingError {
  return new GroundingError(
    'path_escape',
    `The active path ${shown(given)} is not in the repository ${root}: it ${how}.`,
    [`Name a path below ${root}, or leave it out.`],
  );
}

/** As JSON, so that line breaks in a name stay visible; long names are cut. */
function shown(path: string): string {
  return JSON.stringify(path.length > 200 ? `${path.slice(0, 200)}…` : path);
}

/** A name that cannot be looked up (missing, below a file, too long, closed) is a hint, as grounding section 1 says. */
function absent(): null {
  return null;
}
