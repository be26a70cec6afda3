import { binaryByName } from '../content/binaryEndings.ts';
import { searchMilliseconds, weighCandidates } from '../content/candidateSearch.ts';
import { readContentQuery } from '../content/contentQuery.ts';
import {
  contentMilliseconds,
  mostContentCandidates,
  mostContentPoints,
  rankContents,
} from '../content/contentRanking.ts';
import { takeOrigins } from '../git/attributes.ts';
import type { Git } from '../git/git.ts';
import type { ListedFile } from '../inventory/inventoryCollector.ts';
import type { ReadingRules } from '../reading/readFile.ts';
import { readRequest, withoutTerminalCodes } from '../requestTerms.ts';
import { lowValueByName, readingOrder, speaksOfEverything } from './lowValue.ts';
import { readOwnNames } from './ownNames.ts';
import { spreadOverPackages } from './packages.ts';
import { byScore, demoted, type RankedFile, rankFiles, withContent } from './ranking.ts';
import { namesInstalled, tracedPaths } from './tracePaths.ts';

export interface RepositoryRankingInput {
  readonly files: readonly ListedFile[];
  readonly request: string;
  /** Active paths, directories included; `''` is the root. */
  readonly active: ReadonlySet<string>;
  readonly changed: ReadonlySet<string>;
  /** Null when the inventory came from elsewhere: attributes are not asked then. */
  readonly git: Git | null;
  readonly reading: Pick<ReadingRules, 'root' | 'excludedRoots'>;
  /** False for names alone. */
  readonly content: boolean;
  /** Milliseconds of a clock that only goes forward. */
  readonly clock: () => number;
  readonly signal?: AbortSignal | undefined;
  readonly readers?: number | undefined;
}

export interface RepositoryRanking {
  readonly files: readonly RankedFile[];
  readonly warnings: readonly string[];
}

/** As many files as a selection can hold, and those that take the places of what is demoted among them. */
const head = 512;

/**
 * Orders the files of a repository: names first, then contents of the best 2,000 (in a larger repository as Git finds
 * them), then what attributes say of the head; what nothing speaks for is spread over the packages. The order of the
 * input changes nothing. Throws only the reason of an aborted signal. Rules: grounding sections 6, 13.1, 13.4 to 13.6.
 */
export async function rankRepository(input: RepositoryRankingInput): Promise<RepositoryRanking> {
  const { files, git } = input;
  const request = withoutTerminalCodes(input.request);
  const traced = tracedPaths(
    files.map(({ path }) => path),
    request,
    namesInstalled(request) ? await readOwnNames(input.reading) : [],
  );
  const { active, changed } = input;
  const byName = rankFiles({ files, request: readRequest(request), active, traced, changed });
  const { ranked, warnings } = await rankByContent(settled(byName), { ...input, request });
  const ordered = settled(ranked);
  if (git === null) return { files: ordered, warnings };

  const top = ordered.filter(({ pinned }) => !pinned).slice(0, head);
  const origins = await takeOrigins(
    git,
    top.map(({ path }) => path),
  );
  if (origins.failure !== null) {
    const unknown = `Git did not tell what its attributes call generated or vendored (${origins.failure}): such files rank like others.`;
    return { files: ordered, warnings: [...warnings, unknown] };
  }
  if (origins.files.size === 0) return { files: ordered, warnings };
  const judged = ordered.map((file) => {
    const origin = origins.files.get(file.path);
    return origin === undefined ? file : demoted(file, origin);
  });
  return { files: settled(judged), warnings };
}

async function rankByContent(
  ranked: readonly RankedFile[],
  input: RepositoryRankingInput,
): Promise<{ readonly ranked: readonly RankedFile[]; readonly warnings: readonly string[] }> {
  const { request, content, reading, clock, signal, readers } = input;
  if (!content) return { ranked, warnings: [] };
  const until = clock() + contentMilliseconds;
  const readable = ranked.filter(({ path, pinned }) => !pinned && !lowValueByName(path) && !binaryByName(path));
  const speaking = new Set(readable.flatMap(({ path, points }) => (points?.baseTerms === undefined ? [] : [path])));
  const { first, more, warnings } = toRead(readable, input);
  const ranking = await rankContents({
    paths: first,
    more,
    request,
    shareOf: (path) => (speaksOfEverything(path) && !speaking.has(path) ? shareOfHistories : 1),
    reading,
    clock,
    until,
    signal,
    readers,
  });
  if (!ranking.complete) {
    return {
      ranked,
      warnings: [
        `Ranking by content took longer than ${contentMilliseconds} ms and was dropped: the files are ranked by their names alone.`,
      ],
    };
  }
  const judged = ranked.map((file) => {
    const score = ranking.scores.get(file.path);
    return score === undefined ? file : withContent(file, score);
  });
  return { ranked: judged, warnings: warnings() };
}

/** Unless the request speaks of them by name. */
const shareOfHistories = 0.5;

/** Of the files that are read, those that names alone choose where not all can be read: Git searches meanwhile. */
const chosenByName = 1000;

interface ToRead {
  readonly first: readonly string[];
  readonly more?: () => Promise<readonly string[]>;
  /** Once more was asked for. */
  readonly warnings: () => readonly string[];
}

/**
 * All files of a repository that can be read whole. Of a larger one half by their names, what is written by hand before
 * what is made, and half as Git finds them to hold what the request is about. The order of the input breaks ties.
 */
function toRead(ranked: readonly RankedFile[], { request, git, clock }: RepositoryRankingInput): ToRead {
  if (ranked.length <= mostContentCandidates) return { first: ranked.map(({ path }) => path), warnings: () => [] };
  // Numbers beside the files and no object for each: a repository has as many files as it likes.
  const order = Uint8Array.from(ranked, ({ path }) => readingOrder(path));
  const best = (weights: ReadonlyMap<string, number>, most: number): string[] => {
    const scores = Float64Array.from(ranked, ({ path, score }) => score + mostContentPoints * (weights.get(path) ?? 0));
    const by = (values: Float64Array | Uint8Array, index: number): number => values[index] ?? 0;
    return [
      ...Uint32Array.from(ranked, (_, index) => index)
        .sort(
          (left, right) => by(scores, right) - by(scores, left) || by(order, left) - by(order, right) || left - right,
        )
        .subarray(0, most),
    ].flatMap((index) => ranked[index]?.path ?? []);
  };
  if (git === null) return { first: best(new Map(), mostContentCandidates), warnings: () => [] };
  const first = best(new Map(), chosenByName);
  let late = false;
  const more = async (): Promise<readonly string[]> => {
    const weights = await weighCandidates(git, readContentQuery(request), ranked.length, clock);
    late = weights === null;
    const taken = new Set(first);
    return best(weights ?? new Map(), mostContentCandidates + chosenByName).filter((path) => !taken.has(path));
  };
  const warning = `Git did not search the contents within ${searchMilliseconds} ms: the ${mostContentCandidates} files whose contents were ranked are chosen by their names.`;
  return { first, more, warnings: () => (late ? [warning] : []) };
}

/** By score; the files without one spread over the packages. */
function settled(files: readonly RankedFile[]): RankedFile[] {
  const sorted = [...files].sort(byScore);
  const first = sorted.findIndex(({ score, pinned }) => score === 0 && !pinned);
  return first < 0 ? sorted : [...sorted.slice(0, first), ...spreadOverPackages(sorted, sorted.slice(first))];
}
