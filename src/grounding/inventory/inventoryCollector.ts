import type { ExclusionReason } from '../../../schemas/artifacts/controller.ts';
import { instructedDirectory } from '../instructions.ts';
import { byCodeUnit, normalizePath } from '../paths.ts';
import { createNameExclusion } from './exclusions.ts';

export interface ListedFile {
  readonly path: string;
  readonly tracked: boolean;
}

export type ExclusionCounts = ReadonlyMap<ExclusionReason, number>;

export interface Inventory {
  /** Sorted: instruction files and active paths first, then by code unit; at most the budget. */
  readonly files: readonly ListedFile[];
  /** How many files were listed under a usable name, before anything was left out or cut. */
  readonly candidateFiles: number;
  readonly excluded: ExclusionCounts;
  /** Files cut because the budget was full. */
  readonly cut: number;
  readonly namesNotUtf8: number;
  /** Active paths that were left out for their secret-like name: the caller named them already. */
  readonly secretNamed: readonly string[];
}

export interface InventoryRules {
  /** `max_inventory_files`. */
  readonly maximum: number;
  /** Active paths that are no directories: listed whether or not anything else lists them. */
  readonly active: ReadonlySet<string>;
  /** Instruction files found at the root, listed although ignore rules hide them. */
  readonly pinned: ReadonlySet<string>;
  /** Directories below the root (normal paths; `''` for the root itself) that hold product state. */
  readonly excludedDirectories: readonly string[];
  /** Told at the end of each path that its name keeps out (100,000 at most); no manifest, event or log may show it. */
  readonly onExcluded?: ((path: string, reason: ExclusionReason) => void) | undefined;
}

export interface Collector {
  /** One name as it was listed: the bytes of a path relative to the root. */
  offer(name: Buffer, tracked: boolean): void;
  /** A name that is a directory or another repository. */
  offerDirectory(name: Buffer): void;
  /** Something that could not be listed. */
  count(reason: ExclusionReason): void;
  /** How many names were offered. */
  listed(): number;
  finish(): Inventory;
}

/** More paths than anybody reads. */
const mostLeftOut = 100_000;
/** Between two reports of progress. */
const progressStep = 5000;

/**
 * Takes names one by one, in any order, and keeps what the budget allows: never more than about twice that many at a
 * time, however large the repository (trap T23). Rule: grounding sections 3 and 4.
 */
export function createCollector(rules: InventoryRules, onProgress?: (listed: number) => void): Collector {
  const excludedByName = createNameExclusion();
  const excluded = new Map<ExclusionReason, number>();
  const wanted = new Map<string, boolean>([...rules.pinned, ...rules.active].map((path) => [path, false]));
  const secretNamed: string[] = [];
  /** Told at the end only: a listing that fails is dropped, and another begins. */
  const leftOut: { readonly path: string; readonly reason: ExclusionReason }[] = [];
  let kept: Entry[] = [];
  /** Once the budget was full: nothing that sorts behind this entry can come in. */
  let worst: Entry | null = null;
  let previous = '';
  let candidateFiles = 0;
  let listed = 0;
  let cut = 0;
  let namesNotUtf8 = 0;

  const count = (reason: ExclusionReason, by = 1): void => {
    excluded.set(reason, (excluded.get(reason) ?? 0) + by);
  };
  const leaveOut = (path: string, reason: ExclusionReason): void => {
    if (rules.onExcluded !== undefined && leftOut.length < mostLeftOut) leftOut.push({ path, reason });
  };
  const trim = (): void => {
    kept.sort(compare);
    cut += Math.max(0, kept.length - rules.maximum);
    kept = kept.slice(0, rules.maximum);
    worst = kept.at(-1) ?? null;
  };
  const admit = (path: string, tracked: boolean): void => {
    if (rules.excludedDirectories.some((directory) => isBelow(path, directory))) {
      count('excluded_directory');
      leaveOut(path, 'excluded_directory');
      return;
    }
    candidateFiles += 1;
    const named = rules.active.has(path);
    const reason = excludedByName(path, { tracked, named });
    if (reason !== null) {
      count(reason);
      leaveOut(path, reason);
      if (named && reason === 'secret_like_file') secretNamed.push(path);
      return;
    }
    const instruction = instructedDirectory(path, tracked) !== null;
    const entry: Entry = { path, tracked, rank: wanted.has(path) ? 0 : instruction ? 1 : 2 };
    if (worst !== null && kept.length >= rules.maximum && compare(entry, worst) > 0) {
      cut += 1;
      return;
    }
    kept.push(entry);
    if (kept.length >= rules.maximum * 2 + 1024) trim();
  };
  const readable = (name: Buffer): string | null => {
    listed += 1;
    if (listed % progressStep === 0) onProgress?.(listed);
    const text = name.toString('utf8');
    if (text.includes('\ufffd') && !Buffer.from(text, 'utf8').equals(name)) {
      namesNotUtf8 += 1;
      count('invalid_path');
      return null;
    }
    const path = normalizePath(text);
    if (path === null) count('invalid_path');
    return path;
  };

  return {
    offer: (name, tracked) => {
      const path = readable(name);
      // An unmerged file is listed once for each of its versions.
      if (path === null || path === previous) return;
      previous = path;
      if (wanted.has(path)) wanted.set(path, tracked || wanted.get(path) === true);
      else admit(path, tracked);
    },
    offerDirectory: (name) => {
      const path = readable(name);
      if (path === null) return;
      if (rules.excludedDirectories.some((directory) => isBelow(path, directory))) {
        count('excluded_directory');
        return;
      }
      candidateFiles += 1;
      const reason = excludedByName(path, { tracked: false, named: false }) ?? 'non_regular_file';
      count(reason);
      leaveOut(path, reason);
    },
    count: (reason) => count(reason),
    listed: () => listed,
    finish: () => {
      for (const [path, tracked] of wanted) admit(path, tracked);
      trim();
      if (cut > 0) count('inventory_budget', cut);
      onProgress?.(listed);
      for (const { path, reason } of leftOut) rules.onExcluded?.(path, reason);
      // Two looks at a repository in which somebody works may tell one file twice, once tracked and once not.
      const files = new Map<string, boolean>();
      for (const { path, tracked } of kept) files.set(path, tracked || files.get(path) === true);
      candidateFiles -= kept.length - files.size;
      return {
        files: [...files].map(([path, tracked]) => ({ path, tracked })),
        candidateFiles,
        excluded,
        cut,
        namesNotUtf8,
        secretNamed: secretNamed.sort(byCodeUnit),
      };
    },
  };
}

interface Entry extends ListedFile {
  /** What survives a cut: 0 active paths and the pinned root files, 1 other instruction files, 2 the rest. */
  readonly rank: number;
}

function compare(left: Entry, right: Entry): number {
  return left.rank - right.rank || byCodeUnit(left.path, right.path);
}

function isBelow(path: string, directory: string): boolean {
  return directory === '' || path === directory || path.startsWith(`${directory}/`);
}
