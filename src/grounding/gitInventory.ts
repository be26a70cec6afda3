import { lstatSync } from 'node:fs';
import { type Git, whyGitFailed } from './git.ts';
import type { Collector } from './inventoryCollector.ts';
import { pathInside } from './paths.ts';

export interface GitListing {
  /** Why it is not complete, or null. */
  readonly failure: string | null;
  /** Whether what was listed lies in this root at all. */
  readonly usable: boolean;
  /** Submodules and sparse checkouts, with counts. */
  readonly notes: readonly string[];
}

/**
 * Lists by Git what is tracked and what ignore rules do not hide. Each record is `TAG MODE OBJECT STAGE<TAB>PATH` for a
 * tracked file and `? PATH` for another; `S` marks a file that a sparse checkout leaves out, mode 160000 a submodule.
 * The listing is read as it comes: its size is bounded by nothing (trap T23). A repository whose configuration puts its
 * work tree elsewhere (`core.worktree`) would list the names of another place, and is not used. Takes the real root.
 * Rules: grounding sections 2, 3 and 13.7.
 */
export async function collectGit(git: Git, root: string, collector: Collector): Promise<GitListing> {
  const isThere = presence(root);
  let submodules = 0;
  let sparse = 0;
  const take = (record: Buffer): void => {
    if (record[0] === 0x3f) {
      const name = record.subarray(2);
      // A repository of its own inside this one is listed as a directory.
      if (name.at(-1) === 0x2f) collector.offerDirectory(name.subarray(0, -1));
      else collector.offer(name, false);
      return;
    }
    const tab = record.indexOf(0x09);
    if (tab < 0) return;
    // A file that is there although it is marked is what somebody works on.
    if (record[0] === 0x53 && !isThere(record.subarray(tab + 1))) {
      sparse += 1;
      return;
    }
    // Mode 160000: no other begins with these two.
    if (record[2] === 0x31 && record[3] === 0x36) submodules += 1;
    collector.offer(record.subarray(tab + 1), true);
  };
  const records = splitAtNul(take);
  const args = ['ls-files', '-z', '-t', '--stage', '--cached', '--others', '--exclude-standard'];
  const [top, end] = await Promise.all([git.capture(['rev-parse', '--show-toplevel']), git.stream(args, records)]);
  const notes = [
    ...(submodules > 0 ? [`Submodules are not entered: ${submodules}.`] : []),
    ...(sparse > 0 ? [`The sparse checkout leaves tracked files out of the work tree: ${sparse}.`] : []),
  ];
  if (top.end.kind !== 'exited' || top.end.status !== 0)
    return { failure: whyGitFailed(top.end), usable: false, notes };
  if (pathInside(top.output.toString('utf8').replace(/\n$/, ''), root) === null) {
    return { failure: 'the configuration puts the work tree elsewhere', usable: false, notes };
  }
  const failure = end.kind === 'exited' && end.status === 0 ? null : whyGitFailed(end);
  return { failure, usable: failure === null || collector.listed() > 0, notes };
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

/** Longer than any path of any system; what goes on for longer is no record, and would fill the memory. */
const longestRecord = 65_536;

/** Cuts a stream of bytes into the records that a NUL ends; one that is longer than 64 KiB is left out. */
export function splitAtNul(take: (record: Buffer) => void): (chunk: Buffer) => void {
  let rest: Buffer[] = [];
  let size = 0;
  return (chunk) => {
    let start = 0;
    for (let nul = chunk.indexOf(0); nul >= 0; nul = chunk.indexOf(0, start)) {
      const piece = chunk.subarray(start, nul);
      if (size + piece.length <= longestRecord) take(rest.length === 0 ? piece : Buffer.concat([...rest, piece]));
      rest = [];
      size = 0;
      start = nul + 1;
    }
    size += chunk.length - start;
    if (size > longestRecord) rest = [];
    else if (start < chunk.length) rest.push(chunk.subarray(start));
  };
}
