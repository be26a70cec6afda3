import { spawnSync } from 'node:child_process';
import { accessSync, chmodSync, constants, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What worlds of the tests may take together; a container's memory file system often holds 64 MB. */
const leastBytes = 2 * 1024 ** 3;

const memory = '/dev/shm';

/** Whether a program that lies in the folder can be started: some mount their memory file system without. */
const runsPrograms = (folder: string): boolean => {
  const program = join(folder, 'program');
  writeFileSync(program, '#!/bin/sh\nexit 0\n');
  chmodSync(program, 0o755);
  const { status } = spawnSync(program, { stdio: 'ignore' });
  rmSync(program);
  return status === 0;
};

const roomy = (): boolean => {
  try {
    accessSync(memory, constants.W_OK);
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize >= leastBytes;
  } catch {
    return false;
  }
};

/**
 * Lays what `tmpdir` gives to the tests into a memory file system, where there is one with room: their thousands of
 * durable commits then wait for no disk. Only where the folder is changes; every write is made and flushed as ever.
 */
export const setup = (): (() => void) | undefined => {
  if (!roomy()) return undefined;
  const folder = mkdtempSync(join(memory, 'telic-tests-'));
  if (!runsPrograms(folder)) {
    rmSync(folder, { recursive: true });
    return undefined;
  }
  // A program of the tests that runs as another user finds its files too.
  chmodSync(folder, 0o755);
  process.env.TMPDIR = folder;
  return () => rmSync(folder, { recursive: true, force: true });
};
