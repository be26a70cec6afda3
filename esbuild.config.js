// Builds dist/: the two executables, the person's page, the library entry points and their types.
// `--quiet` prints nothing on success, so that `npm ci` (which runs it as `prepare`) stays silent.
import { execFileSync } from 'node:child_process';
import { chmodSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { lean } from './esbuild.lean.js';
import { buildPage } from './esbuild.page.js';

const quiet = process.argv.includes('--quiet');
const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));

rmSync(new URL('dist', import.meta.url), { recursive: true, force: true });

/** What both builds share: one ES module a file, the native module left outside. */
const common = {
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20.19',
  external: ['better-sqlite3'],
  define: { TELIC_VERSION: JSON.stringify(version) },
  logLevel: quiet ? 'error' : 'info',
  absWorkingDir: import.meta.dirname,
};

await Promise.all([
  buildPage(join(import.meta.dirname, 'dist', 'page')),
  build({
    ...common,
    plugins: [lean],
    entryPoints: { telic: 'src/main.ts', tilo: 'src/tilo.ts' },
    outdir: 'dist',
    splitting: true,
    chunkNames: 'telic-[hash]',
    minifySyntax: true,
    minifyWhitespace: true,
    // Some bundled packages still call require for Node's own modules.
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module';\nconst require = __createRequire(import.meta.url);",
    },
  }),
  build({
    ...common,
    packages: 'external',
    entryPoints: {
      index: 'src/index.ts',
      sdk: 'src/sdk/index.ts',
      schemas: 'schemas/index.ts',
      machines: 'machines/index.ts',
    },
    outdir: 'dist',
    splitting: true,
    chunkNames: 'lib-[hash]',
  }),
]);
for (const name of ['telic', 'tilo']) chmodSync(new URL(`dist/${name}.js`, import.meta.url), 0o755);

const require = createRequire(import.meta.url);
const tsc = join(dirname(require.resolve('typescript/package.json')), 'bin', 'tsc');
execFileSync(process.execPath, [tsc, '-p', 'tsconfig.types.json'], { cwd: import.meta.dirname, stdio: 'inherit' });
