// Bundles the recorder (Node 20 reads no types) and runs it: node test/ledgers/record.mjs
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

const project = join(import.meta.dirname, '..', '..');
// Inside node_modules, where the packages that stay outside of the bundle are found.
const folder = join(project, 'node_modules', '.cache', 'telic-record', String(process.pid));
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
try {
  await build({
    absWorkingDir: project,
    entryPoints: { record: 'test/ledgers/recordCommand.ts' },
    outdir: folder,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    define: { TELIC_VERSION: JSON.stringify('0.0.0-record') },
    logLevel: 'error',
  });
  const { status } = spawnSync(process.execPath, [join(folder, 'record.js'), import.meta.dirname], {
    cwd: project,
    stdio: 'inherit',
  });
  process.exitCode = status ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
