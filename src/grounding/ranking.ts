import { instructedChain, instructedDirectory } from './instructions.ts';
import type { ListedFile } from './inventoryCollector.ts';
import { baseName, byCodeUnit, directoriesAbove, directoryOf } from './paths.ts';
import { type RequestTerms, tokensOf } from './requestTerms.ts';

/** Points of grounding section 6. A pinned file outranks whatever names and terms can add up to. */
const points = {
  pinned: 1_000_000,
  active: 50_000,
  adjacent: 10_000,
  hint: 5_000,
  baseTerm: 250,
  pathTerm: 75,
  /** An instruction file of another directory: read before what nothing speaks for, after what terms speak for. */
  otherInstruction: 200,
  metadata: 20,
  most: 10_000_000,
} as const;

const mostHintsNamed = 3;
const mostTermsNamed = 5;

export interface RankedFile extends ListedFile {
  readonly score: number;
  readonly pinned: boolean;
  /** Named by the caller as an active path. */
  readonly named: boolean;
  readonly reason: string;
  /** The directory of an applicable instruction file, `.` at the root; null for any other file. */
  readonly instructionScope: string | null;
}

export interface RankingInput {
  readonly files: readonly ListedFile[];
  readonly request: RequestTerms;
  /** Active paths, directories included; `''` is the root. */
  readonly active: ReadonlySet<string>;
}

/**
 * Orders the files by what their names say: score descending, then path by code unit. Pure, and independent of the
 * order of the input; O(paths × depth), whatever the number of terms, hints and active paths.
 * Rules: grounding sections 5 and 6.
 */
export function rankFiles({ files, request, active }: RankingInput): RankedFile[] {
  const aboveActive = new Set([...active].flatMap(directoriesAbove));
  const spelledOut = hintedPaths(files, request.hints);
  const chain = instructedChain([...active, ...request.hints, ...spelledOut]);

  const order = new Map([...request.terms].map((term, index) => [term, index]));
  /** The tokens that are terms of the request, in the order of the request. */
  const wanted = (tokens: ReadonlySet<string>): string[] =>
    [...tokens]
      .filter((token) => order.has(token))
      .sort((left, right) => (order.get(left) ?? 0) - (order.get(right) ?? 0));

  const rank = (file: ListedFile): RankedFile => {
    const { path } = file;
    const instructed = instructedDirectory(path, file.tracked);
    const applies = instructed !== null && chain.has(instructed.toLowerCase());
    const named = active.has(path);
    const pinned = applies || named;
    const adjacent = !named && isAdjacent(path, active, aboveActive);
    const hints = tailsOf(path.toLowerCase()).filter((tail) => request.hints.has(tail));
    const base = new Set(tokensOf(baseName(path)));
    const inBase = wanted(base);
    const inPath = wanted(new Set(tokensOf(directoryOf(path)))).filter((token) => !base.has(token));
    const metadata = isRootMetadata(path);

    let score = pinned ? points.pinned : 0;
    if (named) score += points.active;
    else if (adjacent) score += points.adjacent;
    score += hints.length * points.hint + inBase.length * points.baseTerm + inPath.length * points.pathTerm;
    if (metadata) score += points.metadata;
    if (instructed !== null && !applies) score += points.otherInstruction;

    const reason = (): string => {
      if (applies) return `Repository instruction for ${directoryName(instructed)}.`;
      if (named) return 'Active path, named exactly.';
      if (hints.length > 0) return `The request spells out the path: ${hints.slice(0, mostHintsNamed).join(', ')}.`;
      const terms = [...inBase, ...inPath];
      if (terms.length > 0)
        return `The path matches terms of the request: ${terms.slice(0, mostTermsNamed).join(', ')}.`;
      if (adjacent) return 'Next to an active path.';
      if (metadata) return 'Project metadata at the root.';
      if (instructed !== null) return 'Repository instruction for other paths.';
      return 'Fallback: nothing in the path speaks for or against it.';
    };
    return {
      ...file,
      score: Math.min(score, points.most),
      pinned,
      named,
      reason: reason(),
      instructionScope: applies ? directoryOf(path) : null,
    };
  };
  return files.map(rank).sort((left, right) => right.score - left.score || byCodeUnit(left.path, right.path));
}

/** The files that a hint names beyond doubt: by the whole path, or by a tail that no other file has. */
function hintedPaths(files: readonly ListedFile[], hints: ReadonlySet<string>): string[] {
  if (hints.size === 0) return [];
  const matches = new Map<string, string[]>();
  for (const { path } of files) {
    const lower = path.toLowerCase();
    for (const tail of tailsOf(lower)) {
      if (!hints.has(tail)) continue;
      const known = matches.get(tail) ?? [];
      if (known.length < 2) matches.set(tail, [...known, path]);
    }
  }
  return [...matches.values()].flatMap((paths) => (paths.length === 1 ? paths : []));
}

/** A path and each of its tails after a slash, the longest first. */
function tailsOf(path: string): string[] {
  const tails = [path];
  for (let slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1))
    tails.push(path.slice(slash + 1));
  return tails;
}

function isAdjacent(path: string, active: ReadonlySet<string>, aboveActive: ReadonlySet<string>): boolean {
  if (active.size === 0) return false;
  return active.has('') || aboveActive.has(path) || directoriesAbove(path).some((directory) => active.has(directory));
}

const metadataNames = new Set([
  'package.json',
  'package-lock.json',
  'pyproject.toml',
  'cargo.toml',
  'go.mod',
  'readme',
  'tsconfig.json',
]);

function isRootMetadata(path: string): boolean {
  if (path.includes('/')) return false;
  const lower = path.toLowerCase();
  return metadataNames.has(lower) || lower.startsWith('readme.') || /^tsconfig\..+\.json$/.test(lower);
}

function directoryName(directory: string): string {
  return directory === '.' ? 'the whole repository' : `the directory ${JSON.stringify(directory)}`;
}
