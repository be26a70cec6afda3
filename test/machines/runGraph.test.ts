import { describe, expect, it } from 'vitest';
import { edgeCount, exploreRun, foldPaths, type Pair, type RunGraph, without } from '../../machines/graph/runGraph.ts';

/** The table of run-machine section 17, one row a pair. */
interface Row {
  readonly pair: Pair;
  readonly core: readonly [states: number, edges: number, paths: number];
  readonly noCancel: readonly [states: number, edges: number, paths: number];
  readonly full: readonly [edges: number, paths: number];
  readonly longest: number;
  /** Core paths by end: completed, partial, failed_verification, blocked. */
  readonly ends: readonly [number, number, number, number];
}

const table: readonly Row[] = [
  {
    pair: ['report_only', 'micro'],
    core: [159, 299, 655],
    noCancel: [398, 909, 8188],
    full: [1302, 21094],
    longest: 18,
    ends: [81, 226, 2, 346],
  },
  {
    pair: ['report_only', 'standard'],
    core: [129, 233, 162],
    noCancel: [308, 662, 2049],
    full: [966, 5287],
    longest: 17,
    ends: [20, 56, 0, 86],
  },
  {
    pair: ['report_only', 'forensic'],
    core: [99, 191, 258],
    noCancel: [260, 606, 3941],
    full: [862, 10351],
    longest: 17,
    ends: [16, 96, 0, 146],
  },
  {
    pair: ['plan_only', 'standard'],
    core: [130, 241, 190],
    noCancel: [309, 678, 2333],
    full: [982, 5571],
    longest: 17,
    ends: [20, 56, 28, 86],
  },
  {
    pair: ['plan_only', 'forensic'],
    core: [100, 195, 306],
    noCancel: [261, 614, 4493],
    full: [870, 10903],
    longest: 17,
    ends: [16, 96, 48, 146],
  },
  {
    pair: ['analyze_only', 'standard'],
    core: [212, 401, 428],
    noCancel: [523, 1184, 6465],
    full: [1702, 15477],
    longest: 19,
    ends: [30, 120, 78, 200],
  },
  {
    pair: ['analyze_only', 'forensic'],
    core: [156, 301, 596],
    noCancel: [425, 1006, 10745],
    full: [1426, 26191],
    longest: 19,
    ends: [22, 176, 110, 288],
  },
  {
    pair: ['fix_only', 'micro'],
    core: [277, 542, 3006],
    noCancel: [721, 1734, 48976],
    full: [2450, 117293],
    longest: 21,
    ends: [211, 843, 549, 1403],
  },
  {
    pair: ['fix_only', 'standard'],
    core: [212, 401, 428],
    noCancel: [523, 1184, 6465],
    full: [1702, 15477],
    longest: 19,
    ends: [30, 120, 78, 200],
  },
  {
    pair: ['fix_only', 'forensic'],
    core: [156, 301, 596],
    noCancel: [425, 1006, 10745],
    full: [1426, 26191],
    longest: 19,
    ends: [22, 176, 110, 288],
  },
  {
    pair: ['analyze_and_fix', 'forensic'],
    core: [272, 519, 1144],
    noCancel: [771, 1828, 24775],
    full: [2594, 60579],
    longest: 22,
    ends: [34, 328, 226, 556],
  },
];

const endCounts = (graph: RunGraph): readonly number[] => {
  const { ends } = foldPaths(graph);
  return ['completed', 'partial', 'failed_verification', 'blocked'].map(
    (end) => ends.get(JSON.stringify({ terminal: end })) ?? 0,
  );
};

describe('the abstract graph of the run machine', () => {
  for (const row of table) {
    it(`${row.pair.join(' in ')} has the states, edges, paths and ends of the table`, () => {
      const full = exploreRun(row.pair);
      const noCancel = without(full, 'CANCEL');
      const core = without(noCancel, 'ClarificationRequest', 'ANSWER');
      expect({
        core: [core.states.size, edgeCount(core), foldPaths(core).paths],
        noCancel: [noCancel.states.size, edgeCount(noCancel), foldPaths(noCancel).paths],
        full: [edgeCount(full), foldPaths(full).paths],
        longest: foldPaths(full).longest,
        ends: endCounts(core),
      }).toEqual({ core: row.core, noCancel: row.noCancel, full: row.full, longest: row.longest, ends: row.ends });
      // Cancelling adds no state of its own.
      expect(full.states.size).toBe(noCancel.states.size);
    });
  }
});
