import { isLeft, programs, readCases } from './cases.ts';
import { play } from './play.ts';

/** `npm run conformance:wire`: plays every recorded case, each on a fresh host. */

const cases = readCases();
const left = [...cases.map(({ name }) => name).filter(isLeft), programs].sort();
let passed = 0;
let failed = 0;
for (const played of cases.filter(({ name }) => !isLeft(name))) {
  try {
    await play(played);
    passed += 1;
    process.stdout.write(`passed ${played.name}\n`);
  } catch (error) {
    failed += 1;
    process.stdout.write(`failed ${played.name}\n${error instanceof Error ? error.message : String(error)}\n`);
  }
}
process.stdout.write(`left   ${left.join(', ')}\n\n${left.length} left\n${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;
