// Records the ledgers of the present format: node test/ledgers/record.mjs
import { runBundled } from '../support/runBundled.mjs';

await runBundled('test/ledgers/recordCommand.ts', [import.meta.dirname]);
