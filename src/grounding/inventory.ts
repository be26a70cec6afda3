import type { InventorySource } from '../../schemas/artifacts/controller.ts';
import type { Environment } from './command.ts';
import { collectFilesystem } from './filesystemInventory.ts';
import type { Git } from './git.ts';
import { collectGit } from './gitInventory.ts';
import { createCollector, type Inventory, type InventoryRules } from './inventoryCollector.ts';
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
}

/**
 * Lists the files of a repository: by Git, else by ripgrep, else by a walk; the first that succeeds is named, and each
 * fallback says why in one warning. Throws only the reason of an aborted signal. Rule: grounding section 3.
 */
export async function takeInventory(input: InventoryInput): Promise<NamedInventory> {
  const collector = () => createCollector(input.rules, input.onProgress);
  let whyNotGit = 'Git is not installed';
  if (input.git !== null) {
    const collected = collector();
    const listing = await collectGit(input.git, input.root, collected);
    if (listing.usable) {
      const cut = listing.failure === null ? [] : [`The listing by Git is incomplete: ${listing.failure}.`];
      return { ...collected.finish(), source: 'git', warnings: [...listing.notes, ...cut] };
    }
    whyNotGit = listing.failure ?? 'it listed nothing';
  }

  const byRipgrep = collector();
  const ripgrep = await collectRipgrep(input, byRipgrep);
  if (ripgrep === 'listed') {
    return {
      ...byRipgrep.finish(),
      source: 'ripgrep',
      warnings: [`Git could not list the files (${whyNotGit}); ripgrep listed them, by the ignore rules it knows.`],
    };
  }

  const byWalk = collector();
  const walk = await collectFilesystem(input, byWalk);
  const why = ripgrep === 'missing' ? 'ripgrep is not installed' : 'ripgrep failed';
  return {
    ...byWalk.finish(),
    source: 'filesystem',
    warnings: [
      `Neither Git (${whyNotGit}) nor ripgrep (${why}) could list the files; the directories were walked, by the .gitignore files in them.`,
      ...(walk.complete
        ? []
        : [`The walk stopped after ${input.rules.maximum + 1} files; how many more there are is not known.`]),
    ],
  };
}
