import { createHash } from 'node:crypto';
import { byCodeUnit } from '../paths.ts';
import { type Git, overrule, whyGitFailed } from './git.ts';
import type { Place } from './place.ts';
import { splitAtNul } from './splitAtNul.ts';

export interface Fingerprint {
  readonly headCommit: string | null;
  readonly dirtyWorktreeHash: string;
  readonly warnings: readonly string[];
}

/** What Git says of the work tree before anything of it was read. */
export interface WorkTree {
  readonly headCommit: string | null;
  readonly status: StatusHash;
  /** Tracked files that differ from the head, relative to the root; none without a head. */
  readonly changed: ReadonlySet<string>;
}

/** Beyond this a change is of the whole repository, and says nothing about one file. */
const mostChanged = 4096;

/**
 * Asks Git for the status, once for the fingerprint, the ranking and the untracked files of the inventory (their names
 * relative to the root): on a large work tree nothing else takes as long. Rules: grounding sections 3, 9 and 13.4.
 */
export async function readWorkTree(
  git: Git,
  whereabouts: Promise<Place>,
  onUntracked: (name: Buffer) => void = () => {},
): Promise<WorkTree> {
  const [filters, place] = await Promise.all([filterSettings(git), whereabouts]);
  const headCommit = place.ok ? place.headCommit : null;
  const failed = (why: string): WorkTree => ({ headCommit, status: { ok: false, why }, changed: new Set() });
  if (!place.ok) return failed(place.why);
  if (!filters.ok) return failed(filters.why);
  const prefix = Buffer.from(place.prefix);
  const changes: string[] = [];
  const status = await hashStatus(git, filters.settings, (record) => {
    // Git names all paths from the top of the work tree.
    const path = record.subarray(3);
    if (!path.subarray(0, prefix.length).equals(prefix)) return;
    const name = path.subarray(prefix.length);
    if (record[0] === 0x3f) onUntracked(name);
    else if (changes.length <= mostChanged) changes.push(name.toString('utf8'));
  });
  const known = status.ok && headCommit !== null && changes.length <= mostChanged;
  return { headCommit, status, changed: new Set(known ? changes : []) };
}

/**
 * The state of the work tree that was grounded. Takes what Git said of it (null when the inventory came from
 * elsewhere), the paths of the inventory and the hashes of the files that were read. Pure. Rule: grounding section 9.
 */
export function takeFingerprint(
  workTree: WorkTree | null,
  inventory: readonly string[],
  hashes: ReadonlyMap<string, string>,
): Fingerprint {
  if (workTree === null) {
    return {
      headCommit: null,
      dirtyWorktreeHash: hashWithoutGit(inventory, hashes),
      warnings: ['The fingerprint was taken without Git: only the files that were read show a change of content.'],
    };
  }
  const { headCommit, status } = workTree;
  if (status.ok) {
    const read = [...hashes].sort(([left], [right]) => byCodeUnit(left, right));
    const hash = status.hash.copy().update(read.map(([path, of]) => `${path}\0${of}`).join('\0'));
    return { headCommit, dirtyWorktreeHash: `sha256:${hash.digest('hex')}`, warnings: [] };
  }
  return {
    headCommit,
    dirtyWorktreeHash: hashWithoutGit(inventory, hashes),
    warnings: [
      `The status of the work tree is unavailable (${status.why}): only the files that were read show a change of content, and ranking does not know what changed.`,
    ],
  };
}

function hashWithoutGit(inventory: readonly string[], hashes: ReadonlyMap<string, string>): string {
  const hash = createHash('sha256');
  for (const [index, path] of [...inventory].sort(byCodeUnit).entries()) {
    hash.update(`${index === 0 ? '' : '\0'}${path}\0${hashes.get(path) ?? 'unread'}`);
  }
  return `sha256:${hash.digest('hex')}`;
}

type StatusHash =
  | { readonly ok: true; readonly hash: ReturnType<typeof createHash> }
  | { readonly ok: false; readonly why: string };

/**
 * Hashes `git status` as it comes, bound to the root. Filters that the repository's configuration names would run on
 * files whose time stamps changed, and those of a submodule, which does not see our settings, on its files: the first
 * are emptied one by one, the second are not asked (trap T25).
 */
async function hashStatus(git: Git, settings: readonly string[], take: (record: Buffer) => void): Promise<StatusHash> {
  const hash = createHash('sha256');
  const args = ['status', '--porcelain=v1', '-z', '--untracked-files=all', '--no-renames', '--ignore-submodules=dirty'];
  const records = splitAtNul(take);
  const end = await git.stream([...settings, ...args, '--', '.'], (chunk) => {
    hash.update(chunk);
    records(chunk);
  });
  return end.kind === 'exited' && end.status === 0 ? { ok: true, hash } : { ok: false, why: whyGitFailed(end) };
}

type FilterSettings =
  | { readonly ok: true; readonly settings: readonly string[] }
  | { readonly ok: false; readonly why: string };

/**
 * The arguments of Git that keep a command from running the filters which the repository's configuration names (trap
 * T25), or why that cannot be done. Reading the configuration runs nothing; status 1 means that no filter is
 * configured.
 */
export async function filterSettings(git: Git): Promise<FilterSettings> {
  const { end, output } = await git.capture(['config', '-z', '--name-only', '--get-regexp', '^filter\\.']);
  if (end.kind !== 'exited' || end.status > 1 || end.status < 0) return { ok: false, why: whyGitFailed(end) };
  const keys = output
    .toString('utf8')
    .split('\0')
    .filter((key) => key !== '');
  const names = new Set(keys.map((key) => key.slice('filter.'.length, key.lastIndexOf('.'))));
  const settings: string[] = [];
  for (const name of names) {
    // Arguments are text: other bytes cannot be passed.
    if (name.includes('\ufffd')) return { ok: false, why: 'a filter has a name that cannot be overruled' };
    for (const part of ['clean', 'smudge', 'process']) settings.push(...overrule(`filter.${name}.${part}`, ''));
    settings.push(...overrule(`filter.${name}.required`, 'false'));
  }
  return { ok: true, settings };
}
