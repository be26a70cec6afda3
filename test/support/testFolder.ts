import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeEndedRuns } from './endedRuns.ts';

/** What worlds of the tests may take together; a container's memory file system often holds 64 MB. */
const leastRoom = 2 * 1024 ** 3;

/** What lies in memory counts against the limit of a container, beside the processes of the tests. */
const leastMemory = 4 * 1024 ** 3;

const memory = '/dev/shm';

const folderIn = (place: string): string => mkdtempSync(join(place, `telic-tests-${process.pid}-`));

const remove = (folder: string): void => rmSync(folder, { recursive: true, force: true });

/** Whether a program that lies in the folder can be started: some mount their memory file system without. */
const runsPrograms = (folder: string): boolean => {
  const program = join(folder, 'program');
  writeFileSync(program, '#!/bin/sh\nexit 0\n');
  chmodSync(program, 0o755);
  const { status } = spawnSync(program, { stdio: 'ignore' });
  rmSync(program);
  return status === 0;
};

const hasRoom = (): boolean => {
  // 0 where no limit is known.
  const limit = process.constrainedMemory();
  if (limit !== 0 && limit < leastMemory) return false;
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize >= leastRoom;
};

const folderInMemory = (): string | null => {
  let folder: string | null = null;
  try {
    if (!existsSync(memory) || !hasRoom()) return null;
    folder = folderIn(memory);
    if (runsPrograms(folder)) return folder;
  } catch {
    // No right to write, a quota, no inode left: memory only makes the tests quicker, so the disk does whatever it was.
  }
  if (folder !== null) remove(folder);
  return null;
};

/**
 * Makes one folder for all that the tests lay into `tmpdir`, which goes with it when they are over. It lies in a memory
 * file system where there is one fit for it, and where nobody named a `TMPDIR`: thousands of durable commits then wait
 * for no disk. Only where the folder is changes; every write is made and flushed as ever.
 */
export const setup = (): (() => void) => {
  const { TMPDIR: named = '' } = process.env;
  for (const place of new Set([memory, tmpdir()])) removeEndedRuns(place, /^telic-tests-(\d+)-/);
  const folder = (named === '' ? folderInMemory() : null) ?? folderIn(tmpdir());
  const removeIt = (): void => remove(folder);
  // A run that is broken off with Ctrl-C is not torn down.
  process.once('exit', removeIt);
  // A program of the tests that runs as another user finds its files too.
  chmodSync(folder, 0o755);
  process.env.TMPDIR = folder;
  return () => {
    process.off('exit', removeIt);
    removeIt();
  };
};
