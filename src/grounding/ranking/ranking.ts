import type { ContentScore } from '../content/contentRanking.ts';
import type { Origin } from '../git/attributes.ts';
import { instructedChain, instructedDirectory } from '../instructions.ts';
import type { ListedFile } from '../inventory/inventoryCollector.ts';
import { baseName, byCodeUnit, directoriesAbove, directoryOf } from '../paths.ts';
import { type RequestTerms, takeOtherWords, tokensOf } from '../requestTerms.ts';
import { lowValueByName } from './lowValue.ts';
import { describesDirectory } from './packages.ts';
import { ciTerm, configuresCi } from './pipelines.ts';

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
  /** Named alone or by a stack trace: as good as a path that the request spells out, and counted once for both. */
  traced: 5_000,
  /** Changed since HEAD: what somebody is working on, behind what any term speaks for in a name. */
  changed: 100,
  /** A manifest or README on the way from an active path to the root. */
  onTheWay: 100,
} as const;

const mostPoints = 10_000_000;
const noPoints = {};
const none: readonly string[] = [];
/** Below the 4,096 of the field, with room for the word of the attributes. */
const mostReasonBytes = 4000;
const longestDirectory = 300;
const mostHintsNamed = 3;
const mostTermsNamed = 5;

/** What a file got points for; `demoted` is what it lost. */
export type Feature =
  | 'pinned'
  | 'active'
  | 'adjacent'
  | 'hints'
  | 'trace'
  | 'baseTerms'
  | 'pathTerms'
  | 'changed'
  | 'onTheWay'
  | 'metadata'
  | 'otherInstruction'
  | 'content'
  | 'demoted';

export interface RankedFile extends ListedFile {
  readonly score: number;
  /** The points of each feature that gave or took any. */
  readonly points?: Readonly<Partial<Record<Feature, number>>>;
  /** Made by a tool or copied from elsewhere: never selected when nothing speaks for it. */
  readonly neverFills?: boolean;
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
  /** Paths that the request names alone or in a stack trace. */
  readonly traced?: ReadonlySet<string>;
  /** Paths that differ from HEAD. */
  readonly changed?: ReadonlySet<string>;
}

/**
 * Orders the files by what their names say: score descending, then path by code unit. Pure, and independent of the
 * order of the input; O(paths × depth), whatever the number of terms, hints and active paths.
 * Rules: grounding sections 5, 6, 13.4 to 13.6.
 */
