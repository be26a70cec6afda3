import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { machineVersion } from '../../machines/step.ts';
import { migrations } from '../../src/ledger/sqlite/format.ts';
import { record } from './recording.ts';

/** Writes the recorded ledger of this version: its first argument is the folder to write into. */

const [, , target = '.'] = process.argv;
const name = `format${migrations.length}-machine${machineVersion}`;
const path = (extension: string): string => join(target, `${name}.${extension}`);
if (existsSync(path('sqlite3.gz'))) {
  process.stderr.write(`${path('sqlite3.gz')} is there already; a recorded ledger is never written again.\n`);
  process.exit(1);
}
// The same name each time: it stands in the bodies. It must not be there already.
const folder = join(tmpdir(), 'telic-recorded');
mkdirSync(folder);
try {
  const runs = await record(folder);
  writeFileSync(path('sqlite3.gz'), gzipSync(readFileSync(join(folder, 'state', 'ledger.sqlite3')), { level: 9 }));
  writeFileSync(path('json'), `${JSON.stringify({ root: join(folder, 'sample'), runs }, null, 2)}\n`);
  process.stdout.write(`${path('sqlite3.gz')}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
