import { filterSettings } from './fingerprint.ts';
import { type Git, whyGitFailed } from './git.ts';
import { splitAtNul } from './gitInventory.ts';

export interface ChangedFiles {
  /** Relative to the root. */
  readonly paths: ReadonlySet<string>;
  readonly warnings: readonly string[];
}

/** Beyond this a change is of the whole repository, and says nothing about one file. */
const mostChanged = 4096;

/**
 * The tracked files that differ from HEAD, staged or not. None without a commit. No filter, external diff or conversion
 * of the repository is run (trap T25). Asked of `status`, for `diff` takes the lock of the index to refresh it, whatever
 * the environment says (trap T24). Rule: grounding section 13.4.
 */
export async function takeChangedFiles(git: Git): Promise<ChangedFiles> {
  const filters = await filterSettings(git);
  if (!filters.ok) return unknown(filters.why);
  const paths = new Set<string>();
  // The way from the top of the work tree to the root: `status` names files from the top.
  const place = await git.capture(['rev-parse', '--show-prefix', 'HEAD']);
  if (place.end.kind !== 'exited') return unknown(whyGitFailed(place.end));
  // Without a commit there is no HEAD, and nothing that could have changed.
  if (place.end.status !== 0) return { paths, warnings: [] };
  const above = place.output.toString('utf8').replace(/\n[a-f0-9]+\n$/, '');
  const records = splitAtNul((record) => {
    const path = record.subarray(3).toString('utf8');
    if (paths.size <= mostChanged && path.startsWith(above)) paths.add(path.slice(above.length));
  });
  const args = ['status', '--porcelain=v1', '-z', '--untracked-files=no', '--no-renames', '--ignore-submodules=all'];
  const end = await git.stream([...filters.settings, ...args, '--', '.'], records);
  if (end.kind !== 'exited') return unknown(whyGitFailed(end));
  if (end.status !== 0 || paths.size > mostChanged) return { paths: new Set(), warnings: [] };
  return { paths, warnings: [] };
}

function unknown(why: string): ChangedFiles {
  return { paths: new Set(), warnings: [`Which files changed since HEAD is unknown (${why}); ranking went without.`] };
}
