import { isAbsolute, relative, sep } from 'node:path';

const longestPath = 1024;
const longestReference = 2048;
const plain = /^[\w./@ +-]*$/;
const dotSegment = /(?:^|\/)\.{1,2}(?:\/|$)/;

/**
 * The one spelling of a path inside the repository, or null where none is accepted: empty, longer than 1,024 UTF-16
 * units, absolute, a NUL, a backslash, half of a surrogate pair, a `.` or `..` segment, a trailing slash, or a
 * `repo://` reference longer than 2,048. One leading `./` is dropped, repeated slashes become one. Rule: grounding
 * section 4.
 */
export function normalizePath(path: string): string | null {
  const bare = path.startsWith('./') ? path.slice(2) : path;
  if (bare === '' || bare.startsWith('/') || bare.endsWith('/')) return null;
  // Nearly all names are plain: they need one look.
  if (!plain.test(bare) && (bare.includes('\0') || bare.includes('\\') || /\p{Surrogate}/u.test(bare))) return null;
  const normal = bare.includes('//') ? bare.replace(/\/{2,}/g, '/') : bare;
  if (normal.length > longestPath) return null;
  if ((normal.startsWith('.') || normal.includes('/.')) && dotSegment.test(normal)) return null;
  // Nine characters a unit is the most that encoding can make of it: only long paths need to be measured.
  if (normal.length * 9 + 7 > longestReference && repoRef(normal).length > longestReference) return null;
  return normal;
}

/** The `repo://` reference of a normal path: each segment percent-encoded. */
export function repoRef(path: string): string {
  return `repo://${path.split('/').map(encodeURIComponent).join('/')}`;
}

/** The directory that holds a normal path: `.` at the root. */
export function directoryOf(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash < 0 ? '.' : path.slice(0, slash);
}

/** The last segment of a normal path. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Every directory above a normal path, the nearest last, without the root: `a/b/c` gives `a`, `a/b`. */
export function directoriesAbove(path: string): string[] {
  const above: string[] = [];
  for (let slash = path.indexOf('/'); slash > 0; slash = path.indexOf('/', slash + 1)) above.push(path.slice(0, slash));
  return above;
}

/** The path from one absolute directory to another absolute path when it lies inside (`''` for the same), else null. */
export function pathInside(directory: string, path: string): string | null {
  const way = relative(directory, path);
  if (isAbsolute(way) || way === '..' || way.startsWith(`..${sep}`)) return null;
  return way;
}

/** Order by UTF-16 code unit, the same under every locale. */
export function byCodeUnit(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
