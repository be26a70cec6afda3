import type { InventorySource } from '../../schemas/artifacts/controller.ts';
import type { Environment } from './command.ts';
import { collectFilesystem } from './filesystemInventory.ts';
import { readWorkTree, type WorkTree } from './fingerprint.ts';
import type { Git } from './git.ts';
import { collectGit, findPlace, offerUntracked } from './gitInventory.ts';
import { type Collector, createCollector, type Inventory, type InventoryRules } from './inventoryCollector.ts';
import { collectRipgrep } from './ripgrepInventory.ts';

export interface InventoryInput {
  /** Real path. */
  readonly root: string;
  readonly git: Git | null;
  readonly env: Environment;
  readonly rules: InventoryRules;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((listed: number) => void) | undefined;
}

export interface NamedInventory extends Inventory {
  readonly source: InventorySource;
  readonly warnings: readonly string[];
  /** What Git says of the work tree that it listed; null when another source listed it. */
  readonly workTree: WorkTree | null;
}

/**
 * Lists the files of a repository: by Git, else by ripgrep, else by a walk; the first that succeeds is named, and each
 * fallback says why in one warning. Throws only the reason of an aborted signal. Rule: grounding section 3.
 */
export async function takeInventory(input: InventoryInput): Promise<NamedInventory> {
  const collector = () => createCollector(input.rules, input.onProgress);
  const listed = input.git === null ? 'Git is not installed' : await takeFromGit(input.git, input.root, collector);
  if (typeof listed !== 'string') return listed;

  const byRipgrep = collector();
  const ripgrep = await collectRipgrep(input, byRipgrep);
  if (ripgrep === 'listed') {
    return {
      ...byRipgrep.finish(),
      source: 'ripgrep',
      workTree: null,
      warnings: [`Git could not list the files (${listed}); ripgrep listed them, by the ignore rules it knows.`],
    };
  }

  const byWalk = collector();
  const walk = await collectFilesystem(input, byWalk);
  const why = ripgrep === 'missing' ? 'ripgrep is not installed' : 'ripgrep failed';
  return {
    ...byWalk.finish(),
    source: 'filesystem',
    workTree: null,
    warnings: [
      `Neither Git (${listed}) nor ripgrep (${why}) could list the files; the directories were walked, by the .gitignore files in them.`,
      ...(walk.complete
        ? []
        : [`The walk stopped after ${input.rules.maximum + 1} files; how many more there are is not known.`]),
    ],
  };
}

/**
 * The inventory by Git, or why it gives none. The status tells of untracked files what a listing would: asking for both
 * would walk all directories twice. Only where there is no status is the listing asked for them.
 */
async function takeFromGit(git: Git, root: string, collector: () => Collector): Promise<NamedInventory | string> {
  const whereabouts = findPlace(git, root);
  let collected = collector();
  const both = await Promise.all([
    readWorkTree(git, whereabouts, (name) => offerUntracked(collected, name)),
    collectGit(git, root, collected, 'tracked only'),
  ]);
  const [workTree] = both;
  let [, listing] = both;
  const place = await whereabouts;
  if (!place.ok) return place.why;
  if (!workTree.status.ok) {
    collected = collector();
    listing = await collectGit(git, root, collected, 'with untracked');
  }
  if (listing.failure !== null && listing.listed === 0) return listing.failure;
  // Somebody keeps the directories above this one in Git, and this one out.
  const nothing = listing.listed === 0 && collected.listed() === 0;
  if (nothing && place.prefix !== '') return 'it lists nothing in this directory of its work tree';
  const cut = listing.failure === null ? [] : [`The listing by Git is incomplete: ${listing.failure}.`];
  return { ...collected.finish(), source: 'git', warnings: [...listing.notes, ...cut], workTree };
}
