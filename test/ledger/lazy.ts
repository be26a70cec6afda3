import { createRequire } from 'node:module';
import { openLedger } from '../../src/ledger/sqlite/sqliteLedger.ts';
import { locateStateDirectory } from '../../src/ledger/stateDirectory.ts';
import { commitOf } from './samples.ts';

/** Tells when the native module comes into the process: `lazy.mjs <repository>`. */

const [, , repository = ''] = process.argv;
const { cache } = createRequire(import.meta.url);
const isLoaded = (): boolean => Object.keys(cache).some((path) => path.endsWith('.node'));

const imported = isLoaded();
const ledger = openLedger(locateStateDirectory(process.env, repository));
ledger.runs(20);
const asked = isLoaded();
ledger.commit(commitOf('run-1', 0));
process.stdout.write(JSON.stringify({ imported, asked, committed: isLoaded() }));
