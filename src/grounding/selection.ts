import type { ExclusionReason } from '../../schemas/artifacts/controller.ts';
import type { Budget } from './budget.ts';
import { repoRef } from './paths.ts';
import type { RankedFile } from './ranking/ranking.ts';
import {
  type ReadFile,
  type ReadingRules,
  readRepositoryFile,
  type UnreadFile,
  type UnreadKind,
} from './reading/readFile.ts';

export interface SelectedFile extends RankedFile {
  readonly contentHash: string;
  readonly sizeBytes: number;
  readonly content: string;
}

/** A pinned or active file that was left out as secret; the caller may be told of it by name. */
export interface SecretExclusion {
  readonly path: string;
  /** The pattern its content matched; null when it is a link to a file with a secret-like name. */
  readonly rule: string | null;
}

export interface Selection {
  readonly selected: readonly SelectedFile[];
  readonly excluded: ReadonlyMap<ExclusionReason, number>;
  /** Every file that was hashed, those that were then dropped included. */
  readonly hashes: ReadonlyMap<string, string>;
  readonly secretRules: ReadonlyMap<string, number>;
  readonly namedSecrets: readonly SecretExclusion[];
  /** Files that were left out for a reason that alone says too little. */
  readonly unreadKinds: ReadonlyMap<UnreadKind, number>;
}

export interface SelectionInput {
  readonly ranked: readonly RankedFile[];
  readonly budget: Budget;
  readonly reading: ReadingRules;
  /** How many files are read ahead; what is selected does not depend on it. */
  readonly readers?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((done: number) => void) | undefined;
  /** Told of each file that is not selected, with the pattern of `secret_content`; no manifest or log may show it. */
  readonly onExcluded?: ((path: string, reason: ExclusionReason, rule: string | null) => void) | undefined;
}

/** Files that nothing speaks for: a few show what the repository is, more would fill the budget. */
export const mostWithoutScore = 8;
/**
 * Files that were read and found too large for what is left of the bytes: smaller ones behind them may still fit, but
 * where a request speaks for everything, that would be a search of the whole repository.
 */
const mostWithoutRoom = 2000;
const defaultReaders = 8;
/** The manifest is one body of at most 2 MiB: 256 names made of escapes would not fit into it. */
const manifestBytes = 1_900_000;
/** Hash, ids, numbers and keys of one candidate. */
const entryOverhead = 1024;
const progressStep = 64;

/**
 * Walks the ranked list once; for each file the first rule that applies decides. Reads ahead, and decides in the order
 * of the list. Throws only the reason of an aborted signal. Rule: grounding section 7.
 */
export async function selectFiles(input: SelectionInput): Promise<Selection> {
  const { ranked, budget, reading, signal } = input;
  const readers = input.readers ?? defaultReaders;
  const selected: SelectedFile[] = [];
  const excluded = new Map<ExclusionReason, number>();
  const hashes = new Map<string, string>();
  const secretRules = new Map<string, number>();
  const namedSecrets: SecretExclusion[] = [];
  const unreadKinds = new Map<UnreadKind, number>();
  const taken = new Set<string>();
  const ahead = new Map<number, Promise<ReadFile | UnreadFile>>();
  let withoutScore = 0;
  let withoutRoom = 0;
  let bytes = 0;
  let described = 0;
  let ruleOfLast: string | null = null;

  const read = (index: number): Promise<ReadFile | UnreadFile> => {
    for (let next = index; next < Math.min(index + readers, ranked.length); next += 1) {
      const file = ranked[next];
      if (file !== undefined && !ahead.has(next)) ahead.set(next, readRepositoryFile(file.path, reading));
    }
    const started = ahead.get(index) ?? Promise.resolve<UnreadFile>({ ok: false, reason: 'unreadable_file' });
    ahead.delete(index);
    return started;
  };
  const reasonToSkip = (file: RankedFile): ExclusionReason | null => {
    if (!file.pinned && file.score === 0 && (file.neverFills === true || withoutScore >= mostWithoutScore))
      return 'low_relevance';
    if (selected.length >= budget.max_files) return 'file_count_budget';
    return withoutRoom >= mostWithoutRoom ? 'total_bytes_budget' : null;
  };
  const decide = async (file: RankedFile, index: number): Promise<ExclusionReason | null> => {
    ruleOfLast = null;
    const early = reasonToSkip(file);
    if (early !== null) return early;
    const result = await read(index);
    if (!result.ok) {
      if (result.rule !== undefined) {
        ruleOfLast = result.rule;
        secretRules.set(result.rule, (secretRules.get(result.rule) ?? 0) + 1);
      }
      const secret = result.reason === 'secret_content' || result.reason === 'secret_like_file';
      if (secret && file.pinned) namedSecrets.push({ path: file.path, rule: result.rule ?? null });
      if (result.kind !== undefined) unreadKinds.set(result.kind, (unreadKinds.get(result.kind) ?? 0) + 1);
      return result.reason;
    }
    hashes.set(file.path, result.contentHash);
    if (taken.has(result.contentHash)) return 'duplicate_content';
    if (bytes + result.sizeBytes > budget.max_total_bytes) {
      withoutRoom += 1;
      return 'total_bytes_budget';
    }
    const entry = manifestEntryBytes(file);
    if (described + entry > manifestBytes) return 'file_count_budget';
    const { contentHash, sizeBytes, content } = result;
    selected.push({ ...file, contentHash, sizeBytes, content });
    taken.add(contentHash);
    bytes += sizeBytes;
    described += entry;
    if (!file.pinned && file.score === 0) withoutScore += 1;
    return null;
  };

  for (const [index, file] of ranked.entries()) {
    signal?.throwIfAborted();
    const reason = await decide(file, index);
    if (reason !== null) {
      excluded.set(reason, (excluded.get(reason) ?? 0) + 1);
      input.onExcluded?.(file.path, reason, ruleOfLast);
    }
    if ((index + 1) % progressStep === 0 || index + 1 === ranked.length) input.onProgress?.(index + 1);
  }
  await Promise.all(ahead.values());
  return { selected, excluded, hashes, secretRules, namedSecrets, unreadKinds };
}

/** What a candidate takes in the manifest: its reference (twice when pinned), its path twice, its reason. */
function manifestEntryBytes({ path, reason }: RankedFile): number {
  const ref = repoRef(path);
  return Buffer.byteLength(JSON.stringify([ref, ref, path, path, reason])) + entryOverhead;
}
