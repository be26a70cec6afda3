import type { RunRecord } from '../record.ts';

const longest = 128;

/**
 * An id like a taken one that is still free: `plan-01-2`, `plan-01-3` …
 *
 * @param taken the ids that are in use, as a list or as the record that holds their artifacts.
 */
export const freeId = (id: string, taken: readonly string[] | RunRecord): string => {
  const isTaken = (one: string): boolean => ('get' in taken ? taken.get(one) !== undefined : taken.includes(one));
  for (let number = 2; ; number += 1) {
    const end = `-${number}`;
    const free = `${id.slice(0, longest - end.length)}${end}`;
    if (!isTaken(free)) return free;
  }
};
