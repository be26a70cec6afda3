import type { CommandEnd } from './command.ts';
import type { Git } from './git.ts';
import type { Collector } from './inventoryCollector.ts';

export interface GitListing {
  readonly complete: boolean;
  readonly end: CommandEnd;
  /** Submodules and sparse checkouts, with counts. */
  readonly notes: readonly string[];
}

/**
 * Lists by Git what is tracked and what ignore rules do not hide. Each record is `TAG MODE OBJECT STAGE<TAB>PATH` for a
 * tracked file and `? PATH` for another; `S` marks a file that a sparse checkout leaves out, mode 160000 a submodule.
 * The listing is read as it comes: its size is bounded by nothing (trap T23). Rule: grounding section 3.
 */
export async function collectGit(git: Git, collector: Collector): Promise<GitListing> {
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
    if (record[0] === 0x53) sparse += 1;
    if (record.subarray(2, 8).toString('latin1') === '160000') submodules += 1;
    collector.offer(record.subarray(tab + 1), true);
  };
  const records = splitAtNul(take);
  const args = ['ls-files', '-z', '-t', '--stage', '--cached', '--others', '--exclude-standard'];
  const end = await git.stream(args, records);
  const notes = [
    ...(submodules > 0 ? [`Submodules are not entered: ${submodules}.`] : []),
    ...(sparse > 0 ? [`The sparse checkout leaves tracked files out of the work tree: ${sparse}.`] : []),
  ];
  return { complete: end.kind === 'exited' && end.status === 0, end, notes };
}

/** Cuts a stream of bytes into the records that a NUL ends. */
export function splitAtNul(take: (record: Buffer) => void): (chunk: Buffer) => void {
  let rest: Buffer[] = [];
  return (chunk) => {
    let start = 0;
    for (let nul = chunk.indexOf(0); nul >= 0; nul = chunk.indexOf(0, start)) {
      const piece = chunk.subarray(start, nul);
      take(rest.length === 0 ? piece : Buffer.concat([...rest, piece]));
      rest = [];
      start = nul + 1;
    }
    if (start < chunk.length) rest.push(chunk.subarray(start));
  };
}
