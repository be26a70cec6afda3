import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { build, type Plugin } from 'esbuild';

const source = join(import.meta.dirname, '../../../src/workspace/person/page');

/** Leaves out the forty languages of Zod's messages, of which the page tells none. */
const lean: Plugin = {
  name: 'lean',
  setup: (builder) => {
    builder.onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, ({ path }) => ({
      contents: "export { default as en } from './en.js';",
      resolveDir: dirname(path),
    }));
  },
};

/** Builds the page as the package has it, into a folder of its own; gives the folder. */
export const buildPage = async (): Promise<string> => {
  const folder = mkdtempSync(join(tmpdir(), 'telic-page-'));
  await build({
    absWorkingDir: source,
    entryPoints: [
      { in: 'main.ts', out: 'page' },
      { in: 'page.css', out: 'page' },
      { in: 'page.html', out: 'page' },
      { in: 'icon.svg', out: 'icon' },
    ],
    outdir: folder,
    bundle: true,
    minify: true,
    platform: 'browser',
    format: 'esm',
    target: 'es2023',
    loader: { '.html': 'copy', '.svg': 'copy' },
    plugins: [lean],
    logLevel: 'error',
  });
  return folder;
};
