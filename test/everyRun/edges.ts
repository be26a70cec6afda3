import { describe, expect, it } from 'vitest';
import type { RunGraph } from '../../machines/graph/runGraph.ts';
import { exploreRun, type Pair } from '../../machines/graph/runGraph.ts';
import { coverOf, type NameEdge } from './cover.ts';
import { forbidsFor, neverIn } from './forbidden.ts';
import { handsIn } from './host.ts';
import { playPath, tryForbidden } from './player.ts';
import { newWorld, serve } from './world.ts';

/** A pair, and how many of its edges a server can be driven over: fewer would be a hole in the cover. */
export type Row = readonly [...Pair, edges: number];

/** Runs that go on side by side on one server: client and server work at the same time, and no run may disturb another. */
const lanes = 4;

const halfAnHour = 1_800_000;

/**
 * For each pair: a server of its own takes one shortest path over each edge with real artifacts, every run as on the
 * machine after each step, and refuses what is listed as forbidden by exactly the rule that is listed.
 */
export const coverEdges = (
  title: string,
  rows: readonly Row[],
  nameOf: NameEdge,
  part: (graph: RunGraph) => RunGraph = (graph) => graph,
): void => {
  describe(title, () => {
    it.each(rows)(
      'is taken by a server with real artifacts: %s, %s',
      async (mode, topology, edges) => {
        const pair: Pair = [mode, topology];
        const cover = coverOf(part(exploreRun(pair)), nameOf, forbidsFor(pair));
        expect(cover.never).toEqual(neverIn(pair));
        const world = newWorld();
        const { call } = await serve(world);
        const host = { ...handsIn(world), call };
        const runs = [
          ...cover.paths.map((path) => () => playPath(host, pair, path)),
          ...cover.forbidden.map((edge) => () => tryForbidden(host, pair, edge)),
        ].values();
        const lane = async (): Promise<void> => {
          for (const play of runs) await play();
        };
        await Promise.all(Array.from({ length: lanes }, lane));
        expect(cover.edges).toBe(edges);
      },
      halfAnHour,
    );
  });
};
