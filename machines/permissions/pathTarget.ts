import { hasHiddenCharacter } from './text.ts';

/** The path without empty and `.` segments and with every `..` folded away that has a segment before it. */
const foldSegments = (text: string): readonly string[] => {
  const kept: string[] = [];
  for (const segment of text.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment === '..' && kept.length > 0 && kept.at(-1) !== '..') kept.pop();
    else kept.push(segment);
  }
  return kept;
};

/** Covers drive prefixes, too. */
const schemePrefix = /^[A-Za-z][A-Za-z0-9+.-]*:/u;
const encodedSign = /%(?:2e|2f|5c|00)/iu;

/**
 * Whether a path target could be read in two ways: hidden characters, backslash, drive or scheme prefix, encoded dots,
 * separators or NUL, a leading `~` or `$`, or a segment that ends in a dot or blank. Rule: permissions section 6, item 2.
 */
export const isMalformedPath = (target: string): boolean =>
  hasHiddenCharacter(target) ||
  target.includes('\\') ||
  /^[~$]/u.test(target) ||
  schemePrefix.test(target) ||
  encodedSign.test(target) ||
  foldSegments(target).some((segment) => segment !== '..' && /[.\s]$/u.test(segment));

/** The spelling of a path under which it is recorded: folded, `.` for nothing left, a leading `/` kept. */
export const normalizePath = (target: string): string => {
  const folded = foldSegments(target).join('/');
  return target.startsWith('/') ? `/${folded}` : folded || '.';
};
