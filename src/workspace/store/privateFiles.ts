import { chmodSync, closeSync, constants, lstatSync, mkdirSync, openSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { systemCodeOf } from '../../ledger/errors.ts';
import { StoreError } from './errors.ts';

const privateDirectory = 0o700;
const privateFile = 0o600;

/** Windows has no such modes. */
const hasModes = process.platform !== 'win32';

const makePrivate = (path: string, mode: number): void => {
  if (!hasModes || (statSync(path).mode & 0o777) === mode) return;
  chmodSync(path, mode);
  if ((statSync(path).mode & 0o777) !== mode)
    throw new StoreError('unavailable', `The file system under ${path} does not keep private modes.`);
};

const guarded = <T>(path: string, work: () => T): T => {
  try {
    return work();
  } catch (error) {
    if (error instanceof StoreError || systemCodeOf(error) === '') throw error;
    throw new StoreError('unavailable', `${path} cannot be used: the system says ${systemCodeOf(error)}.`, {
      cause: error,
    });
  }
};

/**
 * Makes a data directory where there is none, and private where it is not (workspace-wire section 10).
 *
 * @returns its absolute path
 * @throws StoreError `unavailable`
 */
export const openPrivateDirectory = (directory: string): string => {
  const path = resolve(directory);
  return guarded(path, () => {
    mkdirSync(path, { recursive: true, mode: privateDirectory });
    makePrivate(path, privateDirectory);
    return path;
  });
};

/**
 * Makes an empty private file where there is none, and private where it is not. An existing one is not opened: closing
 * a second descriptor would take away the locks that SQLite holds in this process.
 *
 * @returns its path
 * @throws StoreError `unavailable`
 */
export const openPrivateFile = (directory: string, name: string): string => {
  const path = join(directory, name);
  return guarded(path, () => {
    const flags = constants.O_CREAT | constants.O_EXCL | constants.O_RDWR | (constants.O_NOFOLLOW ?? 0);
    try {
      closeSync(openSync(path, flags, privateFile));
    } catch (error) {
      if (systemCodeOf(error) !== 'EEXIST') throw error;
      if (!lstatSync(path).isFile()) throw new StoreError('unavailable', `${path} is not a regular file.`);
    }
    makePrivate(path, privateFile);
    return path;
  });
};
