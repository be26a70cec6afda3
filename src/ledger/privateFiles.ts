import { chmodSync, closeSync, constants, fchmodSync, fsyncSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { LedgerError, systemCodeOf } from './errors.ts';
import { checkStateDirectory, type StateDirectory, standsAt, unavailable } from './stateDirectory.ts';

const privateDirectory = 0o700;
const privateFile = 0o600;

/** Windows has neither modes nor directories that can be synced. */
const hasModes = process.platform !== 'win32';

/** Sets a mode and looks whether the file system kept it. */
const makePrivate = (state: StateDirectory, path: string, mode: number): void => {
  if (!hasModes || (statSync(path).mode & 0o777) === mode) return;
  try {
    chmodSync(path, mode);
  } catch (error) {
    // Some network file systems refuse the change instead of ignoring it.
    if (!state.looseModes || systemCodeOf(error) === 'EROFS') throw error;
  }
  if (!state.looseModes && (statSync(path).mode & 0o777) !== mode)
    throw new LedgerError(
      'state_unavailable',
      `The file system under ${path} does not keep private modes, so other users could read the state (directory from ${state.variable}).`,
      [
        'Set TELIC_STATE_DIR to a directory on a file system with Unix modes, and start the server again.',
        'Or set TELIC_STATE_LOOSE_MODES=1 to accept that others may read the state, and start the server again.',
      ],
    );
};

/** Makes a new entry of a directory survive a loss of power. */
const syncDirectory = (path: string): void => {
  if (!hasModes) return;
  const descriptor = openSync(path, constants.O_RDONLY);
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
};

/** Makes one directory; false when another process was faster. */
const makeDirectory = (path: string): boolean => {
  try {
    mkdirSync(path, { mode: privateDirectory });
  } catch (error) {
    if (systemCodeOf(error) === 'EEXIST') return false;
    throw error;
  }
  // The umask can only take bits away, but it may take our own.
  if (hasModes) chmodSync(path, privateDirectory);
  syncDirectory(dirname(path));
  return true;
};

const makeDirectories = (state: StateDirectory, path: string): void => {
  if (standsAt(state, path) !== null) return;
  makeDirectories(state, dirname(path));
  makeDirectory(path);
};

/**
 * Makes an empty private file, exclusively; does nothing when there is one. An existing database is never opened
 * here: closing a second descriptor would take away the locks that SQLite holds in this process.
 */
const makeFile = (path: string): void => {
  let descriptor: number;
  try {
    const flags = constants.O_CREAT | constants.O_EXCL | constants.O_RDWR | (constants.O_NOFOLLOW ?? 0);
    descriptor = openSync(path, flags, privateFile);
  } catch (error) {
    if (systemCodeOf(error) === 'EEXIST') return;
    throw error;
  }
  try {
    if (hasModes) fchmodSync(descriptor, privateFile);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  syncDirectory(dirname(path));
};

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'permission is denied',
  EPERM: 'the operation is not permitted',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  ENOTDIR: 'a part of its path is not a directory',
  ELOOP: 'its path is a loop of links',
  ENAMETOOLONG: 'its path is too long',
};

/**
 * Makes the state directory ready to be written: the directory and the parents that are missing (0700), the empty
 * database file (0600), whatever the umask; existing ones are forced to these modes. The boundaries are checked before
 * and, as another process may have put something there, after.
 *
 * @throws LedgerError as `checkStateDirectory` does, and `state_unavailable` when the disk refuses
 */
export const openForWriting = (state: StateDirectory): void => {
  checkStateDirectory(state);
  try {
    makeDirectories(state, state.path);
    checkStateDirectory(state);
    makePrivate(state, state.path, privateDirectory);
    makeFile(state.database);
    makePrivate(state, state.database, privateFile);
  } catch (error) {
    if (error instanceof LedgerError) throw error;
    const code = systemCodeOf(error);
    throw unavailable(state, reasons[code] ?? `the system says ${code === '' ? String(error) : code}`, error);
  }
};
