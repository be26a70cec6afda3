// npm run storm [-- seed [submissions]]
import { runBundled } from '../support/runBundled.mjs';

await runBundled('test/law/stormCommand.ts', process.argv.slice(2));
