import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildPage as build } from '../../../esbuild.page.js';

/** Builds the page as the package has it, into a folder of its own; gives the folder. */
export const buildPage = async (): Promise<string> => {
  const folder = mkdtempSync(join(tmpdir(), 'telic-page-'));
  await build(folder);
  return folder;
};
