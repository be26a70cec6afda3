import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const rooms = (process.env.TELIC_MUTATE_TESTS ?? '').split(' ');

/** Sweeps over whole graphs: they judge a fault only when no faster test has seen it. */
const slow = /rowEffects|property/;

class FastFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => (slow.test(moduleId) ? 1 : 0);
    return files.toSorted((a, b) => rank(a) - rank(b) || a.moduleId.localeCompare(b.moduleId));
  }
}

/** The fast tests of the rooms that a shard names. The walks over whole graphs are none of them, but for the rows. */
// biome-ignore lint/style/noDefaultExport: vitest reads the default export of its configuration.
export default defineConfig({
  define: { TELIC_VERSION: JSON.stringify('0.0.0-test') },
  test: {
    include: rooms.map((room) => `${room}/**/*.test.ts`),
    exclude: ['test/machines/{walk,stateInvariants,runGraph}.test.ts', 'test/schemas/conformanceCopy.test.ts'],
    sequence: { sequencer: FastFirst },
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
