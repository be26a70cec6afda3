import { lstat } from 'node:fs/promises';
import { isAbsolute, join, sep } from 'node:path';
import type { ExclusionReason } from '../../schemas/artifacts/controller.ts';
import { Id } from '../../schemas/primitives.ts';
import { resolveActivePaths } from './activePaths.ts';
import { type Budget, type BudgetInput, resolveBudget } from './budget.ts';
import type { Environment } from './git/command.ts';
import { takeFingerprint } from './git/fingerprint.ts';
import { bindGit } from './git/git.ts';
import { GroundingError } from './groundingError.ts';
import { rootInstructionPaths } from './instructions.ts';
import { takeInventory } from './inventory/inventory.ts';
import { buildGrounding, type Grounding } from './manifest.ts';
import { pathInside } from './paths.ts';
import type { RankedFile } from './ranking/ranking.ts';
import { rankRepository } from './ranking/rankRepository.ts';
import { isGitOwnDirectory, realDirectory, realOrGiven } from './root.ts';
import { selectFiles } from './selection.ts';
import { groundingWarnings } from './warnings.ts';

export interface GroundingInput {
  readonly runId: string;
  /** As the start of the run took it: at most 32,768 UTF-16 units, however many bytes. */
  readonly request: string;
  /** The root that the run is bound to. */
  readonly repositoryRoot: string;
  readonly activePaths: readonly string[];
  readonly budget?: BudgetInput | undefined;
  /** Absolute directories that hold product state. */
  readonly excludedRoots: readonly string[];
}

export interface GroundingProgress {
  readonly stage: 'inventory' | 'ranking' | 'reading' | 'storing';
  readonly done: number;
  /** 0 while it is not known. */
  readonly total: number;
}

export interface GroundingObserver {
  ranked(files: readonly RankedFile[]): void;
  /** @param rule the pattern of `secret_content`, never the text that matched */
  excluded(path: string, reason: ExclusionReason, rule: string | null): void;
}

export interface GroundingOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: GroundingProgress) => void) | undefined;
  /** Where programs are looked for; the process's own environment unless given. Nothing else of it is passed on. */
  readonly env?: Environment | undefined;
  /** How many files are read at a time; the result does not depend on it. */
  readonly readers?: number | undefined;
  /** False ranks by names alone. */
  readonly content?: boolean | undefined;
  /** Milliseconds of a clock that only goes forward; bounds the ranking by content. */
  readonly clock?: (() => number) | undefined;
  /** Told how it came about, for people: excluded paths are in no manifest, event or log. */
  readonly observer?: GroundingObserver | undefined;
  /** The time limit of one command of Git, and of a walk without it, in milliseconds. */
  readonly commandMilliseconds?: number | undefined;
}

const longestRequest = 32_768;
const longestRoot = 4096;
const mostExcludedRoots = 16;

/**
 * Grounds a request in a repository. Takes the bound root, the request, the paths the caller works on and a budget;
 * gives the manifest in wire form (references, hashes, reasons, counts) and one document with the exact text for each
 * selected file. The same repository, request, paths, budget and run id give the same bytes. Reads repository files,
 * writes nothing, starts no program but Git and ripgrep.
 *
 * Throws GroundingError: `invalid_arguments`, `repository_not_configured` (no directory, or Git's own), `path_escape`
 * (an active path that leaves the root); or the reason of an aborted signal. Rules: grounding sections 1 to 12.
 */
