import type { ExclusionReason, InventorySource } from '../../schemas/artifacts/controller.ts';
import { type GroundingInput, type GroundingOptions, ground } from './ground.ts';
import { byCodeUnit } from './paths.ts';
import type { Feature, RankedFile } from './ranking.ts';

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
}

export interface Explanation {
  readonly request: string;
  readonly inventorySource: InventorySource;
  readonly candidateFiles: number;
  readonly selectedFiles: number;
  readonly selectedBytes: number;
  /** The head of the ranking, the best first. */
  readonly ranked: readonly ExplainedFile[];
  /** By path; what lies behind the end of the ranking or of a budget is only counted. */
  readonly excluded: readonly ExcludedPath[];
  /** Every reason with its count, by reason. */
  readonly excludedCounts: readonly { readonly reason: ExclusionReason; readonly count: number }[];
  readonly warnings: readonly string[];
}

/** Not about a file, but about how much there is: their paths are the rest of the repository. */
const ofTheRest: ReadonlySet<ExclusionReason> = new Set(['low_relevance', 'file_count_budget', 'inventory_budget']);
/** Beyond this nobody reads on, and a repository of a million files would fill the memory. */
const mostExcluded = 100_000;

/**
 * Says how a request would be grounded, without a run: by the grounding itself, whose result is dropped. Takes what
 * `ground` takes and how many ranked files to show. It shows excluded paths, so it is for the person at the keyboard and
 * not for a host; no content of a file is in it. Throws as `ground` does. Rule: grounding section 13.11.
 */
export async function explainGrounding(
  input: Omit<GroundingInput, 'runId'>,
  head: number,
  options: Omit<GroundingOptions, 'observer'> = {},
): Promise<Explanation> {
  let ranked: readonly RankedFile[] = [];
  const excluded: ExcludedPath[] = [];
  const shownReasons = new Map<string, ExclusionReason>();
  const heads = new Set<string>();
  const { wire } = await ground(
    { ...input, runId: 'explain' },
    {
      ...options,
      observer: {
        ranked: (files) => {
          ranked = files.slice(0, head);
          for (const { path } of ranked) heads.add(path);
        },
        excluded: (path, reason, rule) => {
          if (heads.has(path)) shownReasons.set(path, reason);
          if (ofTheRest.has(reason) || excluded.length >= mostExcluded) return;
          excluded.push({ path, reason, ...(rule !== null && { rule }) });
        },
      },
    },
  );
  return {
    request: input.request,
    inventorySource: wire.inventory_source,
    candidateFiles: wire.budget.candidate_files,
    selectedFiles: wire.budget.selected_files,
    selectedBytes: wire.budget.selected_bytes,
    ranked: ranked.map(({ path, score, points = {}, reason }) => ({
      path,
      score,
      points,
      reason,
      decision: shownReasons.get(path) ?? 'selected',
    })),
    excluded: excluded.sort((left, right) => byCodeUnit(left.path, right.path)),
    excludedCounts: wire.excluded_candidates,
    warnings: wire.warnings,
  };
}