export function rankFiles({ files, request, active, traced, changed }: RankingInput): RankedFile[] {
  const aboveActive = new Set([...active].flatMap(directoriesAbove));
  const spelledOut = hintedPaths(files, request.hints);
  const chain = instructedChain([...active, ...request.hints, ...spelledOut]);

  const order = new Map([...request.terms, ...(request.words ?? [])].map((term, index) => [term, index]));
  /** The terms of the request that a text has as tokens, in the order of the request. */
  const wanted = (text: string): readonly string[] => {
    const { words, rest } = takeOtherWords(text);
    const found = [...tokensOf(rest), ...words].filter((token) => order.has(token));
    if (found.length === 0) return none;
    return [...new Set(found)].sort((left, right) => (order.get(left) ?? 0) - (order.get(right) ?? 0));
  };
  const aboutCi = order.has(ciTerm);
  /** Files share their directories: what these say is found out once. */
  const byDirectory = new Map<string, readonly string[]>();
  const wantedOfDirectory = (directory: string): readonly string[] => {
    const known = byDirectory.get(directory);
    if (known !== undefined) return known;
    const found = wanted(directory);
    byDirectory.set(directory, found);
    return found;
  };

  const rank = (file: ListedFile): RankedFile => {
    const { path } = file;
    const instructed = instructedDirectory(path, file.tracked);
    const applies = instructed !== null && chain.has(instructed.toLowerCase());
    const named = active.has(path);
    const pinned = applies || named;
    const adjacent = !named && isAdjacent(path, active, aboveActive);
    const hints =
      request.hints.size === 0 ? none : tailsOf(path.toLowerCase()).filter((tail) => request.hints.has(tail));
    const inName = wanted(baseName(path));
    const inBase = aboutCi && configuresCi(path) && !inName.includes(ciTerm) ? [...inName, ciTerm] : inName;
    const ofDirectory = wantedOfDirectory(directoryOf(path));
    const inPath = inBase.length === 0 ? ofDirectory : ofDirectory.filter((token) => !inBase.includes(token));
    const metadata = isRootMetadata(path);
    const inTrace = traced?.has(path) === true;
    const isChanged = changed?.has(path) === true;
    const onTheWay = aboveActive.size > 0 && aboveActive.has(directoryOf(path)) && describesDirectory(path);

    const nothing =
      inPath.length + inBase.length + hints.length === 0 &&
      !(pinned || adjacent || inTrace || isChanged || onTheWay || metadata) &&
      instructed === null;
    // Most files of a large repository.
    if (nothing) {
      return {
        path,
        tracked: file.tracked,
        score: 0,
        points: noPoints,
        pinned,
        named,
        reason: fallbackReason,
        instructionScope: null,
      };
    }

    const given: [Feature, number][] = [
      ['pinned', pinned ? points.pinned : 0],
      ['active', named ? points.active : 0],
      ['adjacent', adjacent ? points.adjacent : 0],
      ['hints', hints.length * points.hint],
      ['trace', inTrace && hints.length === 0 ? points.traced : 0],
      ['baseTerms', inBase.length * points.baseTerm],
      ['pathTerms', inPath.length * points.pathTerm],
      ['changed', isChanged ? points.changed : 0],
      ['onTheWay', onTheWay ? points.onTheWay : 0],
      ['metadata', metadata ? points.metadata : 0],
      ['otherInstruction', instructed !== null && !applies ? points.otherInstruction : 0],
    ];
    const score = given.reduce((sum, [, value]) => sum + value, 0);

    const reason = (): string => {
      if (applies) return `Repository instruction for ${directoryName(instructed)}.`;
      if (named) return 'Active path, named exactly.';
      if (hints.length > 0) return `The request spells out the path: ${hints.slice(0, mostHintsNamed).join(', ')}.`;
      if (inTrace) return 'The request names it, alone or in a stack trace.';
      const terms = [...inBase, ...inPath];
      if (terms.length > 0)
        return `The path matches terms of the request: ${terms.slice(0, mostTermsNamed).join(', ')}.`;
      if (adjacent) return 'Next to an active path.';
      if (onTheWay) return 'Describes a directory above an active path.';
      if (isChanged) return 'Changed since the last commit.';
      if (metadata) return 'Project metadata at the root.';
      if (instructed !== null) return 'Repository instruction for other paths.';
      return fallbackReason;
    };
    return {
      ...file,
      score: Math.min(score, mostPoints),
      points: score === 0 ? noPoints : Object.fromEntries(given.filter(([, value]) => value !== 0)),
      pinned,
      named,
      reason: reason(),
      instructionScope: applies ? directoryOf(path) : null,
    };
  };
  return files.map(rank).sort(byScore);
}

/** Score descending, then path by code unit. */
export function byScore(left: RankedFile, right: RankedFile): number {
  return right.score - left.score || byCodeUnit(left.path, right.path);
}

const fallbackReason = 'Fallback: nothing in the path speaks for or against it.';

/**
 * A file with what its content says: more points, and a reason that names what matched. What is pinned stays as it is.
 */
export function withContent(file: RankedFile, { points: more, matches }: ContentScore): RankedFile {
  if (file.pinned) return file;
  const evidence = `content matches: ${matches.join(', ')}.`;
  const reason = file.score === 0 ? `The ${evidence}` : `${file.reason.slice(0, -1)}; ${evidence}`;
  return {
    ...file,
    score: Math.min(file.score + more, mostPoints),
    points: { ...file.points, content: more },
    // Long hints and phrases made of escapes together would not fit into the field.
    reason: Buffer.byteLength(reason) > mostReasonBytes ? file.reason : reason,
  };
}

/** A generated or vendored file: nine tenths of its points are lost, and it never fills a selection. */
export function demoted(file: RankedFile, origin: Origin): RankedFile {
  if (file.pinned) return file;
  const score = Math.floor(file.score / 10);
  return {
    ...file,
    score,
    points: score === file.score ? (file.points ?? noPoints) : { ...file.points, demoted: score - file.score },
    neverFills: true,
    reason: file.score === 0 ? file.reason : `${file.reason.slice(0, -1)}; ${origin} by its attributes.`,
  };
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

const metadataNames = new Set(['package.json', 'pyproject.toml', 'cargo.toml', 'go.mod', 'readme', 'tsconfig.json']);

function isRootMetadata(path: string): boolean {
  if (path.includes('/') || lowValueByName(path)) return false;
  const lower = path.toLowerCase();
  return metadataNames.has(lower) || lower.startsWith('readme.') || /^tsconfig\..+\.json$/.test(lower);
}

function directoryName(directory: string): string {
  if (directory === '.') return 'the whole repository';
  // A name made of escapes would not fit into the field.
  const shown = directory.length > longestDirectory ? `${directory.slice(0, longestDirectory)}…` : directory;
  return `the directory ${JSON.stringify(shown)}`;
}
