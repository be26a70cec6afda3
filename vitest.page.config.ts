import { defineConfig } from 'vitest/config';

/**
 * The person's page in a real browser (`npm run test:page`): the distribution's Chromium, or the one that `CHROMIUM`
 * names. Apart from the other tests, which need none.
 */
export default defineConfig({
  define: { TELIC_VERSION: JSON.stringify('0.0.0-test') },
  test: {
    include: ['test/page/**/*.page.ts'],
    // Browsers side by side on a small machine only slow each other down.
    maxWorkers: 1,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
