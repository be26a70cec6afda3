import { lstatSync, realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, parse, relative, resolve, sep } from 'node:path';
import { isMalformedPath } from '../../machines/permissions/pathTarget.ts';
import type { ResolvedTarget } from '../../machines/permissions/resolved.ts';

type Failure = Extract<ResolvedTarget, { ok: false }>['code'];

type Failed = Readonly<{ failure: Failure }>;

const failed = (code: Failure): ResolvedTarget => ({ ok: false, code });

/** The path relative to the root (empty for the root itself), or null outside; whole segments, not string prefixes. */
const inside = (root: string, path: string): string | null => {
  const way = relative(root, path);
  return way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way) ? null : way;
};

const wire = (way: string): string => (way === '' ? '.' : way.split(sep).join('/'));

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);

/** Whether the entry is a link; null when that cannot be found out. What does not exist is none. */
const isLink = (path: string): boolean | null => {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch (error) {
    return codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR' ? false : null;
  }
};

/** The end of a chain of links; null when there is none: dangling, a cycle, or not readable. */
const realPath = (path: string): string | null => {
  try {
    return realpathSync.native(path);
  } catch {
    return null;
  }
};

/** Walks from a real directory as the system would; missing components are appended as written. */
const walk = (
  start: string,
  segments: readonly string[],
  onLink: (path: string) => Failure | null,
): string | Failed => {
  let at = start;
  for (const segment of segments) {
    if (segment === '' || segment === '.') continue;
    if (segment === '..') {
      at = dirname(at);
      continue;
    }
    at = join(at, segment);
    const link = isLink(at);
    if (link === false) continue;
    const real = link === null ? null : realPath(at);
    if (real === null) return { failure: 'symlink_unresolved' };
    const failure = onLink(real);
    if (failure !== null) return { failure };
    at = real;
  }
  return at;
};

const isDirectory = (path: string): boolean => {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
};

/**
 * Says where a repository target leads: the disk step of a path decision. Takes the absolute root and the target as
 * given, relative or absolute; gives the lexical and the real path relative to the root, or a failure code. Components
 * that do not exist are appended as written. A target whose `..` follows a link is refused when the system and a lexical
 * reader would end in different places. Synchronous, never throws. Rule: permissions section 6, items 2 to 5.
 */
export function resolveTarget(root: string, target: string): ResolvedTarget {
  if (isMalformedPath(target)) return failed('target_malformed');
  const realRoot = realPath(root);
  const absolute = resolve(root, target);
  // An absolute target may spell a root that is a link either way.
  const lexical =
    inside(resolve(root), absolute) ?? (realRoot && isAbsolute(target) ? inside(realRoot, absolute) : null);
  if (lexical === null) return failed('path_escape');
  if (realRoot === null || !isDirectory(realRoot)) return failed('root_unavailable');

  const real = walk(realRoot, lexical.split(sep), (path) =>
    inside(realRoot, path) === null ? 'symlink_escape' : null,
  );
  if (typeof real !== 'string') return failed(real.failure);

  const written = target.split('/');
  if (written.includes('..')) {
    const start = isAbsolute(target) ? parse(absolute).root : realRoot;
    const followed = walk(start, written, () => null);
    if (typeof followed !== 'string') return failed(followed.failure);
    if (followed !== real) return failed(inside(realRoot, followed) === null ? 'symlink_escape' : 'target_malformed');
  }
  return { ok: true, lexical: wire(lexical), real: wire(relative(realRoot, real)) };
}

/** `resolveTarget` for several targets at once, keyed by the target text. */
export function resolveTargets(root: string, targets: Iterable<string>): Readonly<Record<string, ResolvedTarget>> {
  return Object.fromEntries([...new Set(targets)].map((target) => [target, resolveTarget(root, target)]));
}
