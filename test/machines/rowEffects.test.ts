import { describe, expect, it } from 'vitest';
import type { RunContext } from '../../machines/context.ts';
import { offered } from '../../machines/graph/labels.ts';
import { exploreRun, type Pair } from '../../machines/graph/runGraph.ts';
import { step } from '../../machines/step.ts';

/**
 * What every row of the routing table does, as one line a kind of step: where it leads, what of the control data it
 * changes, and what it leaves in the trace (run-machine sections 5, 8 and 14). A row that changes shows here.
 */

const pairs: readonly Pair[] = [
  ['report_only', 'micro'],
  ['fix_only', 'micro'],
  ['plan_only', 'standard'],
  ['analyze_and_fix', 'forensic'],
];

/** They change with every step alike; a test of their own holds them. */
const always = new Set(['version', 'updatedAt']);

const changes = (before: RunContext, after: RunContext): string =>
  Object.entries(after)
    .filter(([key, value]) => !always.has(key) && JSON.stringify(value) !== JSON.stringify(Reflect.get(before, key)))
    .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
    .join(' ');

const linesOf = (pair: Pair): string => {
  const lines = new Set<string>();
  for (const snapshot of exploreRun(pair).states.values()) {
    for (const { label, event } of offered(snapshot)) {
      const taken = step(snapshot, event);
      if (taken.outcome !== 'accepted') continue;
      const { next, record, moved } = taken;
      const trace = record.trace.map((entry) => `${entry.event}/${entry.phase}/${entry.actor}`).join(' ');
      const ways = `${JSON.stringify(snapshot.value)} ${label} -> ${JSON.stringify(next.value)}`;
      lines.add(
        `${ways} | ${changes(snapshot.context, next.context)} | ${trace}${moved === null ? '' : ` | ${moved}`}`,
      );
    }
  }
  return [...lines].toSorted().join('\n');
};

describe('what the rows do', () => {
  it.each(pairs)('in %s, %s', (...pair) => {
    expect(linesOf(pair)).toMatchSnapshot();
  });
});
