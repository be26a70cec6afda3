import { defineConfig } from 'vitest/config';

export default defineConfig({
  define: { TELIC_VERSION: JSON.stringify('0.0.0-test') },
  test: {
    include: ['test/**/*.test.ts'],
    // The tests' folders lie in one, in memory where it can; the executable is bundled once for the tests that start it.
    globalSetup: ['test/support/testFolder.ts', 'test/support/bundle.ts'],
    // By default one core is left alone, which is half of a small machine.
    maxWorkers: '100%',
    // Modules are loaded once a worker instead of once a file: a third of the time of a run. No test may change what
    // another file's tests import.
    isolate: false,
    // Sweeps over whole graphs and real processes: the default of 5 s is too short on a loaded machine.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
