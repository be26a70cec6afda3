import { beforeAll, describe, expect, it } from 'vitest';
import { exploreRun, foldPaths, newSnapshot, pairs } from '../../machines/graph/runGraph.ts';
import { walkPaths } from '../../machines/graph/walk.ts';
import { pathInvariants } from './pathInvariants.ts';

/** Every path of every pair, with cancels: 314,414 of them, each step on the machine itself. */
describe('every path of the run machine', () => {
  const broken = new Map<string, string>();
  const walked = new Map<string, number>();
  const counted = new Map<string, number>();

  beforeAll(() => {
    for (const pair of pairs) {
      const graph = exploreRun(pair);
      counted.set(pair.join(' in '), foldPaths(graph).paths);
      const { paths } = walkPaths(graph, newSnapshot(pair), (path) => {
        for (const [id, invariant] of Object.entries(pathInvariants)) {
          if (broken.has(id)) continue;
          const fault = invariant.broken(path);
          if (fault !== null)
            broken.set(id, `${pair.join(' in ')}: ${fault} on ${path.map(({ label }) => label).join(' > ')}`);
        }
      });
      walked.set(pair.join(' in '), paths);
    }
  }, 300_000);

  it('is walked: as many as the fold over the graph counts, 314,414 in all', () => {
    expect(walked).toEqual(counted);
    expect([...walked.values()].reduce((sum, paths) => sum + paths, 0)).toBe(314_414);
  });

  for (const [id, { text }] of Object.entries(pathInvariants)) {
    it(`${id} ${text}`, () => {
      expect(broken.get(id)).toBeUndefined();
    });
  }
});
