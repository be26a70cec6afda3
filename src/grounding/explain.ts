import { join } from 'node:path';
import type { ExclusionReason, InventorySource } from '../../schemas/artifacts/controller.ts';
import type { ContextManifestWire } from '../../schemas/artifacts/manifestWire.ts';
import { resolveActivePaths } from './activePaths.ts';
import { type GroundingInput, type GroundingOptions, ground } from './ground.ts';
import { byCodeUnit, pathInside } from './paths.ts';
import type { Feature, RankedFile } from './ranking/ranking.ts';
import { type ReadingRules, readRepositoryFile } from './reading/readFile.ts';
import { realDirectory, realOrGiven } from './root.ts';

export interface ExplainedFile {
  readonly path: string;
  readonly score: number;
  readonly points: Readonly<Partial<Record<Feature, number>>>;
  readonly reason: string;
  /** `selected`, or the rule that kept it out. */
  readonly decision: 'selected' | ExclusionReason;
}

export interface ExcludedPath {
  readonly path: string;
  readonly reason: ExclusionReason;
  /** For `secret_content`: the pattern, never the text that matched. */
  readonly rule?: string;
  /** Its place in the ranking, from 1; nothing for what was left out before the ranking. */
  readonly rank?: number;
  /** For `duplicate_content`: the selected file that holds the same. */
  readonly duplicateOf?: string;
}

export interface Explanation {
  readonly request: string;
  readonly inventorySource: InventorySource;
  /** Active paths that nothing stands at: hints, which are neither counted nor ranked below. */
  readonly missingPaths: readonly string[];
  readonly candidateFiles: number;
  readonly selectedFiles: number;
  readonly selectedBytes: number;
  /** The head of the ranking, the best first. */
  readonly ranked: readonly ExplainedFile[];
  /** By path; what nothing in the request speaks for, or the inventory cut, is only counted. */
  readonly excluded: readonly ExcludedPath[];
  /** Every reason with its count, by reason. */
  readonly excludedCounts: readonly { readonly reason: ExclusionReason; readonly count: number }[];
  readonly warnings: readonly string[];
}

/** Not about a file: their paths are the rest of the repository. */
const ofTheRest: ReadonlySet<ExclusionReason> = new Set(['low_relevance', 'inventory_budget']);
/** Beyond this nobody reads on, and a repository of a million files would fill the memory. */
const mostExcluded = 100_000;
/** Each is read once more to learn which file it repeats; behind these the rule must do. */
const mostTwinsNamed = 256;

/**
 * Says how a request would be grounded, without a run: by the grounding itself, whose result is dropped. Takes what
 * `ground` takes and how many ranked files to show. It shows excluded paths, so it is for the person at the keyboard
 * and not for a host; no content of a file is in it. Throws as `ground` does. Rule: grounding section 13.11.
 */
export async function explainGrounding(
  input: Omit<GroundingInput, 'runId'>,
  head: number,
  options: Omit<GroundingOptions, 'observer'> = {},
): Promise<Explanation> {
  let ranked: readonly RankedFile[] = [];
  const missing = new Set(await missingOf(input));
  const gone = new Map<ExclusionReason, number>();
  const excluded: ExcludedPath[] = [];
  const shownReasons = new Map<string, ExclusionReason>();
  const heads = new Set<string>();
  const ranks = new Map<string, number>();
  const { wire } = await ground(
    { ...input, runId: 'explain' },
    {
      ...options,
      observer: {
        ranked: (files) => {
          const there = missing.size === 0 ? files : files.filter(({ path }) => !missing.has(path));
          for (const [index, { path }] of there.entries()) ranks.set(path, index + 1);
          ranked = there.slice(0, head);
          for (const { path } of ranked) heads.add(path);
        },
        excluded: (path, reason, rule) => {
          if (missing.has(path)) {
            gone.set(reason, (gone.get(reason) ?? 0) + 1);
            return;
          }
          if (heads.has(path)) shownReasons.set(path, reason);
          if (ofTheRest.has(reason) || excluded.length >= mostExcluded) return;
          const rank = ranks.get(path);
          excluded.push({ path, reason, ...(rule !== null && { rule }), ...(rank !== undefined && { rank }) });
        },
      },
    },
  );
  const root = realDirectory(input.repositoryRoot) ?? input.repositoryRoot;
  const excludedRoots = await Promise.all(input.excludedRoots.map(realOrGiven));
  // What lies in a directory of the product's state was no candidate.
  const counted = [...missing].filter((path) =>
    excludedRoots.every((directory) => pathInside(directory, join(root, path)) === null),
  );
  const twins = await twinsOf(excluded, { root, excludedRoots }, wire);
  return {
    request: input.request,
    inventorySource: wire.inventory_source,
    missingPaths: [...missing],
    candidateFiles: wire.budget.candidate_files - counted.length,
    selectedFiles: wire.budget.selected_files,
    selectedBytes: wire.budget.selected_bytes,
    ranked: ranked.map(({ path, score, points = {}, reason }) => ({
      path,
      score,
      points,
      reason,
      decision: shownReasons.get(path) ?? 'selected',
    })),
    excluded: excluded
      .map((entry) => {
        const twin = twins.get(entry.path);
        return twin === undefined ? entry : { ...entry, duplicateOf: twin };
      })
      .sort((left, right) => byCodeUnit(left.path, right.path)),
    excludedCounts: wire.excluded_candidates.flatMap(({ reason, count }) => {
      const left = count - (gone.get(reason) ?? 0);
      return left > 0 ? [{ reason, count: left }] : [];
    }),
    warnings: wire.warnings,
  };
}

async function missingOf({ repositoryRoot, activePaths }: Omit<GroundingInput, 'runId'>): Promise<readonly string[]> {
  const root = realDirectory(repositoryRoot);
  // Without a root `ground` itself refuses.
  if (root === null) return [];
  const found = await resolveActivePaths(repositoryRoot, root, activePaths);
  return found.flatMap(({ path, kind }) => (kind === 'missing' ? [path] : []));
}

/** Which selected file each duplicate repeats, told by its content. */
async function twinsOf(
  excluded: readonly ExcludedPath[],
  place: Pick<ReadingRules, 'root' | 'excludedRoots'>,
  wire: ContextManifestWire,
): Promise<ReadonlyMap<string, string>> {
  const selected = new Map(wire.selected_sources.map(({ content_hash, path }) => [content_hash, path]));
  const twins = new Map<string, string>();
  const duplicates = excluded.filter(({ reason }) => reason === 'duplicate_content').slice(0, mostTwinsNamed);
  const rules = { ...place, maximumBytes: wire.budget.max_file_bytes };
  for (const { path } of duplicates) {
    const read = await readRepositoryFile(path, rules);
    const twin = read.ok ? selected.get(read.contentHash) : undefined;
    if (twin !== undefined) twins.set(path, twin);
  }
  return twins;
}
