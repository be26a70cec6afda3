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
 * of the repository is run (trap T25). Rule: grounding section 13.4.
 */
export async function takeChangedFiles(git: Git): Promise<ChangedFiles> {
  const filters = await filterSettings(git);
  if (!filters.ok) return unknown(filters.why);
  const paths = new Set<string>();
  const records = splitAtNul((record) => {
    if (paths.size <= mostChanged) paths.add(record.toString('utf8'));
  });
  const args = ['diff', '--name-only', '-z', '--no-renames', '--no-ext-diff', '--no-textconv', '--relative'];
  const end = await git.stream([...filters.settings, ...args, '--ignore-submodules=all', 'HEAD', '--'], records);
  if (end.kind !== 'exited') return unknown(whyGitFailed(end));
  // Without a commit there is no HEAD, and nothing that could have changed.
  if (end.status !== 0 || paths.size > mostChanged) return { paths: new Set(), warnings: [] };
  return { paths, warnings: [] };
}

function unknown(why: string): ChangedFiles {
  return { paths: new Set(), warnings: [`Which files changed since HEAD is unknown (${why}); ranking went without.`] };
}
