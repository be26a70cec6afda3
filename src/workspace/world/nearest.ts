/** How far a name may be from what was written to be told as meant. */
const furthest = 2;

/**
 * How many letters must be put in, left out or replaced to make one text of the other; more than `furthest` when it
 * takes more. Only the band around the diagonal is worked out, so that ten thousand names take milliseconds.
 */
const distance = (one: readonly string[], other: readonly string[]): number => {
  if (Math.abs(one.length - other.length) > furthest) return furthest + 1;
  let before = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (const [index, letter] of one.entries()) {
    const row = index + 1;
    const now = new Array<number>(other.length + 1).fill(furthest + 1);
    if (row <= furthest) now[0] = row;
    let least = now[0] ?? 0;
    for (let column = Math.max(1, row - furthest); column <= Math.min(other.length, row + furthest); column += 1) {
      const value = Math.min(
        (before[column - 1] ?? 0) + (letter === other[column - 1] ? 0 : 1),
        (before[column] ?? 0) + 1,
        (now[column - 1] ?? 0) + 1,
      );
      now[column] = value;
      least = Math.min(least, value);
    }
    if (least > furthest) return furthest + 1;
    before = now;
  }
  return before[other.length] ?? furthest + 1;
};

/** Those of the things whose name is at most two letters from what was written, the nearest first, at most `count`. */
export const nearest = <T>(
  things: readonly T[],
  nameOf: (thing: T) => string,
  written: string,
  count: number,
): readonly T[] => {
  const sought = [...written.normalize()];
  return things
    .map((thing) => {
      const name = nameOf(thing).normalize();
      // The length in UTF-16 is no less than that in letters, and at most twice it: most names are passed over by it.
      const far = name.length < sought.length - furthest || name.length > 2 * (sought.length + furthest);
      return { thing, far: far ? furthest + 1 : distance(sought, [...name]) };
    })
    .filter(({ far }) => far <= furthest && far < sought.length)
    .sort((one, other) => one.far - other.far)
    .slice(0, count)
    .map(({ thing }) => thing);
};
