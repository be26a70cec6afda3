import { everything } from './permissionSet.ts';
import { hasHiddenCharacter } from './text.ts';

/**
 * Scopes of repository lists: `**` alone, or a relative path whose segments may hold `*` and `?`, with `**` only as the
 * last segment. All other characters stand for themselves. Rule: permissions section 6.
 */

const drivePrefix = /^[A-Za-z]:/u;
const extendedGroup = /[!?*+@]\(/u;
const wildcard = /[*?]/u;

/** Whether a text is a scope by the grammar; what is none is refused when submitted and never matches. */
export const isScope = (scope: string): boolean => {
  if (scope === everything) return true;
  if (scope === '' || hasHiddenCharacter(scope) || /[\\{}]/u.test(scope)) return false;
  if (/^[!~]/u.test(scope) || drivePrefix.test(scope) || extendedGroup.test(scope)) return false;
  const segments = scope.split('/');
  return segments.every(
    (segment, index) =>
      segment !== '' &&
      segment !== '.' &&
      segment !== '..' &&
      (!segment.includes(everything) || (segment === everything && index === segments.length - 1)),
  );
};

/** Linear in the product of the lengths: one look back per `*`, never a nested one. */
const segmentMatches = (pattern: string, name: string): boolean => {
  if (!wildcard.test(pattern)) return pattern === name;
  if (name.startsWith('.')) return false;
  const wanted = [...pattern];
  const given = [...name];
  let at = 0;
  let star = -1;
  let resume = 0;
  for (let index = 0; index < given.length; ) {
    if (wanted[at] === '*') {
      star = at;
      resume = index;
      at += 1;
    } else if (wanted[at] === '?' || wanted[at] === given[index]) {
      at += 1;
      index += 1;
    } else if (star >= 0) {
      resume += 1;
      index = resume;
      at = star + 1;
    } else return false;
  }
  while (wanted[at] === '*') at += 1;
  return at === wanted.length;
};

/**
 * Whether a path (relative, `/`-separated, normalised, `.` for the root) lies in a scope. Literal equality first, then
 * segment by segment and case-sensitive; a wildcard never matches a segment that starts with a dot, and `P/**` matches
 * strict descendants only. Rule: permissions section 6.
 */
export const scopeMatches = (scope: string, path: string): boolean => {
  if (!isScope(scope)) return false;
  if (scope === everything || scope === path) return true;
  const patterns = scope.split('/');
  const names = path.split('/');
  const deep = patterns.at(-1) === everything;
  const fixed = deep ? patterns.slice(0, -1) : patterns;
  if (deep ? names.length <= fixed.length : names.length !== fixed.length) return false;
  return (
    fixed.every((pattern, index) => segmentMatches(pattern, names[index] ?? '')) &&
    names.slice(fixed.length).every((name) => !name.startsWith('.'))
  );
};

/**
 * Whether every path of `requested` is one of `allowed`, as far as one scope alone shows it: equal scopes, `**`, or
 * `P/**` above a scope without dot segments below P. Rule: permissions section 5.
 */
export const scopeCovers = (allowed: string, requested: string): boolean => {
  if (!isScope(allowed) || !isScope(requested)) return false;
  if (allowed === everything || allowed === requested) return true;
  if (!allowed.endsWith(`/${everything}`)) return false;
  const parent = allowed.slice(0, -everything.length);
  if (wildcard.test(parent) || !requested.startsWith(parent)) return false;
  return requested
    .slice(parent.length)
    .split('/')
    .every((segment) => !segment.startsWith('.'));
};
