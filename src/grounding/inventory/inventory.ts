import type { InventorySource } from '../../../schemas/artifacts/controller.ts';
import type { Environment } from '../git/command.ts';
import { readWorkTree, type WorkTree } from '../git/fingerprint.ts';
import type { Git } from '../git/git.ts';
import { findPlace } from '../git/place.ts';
import { withSafeDirectories } from '../git/safeDirectories.ts';
import { collectFilesystem } from './filesystemInventory.ts';
import { collectGit, offerUntracked } from './gitInventory.ts';
import { type Collector, createCollector, type Inventory, type InventoryRules } from './inventoryCollector.ts';
import { collectRipgrep } from './ripgrepInventory.ts';

export interface InventoryInput {
  /** Real path. */
  readonly root: string;
  readonly git: Git | null;
  readonly env: Environment;
  readonly rules: InventoryRules;
  readonly signal?: AbortSignal | undefined;
  /** How long a walk may take. */
  readonly milliseconds?: number | undefined;
  readonly onProgress?: ((listed: number) => void) | undefined;
}

export interface NamedInventory extends Inventory {
  readonly source: InventorySource;
  readonly warnings: readonly string[];
  /** Git that listed the files, and what it says of the work tree; null when another source listed them. */
  readonly git: Git | null;
  readonly workTree: WorkTree | null;
}

/**
 * Lists the files of a repository: by Git, else by ripgrep, else by a walk; the first that succeeds is named, and each
 * fallback says why in one warning. Throws only the reason of an aborted signal. Rule: grounding section 3.
 */
export async function takeInventory(input: InventoryInput): Promise<NamedInventory> {
  const collector = () => createCollector(input.rules, input.onProgress);
  const listed = await takeByGit(input, collector);
  if ('files' in listed) return listed;

  const byRipgrep = collector();
  const ripgrep = await collectRipgrep(input, byRipgrep);
  if (ripgrep === 'listed') {
    return {
      ...byRipgrep.finish(),
      source: 'ripgrep',
      git: null,
      workTree: null,
      warnings: [`Git could not list the files (${listed.why}); ripgrep listed them, by the ignore rules it knows.`],
    };
  }

  const byWalk = collector();
  const walk = await collectFilesystem(input, byWalk);
  const why = ripgrep === 'missing' ? 'ripgrep is not installed' : 'ripgrep failed';
  return {
    ...byWalk.finish(),
    source: 'filesystem',
    git: null,
    workTree: null,
    warnings: [
      `Neither Git (${listed.why}) nor ripgrep (${why}) could list the files; the directories were walked, by the .gitignore files in them.`,
      ...(walk.stopped === null
        ? []
        : [`The walk stopped after ${walk.files} files (${walk.stopped}); how many more there are is not known.`]),
    ],
  };
}

/** A root is not widened without a word, and what is missing then not passed over in silence. */
const belowTop =
  'The root lies below the top of its Git repository: nothing above it is looked at, its instruction files included. Bind the top to ground all of it.';

type Listed = NamedInventory | { readonly why: string; readonly untrusted: boolean };

/** By Git, in a repository of another owner as far as the user trusts that one. */
async function takeByGit(input: InventoryInput, collector: () => Collector): Promise<Listed> {
  if (input.git === null) return { why: 'no Git was found outside of the repository', untrusted: false };
  const listed = await takeFromGit(input.git, input.root, collector);
  if ('files' in listed || !listed.untrusted) return listed;
  const trusting = await withSafeDirectories(input.git, input);
  return trusting === null ? listed : takeFromGit(trusting, input.root, collector);
}

/**
 * The inventory by Git, or why it gives none. The status tells of untracked files what a listing would: asking for both
 * would walk all directories twice. Only where there is no status is the listing asked for them.
 */
async function takeFromGit(git: Git, root: string, collector: () => Collector): Promise<Listed> {
  const whereabouts = findPlace(git, root);
  let collected = collector();
  const both = await Promise.all([
    readWorkTree(git, whereabouts, (name) => offerUntracked(collected, name)),
    collectGit(git, root, collected, 'tracked only'),
  ]);
  const [workTree] = both;
  let [, listing] = both;
  const place = await whereabouts;
  if (!place.ok) return place;
  if (!workTree.status.ok) {
    const second = collector();
    const whole = await collectGit(git, root, second, 'with untracked');
    // All that is tracked is more than a part of all.
    if (whole.failure !== null && listing.failure === null && listing.listed > 0) {
      listing = { ...listing, failure: whole.failure };
    } else {
      listing = whole;
      collected = second;
    }
  }
  if (listing.failure !== null && listing.listed === 0) return { why: listing.failure, untrusted: false };
  // Somebody keeps the directories above this one in Git, and this one out.
  const nothing = listing.listed === 0 && collected.listed() === 0;
  if (nothing && place.prefix !== '') {
    return { why: 'it lists nothing in this directory of its work tree', untrusted: false };
  }
  const cut = listing.failure === null ? [] : [`The listing by Git is incomplete: ${listing.failure}.`];
  const below = place.prefix === '' ? [] : [belowTop];
  return { ...collected.finish(), source: 'git', warnings: [...below, ...listing.notes, ...cut], git, workTree };
}
