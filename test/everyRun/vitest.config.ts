import { defineConfig } from 'vitest/config';
import shared from '../../vitest.config.ts';

/** Covers the whole abstract graph, which takes minutes: `npm run edges`. */
// biome-ignore lint/style/noDefaultExport: the runner reads it
export default defineConfig({ ...shared, test: { ...shared.test, include: ['test/everyRun/*.edges.ts'] } });
