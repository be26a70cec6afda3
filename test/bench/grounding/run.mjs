// npm run bench:grounding [-- scale [300000]]
import { runBundled } from '../../support/runBundled.mjs';

await runBundled('test/bench/grounding/benchGrounding.ts', process.argv.slice(2));
