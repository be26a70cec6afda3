import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { telic } from '../cli/console.ts';

/** Whether something that the text promises is there yet: cheap questions to the real thing. */

/** Whether `telic` knows a command: help for an unknown one ends with 2 (mcp-surface section 8). */
export const hasCommand = (name: string) => async (): Promise<boolean> => (await telic(['help', name])).exit === 0;

const project = join(import.meta.dirname, '..', '..');
const notOurs = ['node_modules', 'dist', 'test', '.git'];

/** Whether a file of one of these names stands anywhere in the project. */
export const hasFile =
  (...names: readonly string[]) =>
  async (): Promise<boolean> =>
    readdirSync(project)
      .filter((entry) => !notOurs.includes(entry))
      .flatMap((entry) => [entry, ...below(join(project, entry))])
      .some((entry) => names.includes(entry));

/** The names below a folder; none below a file. */
const below = (path: string): readonly string[] => {
  try {
    return readdirSync(path, { recursive: true, encoding: 'utf8' }).map((entry) => entry.split(/[\\/]/).at(-1) ?? '');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOTDIR') return [];
    throw error;
  }
};
