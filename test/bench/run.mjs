// npm run bench [-- section …]
import { runBundled } from '../support/runBundled.mjs';

await runBundled('test/bench/bench.ts', process.argv.slice(2));