export async function ground(input: GroundingInput, options: GroundingOptions = {}): Promise<Grounding> {
  const { signal, onProgress, env = process.env } = options;
  const budget = checkInput(input);
  const root = checkRoot(input.repositoryRoot);
  const excludedRoots = await Promise.all(input.excludedRoots.map(realOrGiven));
  const active = await resolveActivePaths(input.repositoryRoot, root, input.activePaths);
  const git = bindGit(root, env, { signal, milliseconds: options.commandMilliseconds });
  const activePaths = new Set(active.map(({ path }) => path));

  const inventory = await takeInventory({
    root,
    git,
    env,
    rules: {
      maximum: budget.max_inventory_files,
      active: new Set(active.filter(({ kind }) => kind !== 'directory').map(({ path }) => path)),
      pinned: await rootInstructions(root),
      excludedDirectories: excludedRoots.flatMap((directory) => pathInside(root, directory) ?? []).map(withSlashes),
      onExcluded: (path, reason) => options.observer?.excluded(path, reason, null),
    },
    signal,
    milliseconds: options.commandMilliseconds,
    onProgress: (listed) => onProgress?.({ stage: 'inventory', done: listed, total: 0 }),
  });
  signal?.throwIfAborted();

  const total = inventory.files.length;
  onProgress?.({ stage: 'ranking', done: 0, total });
  const ranking = await rankRepository({
    files: inventory.files,
    request: input.request,
    active: activePaths,
    changed: inventory.workTree?.changed ?? new Set(),
    git: inventory.git,
    reading: { root, excludedRoots },
    content: options.content ?? true,
    clock: options.clock ?? (() => performance.now()),
    signal,
    readers: options.readers,
  });
  const ranked = ranking.files;
  options.observer?.ranked(ranked);
  onProgress?.({ stage: 'ranking', done: total, total });

  const selection = await selectFiles({
    ranked,
    budget,
    reading: { root, excludedRoots, maximumBytes: budget.max_file_bytes },
    readers: options.readers,
    signal,
    onProgress: (done) => onProgress?.({ stage: 'reading', done, total }),
    onExcluded: options.observer?.excluded,
  });
  signal?.throwIfAborted();
  // Of a root that went away meanwhile nothing was found; an empty manifest would tell that there is nothing.
  checkRoot(root);
  const fingerprint = takeFingerprint(
    inventory.workTree,
    inventory.files.map(({ path }) => path),
    selection.hashes,
  );
  onProgress?.({ stage: 'storing', done: 0, total: selection.selected.length });
  return buildGrounding({
    runId: input.runId,
    fingerprint,
    selected: selection.selected,
    excluded: addCounts(inventory.excluded, selection.excluded),
    candidateFiles: inventory.candidateFiles,
    source: inventory.source,
    warnings: [...groundingWarnings(inventory, selection, budget), ...ranking.warnings, ...fingerprint.warnings],
    budget,
  });
}

function checkInput(input: GroundingInput): Budget {
  if (!Id.safeParse(input.runId).success) {
    throw new GroundingError('invalid_arguments', 'The run id is not an identifier.', [
      'Give 1 to 128 letters, digits, ".", "_", ":" or "-", a letter or digit first.',
    ]);
  }
  if (input.request.length === 0 || input.request.length > longestRequest) {
    throw new GroundingError('invalid_arguments', `The request has ${input.request.length} characters.`, [
      `Give 1 to ${longestRequest} characters.`,
    ]);
  }
  if (input.excludedRoots.length > mostExcludedRoots || !input.excludedRoots.every((root) => isAbsolute(root))) {
    throw new GroundingError('invalid_arguments', 'The excluded roots are too many or not absolute.', [
      `Give at most ${mostExcludedRoots} absolute directories.`,
    ]);
  }
  return resolveBudget(input.budget);
}

function checkRoot(given: string): string {
  if (given === '' || given.length > longestRoot) {
    throw new GroundingError('invalid_arguments', `The repository root has ${given.length} characters.`, [
      `Give the path of a directory in 1 to ${longestRoot} characters.`,
    ]);
  }
  const root = realDirectory(given);
  if (root === null) {
    throw new GroundingError('invalid_arguments', `The repository root ${given} is not a directory that can be read.`, [
      'Name an existing directory.',
    ]);
  }
  if (isGitOwnDirectory(root)) {
    throw new GroundingError(
      'repository_not_configured',
      `The repository root ${root} belongs to Git itself (a bare repository, or inside one): there is no work tree to ground.`,
      ['Bind the server to a work tree: a clone, or a directory that "git worktree add" made.'],
    );
  }
  return root;
}

/** The root instruction files that exist, whether or not ignore rules hide them. */
async function rootInstructions(root: string): Promise<ReadonlySet<string>> {
  const found = await Promise.all(
    rootInstructionPaths.map(async (path) => {
      const entry = await lstat(join(root, path)).catch(() => null);
      return entry === null || entry.isDirectory() ? [] : [path];
    }),
  );
  return new Set(found.flat());
}

function withSlashes(path: string): string {
  return path.split(sep).join('/');
}

function addCounts(
  first: ReadonlyMap<ExclusionReason, number>,
  second: ReadonlyMap<ExclusionReason, number>,
): ReadonlyMap<ExclusionReason, number> {
  const sum = new Map(first);
  for (const [reason, count] of second) sum.set(reason, (sum.get(reason) ?? 0) + count);
  return sum;
}
