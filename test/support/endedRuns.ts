import { existsSync, lstatSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Longer than a run takes: a process of another container may be there though its number is not known here. */
const longestRun = 3_600_000;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const isGone = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    // Anything else, as the lack of a right, is said of a process that is there.
    return error instanceof Error && 'code' in error && error.code === 'ESRCH';
  }
};

/**
 * Removes the folders of test runs that were killed before they could: those of this user, an hour old, whose process
 * is gone. What cannot be removed is said on standard error and fails no test.
 *
 * @param place the folder that holds them; it need not be there
 * @param name matches the folders' names, the process's id as its first group
 */
export const removeEndedRuns = (place: string, name: RegExp): void => {
  if (!existsSync(place)) return;
  for (const entry of readdirSync(place)) {
    const pid = name.exec(entry)?.[1];
    if (pid === undefined || !isGone(Number(pid))) continue;
    const folder = join(place, entry);
    try {
      // Another run may be removing it at the same time.
      const found = lstatSync(folder, { throwIfNoEntry: false });
      if (found === undefined || Date.now() - found.mtimeMs < longestRun) continue;
      if (found.isDirectory() && found.uid === process.getuid?.())
        rmSync(folder, { recursive: true, force: true, maxRetries: 2 });
    } catch (error) {
      process.stderr.write(`What an ended test run left was not removed: ${messageOf(error)}\n`);
    }
  }
};
