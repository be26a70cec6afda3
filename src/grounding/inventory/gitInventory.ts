import { lstatSync } from 'node:fs';
import { type Git, whyGitFailed } from '../git/git.ts';
import { splitAtNul } from '../git/splitAtNul.ts';
import type { Collector } from './inventoryCollector.ts';

export interface GitListing {
  /** Why it is not complete, or null. */
  readonly failure: string | null;
  /** How many records there were. */
  readonly listed: number;
  /** Submodules and sparse checkouts, with counts. */
  readonly notes: readonly string[];
}

/** Takes the name of a file that is not tracked. A repository of its own inside this one is listed as a directory. */
export function offerUntracked(collector: Collector, name: Buffer): void {
  if (name.at(-1) === 0x2f) collector.offerDirectory(name.subarray(0, -1));
  else collector.offer(name, false);
}

/**
 * Lists by Git what is tracked and, unless the status tells it anyway, what ignore rules do not hide. Each record is
 * `TAG MODE OBJECT STAGE<TAB>PATH` for a tracked file and `? PATH` for another; `S` marks a file that a sparse checkout
 * leaves out, mode 160000 a submodule. The listing is read as it comes: its size is bounded by nothing (trap T23).
 * Takes the real root. Rules: grounding sections 3 and 13.7.
 */
export async function collectGit(
  git: Git,
  root: string,
  collector: Collector,
  untracked: 'with untracked' | 'tracked only',
): Promise<GitListing> {
  const isThere = presence(root);
  let submodules = 0;
  let sparse = 0;
  let listed = 0;
  let previous: Buffer = Buffer.alloc(0);
  const take = (record: Buffer): void => {
    listed += 1;
    if (record[0] === 0x3f) {
      offerUntracked(collector, record.subarray(2));
      return;
    }
    const tab = record.indexOf(0x09);
    if (tab < 0) return;
    const name = record.subarray(tab + 1);
    // An unmerged file is listed once for each of its versions.
    if (name.equals(previous)) return;
    previous = name;
    // A file that is there although it is marked is what somebody works on.
    if (record[0] === 0x53 && !isThere(name)) {
      sparse += 1;
      return;
    }
    // Mode 160000: no other begins with these two.
    if (record[2] === 0x31 && record[3] === 0x36) submodules += 1;
    collector.offer(name, true);
  };
  const others = untracked === 'with untracked' ? ['--others', '--exclude-standard'] : [];
  const args = ['ls-files', '-z', '-t', '--stage', '--cached', ...others];
  const end = await git.stream(args, splitAtNul(take));
  return {
    failure: end.kind === 'exited' && end.status === 0 ? null : whyGitFailed(end),
    listed,
    notes: [
      ...(submodules > 0 ? [`Submodules are not entered: ${submodules}.`] : []),
      ...(sparse > 0 ? [`The sparse checkout leaves tracked files out of the work tree: ${sparse}.`] : []),
    ],
  };
}

/**
 * Whether something is there under a name. A sparse checkout leaves out whole directories: once one is known to be
 * missing, nothing below it is looked up, so that 300,000 names take a few looks.
 */
function presence(root: string): (name: Buffer) => boolean {
  const start = Buffer.from(`${root}/`);
  const exists = (name: string): boolean => {
    try {
      lstatSync(Buffer.concat([start, Buffer.from(name, 'latin1')]));
      return true;
    } catch {
      // Missing or closed to us: it could not be read.
      return false;
    }
  };
  let missing = '';
  return (bytes) => {
    // One character a byte, whatever the bytes are.
    const name = bytes.toString('latin1');
    if (missing !== '' && name.startsWith(missing)) return false;
    if (exists(name)) return true;
    for (let slash = name.lastIndexOf('/'); slash > 0; slash = name.lastIndexOf('/', slash - 1)) {
      if (exists(name.slice(0, slash))) break;
      missing = name.slice(0, slash + 1);
    }
    return false;
  };
}
