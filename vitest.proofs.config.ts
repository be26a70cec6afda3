import { defineConfig } from 'vitest/config';
import shared from './vitest.config.ts';

/**
 * Proofs that take minutes: every path of the machine, every edge over a server, the black-box scenarios (`npm run prove`).
 * Each starts processes or walks hundreds of thousands of steps; none may be cut short by a loaded machine.
 */
export default defineConfig({
  ...shared,
  test: { ...shared.test, include: ['test/**/*.proof.ts'], testTimeout: 1_800_000, hookTimeout: 1_800_000 },
});
