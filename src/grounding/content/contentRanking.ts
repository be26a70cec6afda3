import { type ReadFile, type ReadingRules, readRepositoryFile, type UnreadFile } from '../reading/readFile.ts';
import { type ContentQuery, readContentQuery } from './contentQuery.ts';
import { type TextCounts, textCounter } from './contentScan.ts';

export interface ContentScore {
  /** 1 to 400. */
  readonly points: number;
  /** What matched, of the request: the strongest first, at most five. */
  readonly matches: readonly string[];
}

export type ContentRanking =
  | { readonly complete: true; readonly scores: ReadonlyMap<string, ContentScore> }
  /** The time was over: what was found until then is dropped, so that no result depends on how far a pass came. */
  | { readonly complete: false };

export interface ContentRankingInput {
  /** Normal paths in the order of their path scores; the first 2,000 are read. */
  readonly paths: readonly string[];
  /** Asked for while these are read: further paths, up to 2,000 together. */
  readonly more?: (() => Promise<readonly string[]>) | undefined;
  readonly request: string;
  /** How much of its value a file keeps for what it is: 0 to 1; all of it unless given. */
  readonly shareOf?: ((path: string) => number) | undefined;
  readonly reading: Pick<ReadingRules, 'root' | 'excludedRoots'>;
  /** Milliseconds of a clock that only goes forward. */
  readonly clock: () => number;
  /** When the time is over, by that clock; the usual time from now unless given. */
  readonly until?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** How many files are read at a time; the result does not depend on it. */
  readonly readers?: number | undefined;
}

export const mostContentCandidates = 2000;
/** Longer than a warm disk needs for 2,000 files, shorter than a host waits. */
export const contentMilliseconds = 2000;
export const mostContentPoints = 400;
/** Not `max_file_bytes`: a larger budget must not change the order of the files that fitted into a smaller one. */
const mostBytes = 131_072;
const mostNamed = 5;
const longestNamed = 60;
const defaultReaders = 8;
/** A whole string or identifier weighs twice what one of its parts of the same rarity does. */
const phraseWeight = 2;
/** What two terms side by side say beyond the terms: apart they may be about anything. */
const pairWeight = 0.5;
/** Few files define what a request names, and it is about them more than about those that use it. */
const definitionWeight = 2;
/** The usual constants of BM25. */
const saturation = 1.2;
const lengthShare = 0.75;

/**
 * Ranks files by what they contain: one pass over at most 2,000 candidates, read by the reader of the selection, so
 * that what is secret, binary or outside never scores. Gives `round(400 × BM25 / best BM25)` for each file with a
 * match. Statistics are those of the files that match: a file that has nothing of the request changes no score. Throws
 * only the reason of an aborted signal. Rule: grounding section 13.1.
 */
export async function rankContents(input: ContentRankingInput): Promise<ContentRanking> {
  const query = readContentQuery(input.request);
  const needles = needlesOf(query);
  if (needles.length === 0) return { complete: true, scores: new Map() };
  const until = input.until ?? input.clock() + contentMilliseconds;
  const paths = input.paths.slice(0, mostContentCandidates);
  const count = textCounter(query);
  const [first, more] = await Promise.all([countAll(paths, count, until, input), input.more?.() ?? []]);
  const rest = await countAll(more.slice(0, mostContentCandidates - paths.length), count, until, input);
  if (first === null || rest === null) return { complete: false };
  return { complete: true, scores: scoresOf([...first, ...rest], needles, input.shareOf) };
}

interface Needle {
  /** As it is named in a reason. */
  readonly name: string;
  readonly weight: number;
}

/** In the order of the positions of the counts. */
function needlesOf({ phrases, terms, pairs = [], words = [] }: ContentQuery): readonly Needle[] {
  return [
    ...phrases.map((phrase) => ({ name: shown(phrase), weight: phraseWeight })),
    ...terms.map((term) => ({ name: term, weight: 1 })),
    ...pairs.map(([first, second]) => ({ name: `${terms[first]} ${terms[second]}`, weight: pairWeight })),
    ...words.map((word) => ({ name: shown(word), weight: 1 })),
    ...phrases.map((phrase) => ({ name: `definition of ${shown(phrase)}`, weight: definitionWeight })),
  ];
}

interface Found extends TextCounts {
  readonly path: string;
}

/** In the order of the paths, whichever was read first; null when the time was over. */
async function countAll(
  paths: readonly string[],
  count: (text: string) => TextCounts,
  limit: number,
  { reading, clock, signal, readers = defaultReaders }: ContentRankingInput,
): Promise<Found[] | null> {
  const rules: ReadingRules = { ...reading, maximumBytes: mostBytes };
  const found: (Found | undefined)[] = [];
  let next = 0;
  let late = false;
  const work = async (): Promise<void> => {
    for (let index = next; index < paths.length && !late; index = next) {
      next += 1;
      signal?.throwIfAborted();
      const path = paths[index] ?? '';
      const file: ReadFile | UnreadFile = await readRepositoryFile(path, rules);
      if (file.ok) {
        const counts = count(file.content);
        if (counts.counts.size > 0) found[index] = { path, ...counts };
      }
      if (clock() >= limit) late = true;
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, readers) }, work));
  return late ? null : found.filter((entry) => entry !== undefined);
}

function scoresOf(
  found: readonly Found[],
  needles: readonly Needle[],
  shareOf: (path: string) => number = () => 1,
): ReadonlyMap<string, ContentScore> {
  const having = new Map<number, number>();
  let tokens = 0;
  for (const { counts, length } of found) {
    tokens += length;
    for (const needle of counts.keys()) having.set(needle, (having.get(needle) ?? 0) + 1);
  }
  const average = Math.max(1, tokens / found.length);
  const weightOf = (needle: number): number => {
    const files = having.get(needle) ?? 0;
    const rarity = Math.log(1 + (found.length - files + 0.5) / (files + 0.5));
    return (needles[needle]?.weight ?? 0) * rarity;
  };
  const weights = new Map([...having.keys()].map((needle) => [needle, weightOf(needle)]));

  const scored = found.map(({ path, counts, length }) => {
    const long = saturation * (1 - lengthShare + (lengthShare * length) / average);
    const parts = [...counts]
      // Sums of fractions depend on their order.
      .sort(([left], [right]) => left - right)
      .map(([needle, count]) => ({
        needle,
        value: ((weights.get(needle) ?? 0) * count * (saturation + 1)) / (count + long),
      }));
    return { path, parts, value: shareOf(path) * parts.reduce((sum, part) => sum + part.value, 0) };
  });
  const best = scored.reduce((most, { value }) => Math.max(most, value), 0);
  return new Map(
    scored.map(({ path, parts, value }) => [
      path,
      {
        points: Math.max(1, Math.round((mostContentPoints * value) / best)),
        matches: [...parts]
          .sort((left, right) => right.value - left.value || left.needle - right.needle)
          .slice(0, mostNamed)
          .flatMap(({ needle }) => needles[needle]?.name ?? []),
      },
    ]),
  );
}

/** A phrase may hold line breaks of other alphabets, and commas: it is shown as a string. */
function shown(needle: string): string {
  return JSON.stringify(needle.length > longestNamed ? `${needle.slice(0, longestNamed)}…` : needle);
}
