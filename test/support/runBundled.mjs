import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'esbuild';

const project = join(import.meta.dirname, '..', '..');
const { version } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'));

/**
 * Bundles a TypeScript file of the tests (Node 20 reads no types) and runs it in the project's folder.
 *
 * @param entry path from the project's root; its exit code becomes that of this process
 * @param args words for it
 */
export const runBundled = async (entry, args) => {
  const name = basename(entry, '.ts');
  // Inside node_modules, where the packages that stay outside of the bundle are found.
  const folder = join(project, 'node_modules', '.cache', `telic-${name}`, String(process.pid));
  mkdirSync(folder, { recursive: true });
  // The folder lies outside the package's scope, so that it must say itself what its files are.
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  try {
    await build({
      absWorkingDir: project,
      entryPoints: { [name]: entry },
      outdir: folder,
      bundle: true,
      packages: 'external',
      platform: 'node',
      format: 'esm',
      target: 'node20.19',
      define: { TELIC_VERSION: JSON.stringify(version) },
      logLevel: 'error',
    });
    const { status } = spawnSync(process.execPath, [join(folder, `${name}.js`), ...args], {
      cwd: project,
      stdio: 'inherit',
    });
    process.exitCode = status ?? 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
