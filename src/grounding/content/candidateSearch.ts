import type { Git } from '../git/git.ts';
import type { ContentQuery } from './contentQuery.ts';
import { filesHolding } from './contentSearch.ts';

/** Of the time that the ranking by content has; the rest is for reading. */
export const searchMilliseconds = 800;
const mostPhrases = 8;
const shortestTerm = 5;
/** Git looks through everything for each: for fewer in a repository where that takes long. */
const searchesOf = (files: number): number => (files > 10_000 ? 2 : 3);
const atATime = 2;

/**
 * Asks Git which files of a large repository hold what a request is most likely about: any of its first phrases, and
 * each of its longest terms. Takes the number of files of the inventory; gives for each path that has any of it a
 * weight above 0 and at most 1, more for what fewer files have, or null when Git did not answer in time. It judges no
 * file: it says which to read before others. Rule: grounding section 13.1.
 */
export async function weighCandidates(
  git: Git,
  { phrases, terms }: ContentQuery,
  files: number,
  clock: () => number,
): Promise<ReadonlyMap<string, number> | null> {
  const whole = phrases.filter((phrase) => !/[\0\n]/.test(phrase)).slice(0, mostPhrases);
  const long = terms
    .filter((term) => term.length >= shortestTerm && /[a-z]/.test(term))
    .sort((left, right) => right.length - left.length)
    .slice(0, searchesOf(files) - (whole.length > 0 ? 1 : 0));
  const searches = [...(whole.length > 0 ? [whole] : []), ...long.map((term) => [term])];
  const found: ReadonlySet<string>[] = [];
  const deadline = clock() + searchMilliseconds;
  let next = 0;
  let late = false;
  const work = async (): Promise<void> => {
    for (let index = next; index < searches.length && !late; index = next) {
      next += 1;
      const left = deadline - clock();
      const paths = left < 1 ? null : await filesHolding(git, searches[index] ?? [], left);
      if (paths === null) late = true;
      else found[index] = paths === 'many' ? new Set() : paths;
    }
  };
  await Promise.all(Array.from({ length: atATime }, work));
  if (late) return null;

  const weights = new Map<string, number>();
  // Of those that hold anything: a file that has nothing of the request changes no weight.
  const holding = new Set(found.flatMap((paths) => [...paths])).size;
  for (const paths of found) {
    const rarity = Math.log(1 + holding / Math.max(1, paths.size));
    for (const path of paths) weights.set(path, (weights.get(path) ?? 0) + rarity);
  }
  const best = [...weights.values()].reduce((most, weight) => Math.max(most, weight), 0);
  return new Map([...weights].map(([path, weight]) => [path, weight / best]));
}
