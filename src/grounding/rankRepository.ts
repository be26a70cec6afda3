import { takeOrigins } from './attributes.ts';
import { contentMilliseconds, rankContents } from './contentRanking.ts';
import type { Git } from './git.ts';
import type { ListedFile } from './inventoryCollector.ts';
import { lowValueByName } from './lowValue.ts';
import { spreadOverPackages } from './packages.ts';
import { byScore, demoted, type RankedFile, rankFiles, withContent } from './ranking.ts';
import type { ReadingRules } from './readFile.ts';
import { readRequest } from './requestTerms.ts';
import { tracedPaths } from './tracePaths.ts';

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
 * Orders the files of a repository: names first, then contents of the best 2,000, then what attributes say of the head;
 * what nothing speaks for is spread over the packages. The order of the input changes nothing. Throws only the reason
 * of an aborted signal. Rules: grounding sections 6, 13.1, 13.4 to 13.6.
 */
export async function rankRepository(input: RepositoryRankingInput): Promise<RepositoryRanking> {
  const { files, request, git } = input;
  const traced = tracedPaths(
    files.map(({ path }) => path),
    request,
  );
  const { active, changed } = input;
  const byName = rankFiles({ files, request: readRequest(request), active, traced, changed });
  const { ranked, warnings } = await rankByContent(settled(byName), input);
  const ordered = settled(ranked);
  if (git === null) return { files: ordered, warnings };

  const top = ordered.filter(({ pinned }) => !pinned).slice(0, head);
  const origins = await takeOrigins(
    git,
    top.map(({ path }) => path),
  );
  if (origins.size === 0) return { files: ordered, warnings };
  const judged = ordered.map((file) => {
    const origin = origins.get(file.path);
    return origin === undefined ? file : demoted(file, origin);
  });
  return { files: settled(judged), warnings };
}

async function rankByContent(
  ranked: readonly RankedFile[],
  { request, content, reading, clock, signal, readers }: RepositoryRankingInput,
): Promise<{ readonly ranked: readonly RankedFile[]; readonly warnings: readonly string[] }> {
  if (!content) return { ranked, warnings: [] };
  const paths = ranked.flatMap(({ path, pinned }) => (pinned || lowValueByName(path) ? [] : [path]));
  const ranking = await rankContents({ paths, request, reading, clock, signal, readers });
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
  return { ranked: judged, warnings: [] };
}

/** By score; the files without one spread over the packages. */
function settled(files: readonly RankedFile[]): RankedFile[] {
  const sorted = [...files].sort(byScore);
  const first = sorted.findIndex(({ score, pinned }) => score === 0 && !pinned);
  return first < 0 ? sorted : [...sorted.slice(0, first), ...spreadOverPackages(sorted, sorted.slice(first))];
}
