import { createHash } from 'node:crypto';
import { type Git, whyGitFailed } from './git.ts';
import { byCodeUnit } from './paths.ts';

export interface Fingerprint {
  readonly headCommit: string | null;
  readonly dirtyWorktreeHash: string;
  readonly warnings: readonly string[];
}

/**
 * The state of the work tree that was grounded. Takes Git (null when the inventory came from elsewhere), the paths of
 * the inventory and the hashes of the files that were read. Rule: grounding section 9.
 */
export async function takeFingerprint(
  git: Git | null,
  inventory: readonly string[],
  hashes: ReadonlyMap<string, string>,
): Promise<Fingerprint> {
  if (git === null) {
    return {
      headCommit: null,
      dirtyWorktreeHash: hashWithoutGit(inventory, hashes),
      warnings: ['The fingerprint was taken without Git: only the files that were read show a change of content.'],
    };
  }
  const headCommit = await headOf(git);
  const status = await hashStatus(git);
  if (status.ok) {
    const read = [...hashes].sort(([left], [right]) => byCodeUnit(left, right));
    status.hash.update(read.map(([path, hash]) => `${path}\0${hash}`).join('\0'));
    return { headCommit, dirtyWorktreeHash: `sha256:${status.hash.digest('hex')}`, warnings: [] };
  }
  return {
    headCommit,
    dirtyWorktreeHash: hashWithoutGit(inventory, hashes),
    warnings: [
      `The status of the work tree is unavailable (${status.why}): only the files that were read show a change of content.`,
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

async function headOf(git: Git): Promise<string | null> {
  const { end, output } = await git.capture(['rev-parse', '--verify', '--quiet', 'HEAD']);
  const commit = output.toString('latin1').trim();
  return end.kind === 'exited' && end.status === 0 && /^[a-f0-9]{40,64}$/.test(commit) ? commit : null;
}

type StatusHash =
  | { readonly ok: true; readonly hash: ReturnType<typeof createHash> }
  | { readonly ok: false; readonly why: string };

/**
 * Hashes `git status` as it comes, bound to the root. Filters that the repository's configuration names would run on
 * files whose time stamps changed, and those of a submodule, which does not see our settings, on its files: the first
 * are emptied one by one, the second are not asked (trap T25).
 */
async function hashStatus(git: Git): Promise<StatusHash> {
  const filters = await filterSettings(git);
  if (!filters.ok) return filters;
  const hash = createHash('sha256');
  const args = ['status', '--porcelain=v1', '-z', '--untracked-files=all', '--no-renames', '--ignore-submodules=dirty'];
  const end = await git.stream([...filters.settings, ...args, '--', '.'], (chunk) => hash.update(chunk));
  return end.kind === 'exited' && end.status === 0 ? { ok: true, hash } : { ok: false, why: whyGitFailed(end) };
}

type FilterSettings =
  | { readonly ok: true; readonly settings: readonly string[] }
  | { readonly ok: false; readonly why: string };

/**
 * The arguments of Git that keep a command from running the filters which the repository's configuration names (trap
 * T25), or why that cannot be done. Reading the configuration runs nothing; status 1 means that no filter is configured.
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
    // On the command line the first equals sign ends the key: such a filter could not be switched off.
    if (name.includes('=') || name.includes('\ufffd'))
      return { ok: false, why: 'a filter has a name that cannot be overruled' };
    for (const value of ['clean=', 'smudge=', 'process=', 'required=false'])
      settings.push('-c', `filter.${name}.${value}`);
  }
  return { ok: true, settings };
}
