import { constants, type Dirent } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { excludedDirectoryNames } from './exclusions.ts';
import { type IgnoreScope, isIgnored, parseIgnoreRules } from './ignoreRules.ts';
import type { Collector, InventoryRules } from './inventoryCollector.ts';

const skipped = new Set(excludedDirectoryNames);
/** A longer path has no reference, so nothing below it could be selected. */
const longestPrefix = 4096;
/** Longer files of rules, one below the other, are not read: no hand wrote them. */
const longestRules = 1_048_576;
/** As long as a command of Git may take: rules that are made to be slow would hold the walk for ever. */
const walkMilliseconds = 10_000;
/** Names between two looks at what else there is to do, an end by the caller among it. */
const breath = 256;
const unknown = Symbol('unknown');
const slash = Buffer.from('/');
const gitLayout = ['HEAD', 'objects', 'refs'];

interface Scope extends IgnoreScope {
  /** Of the text of these rules and of those above them. */
  readonly characters: number;
}

export interface Walk {
  readonly files: number;
  /** Why it stopped before the end, or null. */
  readonly stopped: string | null;
}

/**
 * Lists by walking: depth first, names in the order of their bytes, links not followed, generated directories and those
 * of Git not entered, what `.gitignore` files and `.git/info/exclude` hide left out, and no further than one file more
 * than the budget, nor longer than ten seconds. Rule: grounding section 3.
 */
export async function collectFilesystem(
  input: {
    readonly root: string;
    readonly rules: InventoryRules;
    readonly signal?: AbortSignal | undefined;
    readonly milliseconds?: number | undefined;
  },
  collector: Collector,
): Promise<Walk> {
  const { root, rules } = input;
  const until = performance.now() + (input.milliseconds ?? walkMilliseconds);
  let late = false;
  const isLate = (): boolean => {
    late ||= performance.now() > until;
    return late;
  };
  const rootBytes = Buffer.from(`${root}/`, 'utf8');
  /** What is still to do, the next on top. */
  const pending: { readonly path: Buffer; readonly directory: boolean; readonly scope: Scope | null }[] = [];
  const enter = async (path: Buffer, above: Scope | null): Promise<void> => {
    const entries = await entriesOf(Buffer.concat([rootBytes, path]));
    if (entries === null) {
      collector.count('unreadable_file');
      return;
    }
    const names = new Set(entries.map((entry) => entry.name.toString('utf8')));
    if (path.length > 0 && gitLayout.every((name) => names.has(name))) {
      collector.count('excluded_directory');
      return;
    }
    const prefix = path.length === 0 ? path : Buffer.concat([path, slash]);
    const own = names.has('.gitignore') ? await rulesOf(Buffer.concat([rootBytes, prefix, ignoreName])) : null;
    // What the user hides here is not known: nothing of it is read.
    const characters = (above?.characters ?? 0) + (typeof own === 'string' ? own.length : 0);
    if (own === unknown || characters > longestRules) {
      collector.count('unreadable_file');
      return;
    }
    const scope = own === null ? above : { prefix: prefix.length, rules: parseIgnoreRules(own), above, characters };
    entries.sort((left, right) => Buffer.compare(right.name, left.name));
    for (const [index, entry] of entries.entries()) {
      if (isLate()) return;
      if (index % breath === breath - 1) {
        await setImmediate();
        input.signal?.throwIfAborted();
      }
      const directory = entry.isDirectory();
      if (directory && skipped.has(entry.name.toString('utf8').toLowerCase())) continue;
      const inside = Buffer.concat([prefix, entry.name]);
      if (!isIgnored(inside.toString('latin1'), directory, scope)) pending.push({ path: inside, directory, scope });
    }
  };

  let files = 0;
  const excludes = await rulesOf(Buffer.concat([rootBytes, Buffer.from('.git/info/exclude')]));
  const outermost =
    excludes === null || excludes === unknown
      ? null
      : { prefix: 0, rules: parseIgnoreRules(excludes), above: null, characters: excludes.length };
  if (excludes === unknown) collector.count('unreadable_file');
  else await enter(Buffer.alloc(0), outermost);
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    input.signal?.throwIfAborted();
    if (isLate()) break;
    if (!next.directory) {
      if (files > rules.maximum) return { files, stopped: 'more than the budget takes' };
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
    await enter(next.path, next.scope);
  }
  return { files, stopped: late ? 'the time was over' : null };
}

const ignoreName = Buffer.from('.gitignore');

/**
 * No file of rules: nothing of that name, a link (which Git does not follow either), a directory, a pipe without an
 * end.
 */
const noRules: readonly string[] = ['ENOENT', 'ENOTDIR', 'ELOOP', 'EISDIR', 'ENXIO'];

/**
 * The text of a file of rules, one character a byte; like Git, not through a link. Null where there is none, `unknown`
 * where there is one that cannot be read whole: what it hides cannot be told then.
 */
async function rulesOf(path: Buffer): Promise<string | null | typeof unknown> {
  try {
    const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const { size } = await handle.stat();
      const buffer = Buffer.alloc(Math.min(size, longestRules + 1));
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, 0);
      // A read may be short, and rules that are lost would let through what they hide.
      return bytesRead > longestRules || bytesRead < buffer.length ? unknown : buffer.toString('latin1', 0, bytesRead);
    } finally {
      await handle.close();
    }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    return noRules.includes(code) ? null : unknown;
  }
}

async function entriesOf(directory: Buffer): Promise<Dirent<Buffer>[] | null> {
  // A directory that is closed to us, or gone since it was listed, is counted and left.
  return readdir(directory, { withFileTypes: true, encoding: 'buffer' }).catch(() => null);
}
