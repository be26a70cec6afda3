import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { CommandError } from './terminal.ts';

/**
 * Makes a file that only its owner can read; never writes over one.
 *
 * @returns its absolute path
 * @throws CommandError when it is there already or cannot be made
 */
export const writeNew = (cwd: string, path: string, text: string): string => {
  const file = resolve(cwd, path);
  try {
    writeFileSync(file, text, { flag: 'wx', mode: 0o600 });
    return file;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EEXIST') throw new CommandError(`${file} is there already: name another with --out.`);
    throw new CommandError(`${file} cannot be written: ${error instanceof Error ? error.message : String(error)}`);
  }
};
