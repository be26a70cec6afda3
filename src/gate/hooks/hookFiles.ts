import { mkdirSync, readFileSync, realpathSync, renameSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { systemCodeOf } from '../../ledger/errors.ts';
import { HookError } from './hookError.ts';

/** Reading and replacing the files of hosts: as they are, or not at all. */

const failed = (file: string, what: string, error: unknown): unknown =>
  systemCodeOf(error) === ''
    ? error
    : new HookError(`${file} cannot be ${what} (${systemCodeOf(error)}); nothing was changed.`);

/** The text of a file; null when there is none. @throws HookError when it cannot be read, or is no text */
export const readHookFile = (file: string): string | null => {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return null;
    throw failed(file, 'read', error);
  }
  const text = bytes.toString('utf8');
  if (!Buffer.from(text, 'utf8').equals(bytes)) throw new HookError(`${file} is no UTF-8 text; it was left as it is.`);
  return text;
};

const makeFolders = (folder: string): readonly string[] => {
  if (statSync(folder, { throwIfNoEntry: false }) !== undefined) return [];
  const above = makeFolders(dirname(folder));
  mkdirSync(folder);
  return [...above, folder];
};

/**
 * Replaces a file in one step, or makes it; a link stays a link, and its mode stays.
 *
 * @param mode of a new file
 * @returns the folders that were made
 */
export const writeHookFile = (file: string, text: string, mode: number): readonly string[] => {
  try {
    const folders = makeFolders(dirname(file));
    const stats = statSync(file, { throwIfNoEntry: false });
    const real = stats === undefined ? file : realpathSync(file);
    const temporary = join(dirname(real), `.${basename(real)}.${process.pid}.telic`);
    try {
      writeFileSync(temporary, text, { mode: stats === undefined ? mode : stats.mode & 0o777, flag: 'wx' });
      renameSync(temporary, real);
    } catch (error) {
      rmSync(temporary, { force: true });
      throw error;
    }
    return folders;
  } catch (error) {
    throw failed(file, 'written', error);
  }
};

/** Removes a file, and those of the folders that hold nothing any more. */
export const removeHookFile = (file: string, folders: readonly string[]): void => {
  try {
    rmSync(file, { force: true });
  } catch (error) {
    throw failed(file, 'removed', error);
  }
  for (const folder of folders.toReversed())
    try {
      rmdirSync(folder);
    } catch (error) {
      // Somebody else put something there, or took it away.
      if (!['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes(systemCodeOf(error))) throw failed(folder, 'removed', error);
    }
};
