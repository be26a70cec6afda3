import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { lean } from '../../esbuild.lean.js';
import { removeEndedRuns } from './endedRuns.ts';

const project = join(import.meta.dirname, '..', '..');
const variable = 'TELIC_TEST_BUNDLE';

/**
 * The executable as tests run it: `src/main.ts` bundled once a test run into a folder of its own, so that runs side by
 * side do not meet. Inside `node_modules`, where the native module is found.
 */
export const bundlePath: string = process.env[variable] ?? '';

/** Builds the bundle before any test; what fails to build fails the tests that start it, with the reason in the log. */
export const setup = async (): Promise<() => void> => {
  const place = join(project, 'node_modules', '.cache', 'telic-test');
  removeEndedRuns(place, /^(\d+)$/);
  const folder = join(place, String(process.pid));
  mkdirSync(folder, { recursive: true });
  // The folder lies outside the package's scope, so that it must say itself what its files are.
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  process.env[variable] = join(folder, 'telic.js');
  await build({
    absWorkingDir: project,
    // As it is shipped: each of some hundred processes of the tests reads and compiles it anew.
    plugins: [lean],
    minifySyntax: true,
    minifyWhitespace: true,
    entryPoints: { telic: 'src/main.ts' },
    outdir: folder,
    bundle: true,
    splitting: true,
    chunkNames: 'telic-[hash]',
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    external: ['better-sqlite3', ...(existsSync(join(project, 'src/cli/cli.ts')) ? [] : ['./cli/cli.ts'])],
    define: { TELIC_VERSION: JSON.stringify('0.0.0-test') },
    logLevel: 'error',
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module';\nconst require = __createRequire(import.meta.url);",
    },
  }).catch((error: unknown) => {
    process.stderr.write(`The test bundle was not built: ${error instanceof Error ? error.message : String(error)}\n`);
  });
  return () => rmSync(folder, { recursive: true, force: true });
};
