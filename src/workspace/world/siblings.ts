import { wireLimits } from '../../../schemas/wire/limits.ts';
import { printSegment, sameName, utf8Bytes } from '../../../schemas/wire/path.ts';
import type { Children, Kind } from '../apps/app.ts';

/** One child of a resource, as its list tells it. */
export interface Sibling {
  readonly item: string;
  readonly name: string;
  readonly label: string;
  readonly kind: string;
}

/** The children of a resource over all its lists, in order; what stands in two lists is one thing and comes once. */
export const siblingsOf = (kind: Pick<Kind, 'lists'>, children: Children): readonly Sibling[] => {
  const seen = new Set<string>();
  const found: Sibling[] = [];
  for (const [list, listKind] of Object.entries(kind.lists))
    for (const { item, name, label = name, kind: own = listKind } of children[list] ?? []) {
      if (seen.has(item)) continue;
      seen.add(item);
      found.push({ item, name, label, kind: own });
    }
  return found;
};

/** Those that a segment means: the one whose key it is, else all with the name (D-03). */
export const meant = (
  siblings: readonly Sibling[],
  segment: string,
): Readonly<{ by: 'key' | 'name'; siblings: readonly Sibling[] }> => {
  const keyed = siblings.find(({ item }) => item === segment);
  return keyed === undefined
    ? { by: 'name', siblings: siblings.filter(({ name }) => sameName(name, segment)) }
    : { by: 'key', siblings: [keyed] };
};

/** Longer names are told by their key: a path stays readable. */
const longestName = 80;

// Line breaks of every kind, and halves of characters, which no UTF-8 can carry.
const unprintable = /[\n\v\f\r\u0085\u2028\u2029\p{Cs}]/u;

const printable = (name: string): boolean =>
  name !== '' &&
  (name.length <= longestName || (name.length <= 2 * longestName && [...name].length <= longestName)) &&
  !unprintable.test(name);

/**
 * Prints the paths of siblings as listings do (D-04): by the name where it is printable, none of the others has it and
 * none of their keys equals it; else by the key.
 *
 * @param parent the printed path that holds them
 */
export const pathsOf = (siblings: readonly Sibling[], parent: string): ((sibling: Sibling) => string) => {
  const names = new Map<string, number>();
  const keys = new Set<string>();
  for (const { name, item } of siblings) {
    const known = name.normalize();
    names.set(known, (names.get(known) ?? 0) + 1);
    keys.add(item.normalize());
  }
  return ({ name, item }) => {
    const byKey = `${parent}/${printSegment(item)}`;
    const known = name.normalize();
    if (name === item || !printable(name) || names.get(known) !== 1 || keys.has(known)) return byKey;
    const byName = `${parent}/${printSegment(name)}`;
    return utf8Bytes(byName) <= wireLimits.pathBytes ? byName : byKey;
  };
};
