import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { excludedDirectoryNames } from './exclusions.ts';
import type { Collector, InventoryRules } from './inventoryCollector.ts';

const skipped = new Set(excludedDirectoryNames);
/** A longer path has no reference, so nothing below it could be selected. */
const longestPrefix = 4096;
const slash = Buffer.from('/');

/**
 * Lists by walking: depth first, names in the order of their bytes, links not followed, generated directories not
 * entered, and no further than one file more than the budget. Rule: grounding section 3.
 */
export async function collectFilesystem(
  input: { readonly root: string; readonly rules: InventoryRules; readonly signal?: AbortSignal | undefined },
  collector: Collector,
): Promise<{ readonly complete: boolean }> {
  const { root, rules } = input;
  const rootBytes = Buffer.from(`${root}/`, 'utf8');
  /** What is still to do, the next on top. */
  const pending: { readonly path: Buffer; readonly directory: boolean }[] = [];
  const open = async (path: Buffer): Promise<void> => {
    const entries = await entriesOf(Buffer.concat([rootBytes, path]));
    if (entries === null) {
      collector.count('unreadable_file');
      return;
    }
    entries.sort((left, right) => Buffer.compare(right.name, left.name));
    for (const entry of entries) {
      const directory = entry.isDirectory();
      if (directory && skipped.has(entry.name.toString('utf8').toLowerCase())) continue;
      const prefix = path.length === 0 ? [] : [path, slash];
      pending.push({ path: Buffer.concat([...prefix, entry.name]), directory });
    }
  };

  let files = 0;
  await open(Buffer.alloc(0));
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    input.signal?.throwIfAborted();
    if (!next.directory) {
      if (files > rules.maximum) return { complete: false };
      files += 1;
      collector.offer(next.path, false);
      continue;
    }
    const name = next.path.toString('utf8');
    if (rules.excludedDirectories.includes(name)) continue;
    if (next.path.length > longestPrefix || !Buffer.from(name, 'utf8').equals(next.path)) {
      collector.offerDirectory(next.path);
      continue;
    }
    await open(next.path);
  }
  return { complete: true };
}

async function entriesOf(directory: Buffer): Promise<Dirent<Buffer>[] | null> {
  // A directory that is closed to us, or gone since it was listed, is counted and left.
  return readdir(directory, { withFileTypes: true, encoding: 'buffer' }).catch(() => null);
}
