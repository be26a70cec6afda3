// Bundles the measurements (Node 20 reads no types) and runs them: npm run bench [-- section …]
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

const project = join(import.meta.dirname, '..', '..');
const { version } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'));
// Inside node_modules, where the packages that stay outside of the bundle are found.
const folder = join(project, 'node_modules', '.cache', 'telic-bench', String(process.pid));
mkdirSync(folder, { recursive: true });
// The folder lies outside the package's scope, so that it must say itself what its files are.
writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
try {
  await build({
    absWorkingDir: project,
    entryPoints: { bench: 'test/bench/bench.ts' },
    outdir: folder,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    define: { TELIC_VERSION: JSON.stringify(version) },
    logLevel: 'error',
  });
  const { status } = spawnSync(process.execPath, [join(folder, 'bench.js'), ...process.argv.slice(2)], {
    cwd: project,
    stdio: 'inherit',
  });
  process.exitCode = status ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
