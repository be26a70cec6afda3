// Builds the person's page: one script, one style sheet, for the package and for the tests.
import { dirname, join } from 'node:path';
import { build } from 'esbuild';

/** Leaves out the forty languages of Zod's messages: only English is set. */
export const lean = {
  name: 'lean',
  setup(builder) {
    builder.onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, ({ path }) => ({
      contents: "export { default as en } from './en.js';",
      resolveDir: dirname(path),
    }));
  },
};

/** Builds the page into a folder. */
export const buildPage = async (outdir) => {
  await build({
    absWorkingDir: join(import.meta.dirname, 'src', 'workspace', 'person', 'page'),
    entryPoints: [
      { in: 'main.ts', out: 'page' },
      { in: 'page.css', out: 'page' },
      { in: 'page.html', out: 'page' },
      { in: 'icon.svg', out: 'icon' },
    ],
    outdir,
    bundle: true,
    minify: true,
    platform: 'browser',
    format: 'esm',
    target: 'es2023',
    loader: { '.html': 'copy', '.svg': 'copy' },
    plugins: [lean],
    logLevel: 'error',
  });
};
