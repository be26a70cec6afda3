// npm run bench:wire [-- SECONDS]
import { runBundled } from '../../support/runBundled.mjs';

await runBundled('test/workspace/load/benchWire.ts', process.argv.slice(2));
