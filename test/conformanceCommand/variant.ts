import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { onTestFinished } from 'vitest';

const project = join(import.meta.dirname, '..', '..');

/** One source file of the product, rewritten while a variant of the server is built. */
export type Rewrite = Readonly<{ file: string; change: (source: string) => string }>;

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');

const rewriting = ({ file, change }: Rewrite): Plugin => ({
  name: 'rewrite',
  setup(builder) {
    builder.onLoad({ filter: new RegExp(`${escaped(file)}$`) }, ({ path }) => {
      const source = readFileSync(path, 'utf8');
      const contents = change(source);
      if (contents === source) throw new Error(`Nothing was changed in ${file}.`);
      return { contents, loader: 'ts' };
    });
  },
});

/** Builds a server from the sources with one file rewritten; gives the command that starts it, without shell quoting. */
export const variantServer = async (rewrite: Rewrite): Promise<readonly [string, ...string[]]> => {
  const cache = join(project, 'node_modules', '.cache', 'telic-variants');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'variant-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  // The folder lies outside the package's scope, so that it must say itself what its files are.
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  await build({
    absWorkingDir: project,
    entryPoints: { telic: 'src/main.ts' },
    outdir: folder,
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    external: ['better-sqlite3'],
    define: { TELIC_VERSION: JSON.stringify('0.0.0-variant') },
    logLevel: 'error',
    plugins: [rewriting(rewrite)],
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module';\nconst require = __createRequire(import.meta.url);",
    },
  });
  return [process.execPath, join(folder, 'telic.js'), 'mcp'];
};

/** The book without what one rule finds. */
export const without = (code: string): Rewrite => ({
  file: '/machines/rules/book.ts',
  change: (source) =>
    `${source.replace('export const rule =', 'const ruleOf =')}
export const rule: typeof ruleOf = (entry) => {
  if (entry.code !== ${JSON.stringify(code)}) return ruleOf(entry);
  const { check: _, control: __, ...silent } = entry;
  return ruleOf(silent);
};
`,
});
