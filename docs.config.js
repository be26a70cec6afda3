// Writes the generated part of docs/ (`npm run docs`). The sources are TypeScript, so the generator is bundled first.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = import.meta.dirname;
const folder = mkdtempSync(join(tmpdir(), 'telic-docs-'));
try {
  const outfile = join(folder, 'generated.mjs');
  await build({
    entryPoints: [join(root, 'test/docs/generated.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
  });
  const { generatedFiles, generatedPlaces } = await import(pathToFileURL(outfile).href);
  const files = await generatedFiles();
  for (const place of generatedPlaces) rmSync(join(root, place), { recursive: true, force: true });
  for (const [path, text] of files) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
