// npm run conformance:wire
import { runBundled } from '../../support/runBundled.mjs';

await runBundled('test/workspace/conformance/command.ts', process.argv.slice(2));
