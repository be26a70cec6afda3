import type { Pair } from '../../machines/graph/runGraph.ts';
import type { Forbids } from './cover.ts';

/**
 * What the abstract machine allows and no real artifact can do: rules that read more than control data hold in the
 * enumeration (run-machine section 17). This list is complete; each entry is tried against the server.
 */
interface Unreachable {
  readonly pair: Pair;
  readonly labels: readonly string[];
  /** The rule that refuses them. */
  readonly rule: string;
  /** Labels that nothing else leads to. */
  readonly behind: readonly string[];
}

const unreachable: readonly Unreachable[] = [
  {
    // Standard fix_only holds no write permission, so that nothing was changed when the review is due.
    pair: ['fix_only', 'standard'],
    labels: ['QualityReview pass', 'QualityReview reverify pass'],
    rule: 'ADM-QUALITY-06',
    behind: ['ReleaseAudit release', 'UserReport completed'],
  },
];

const of = ([mode, topology]: Pair): readonly Unreachable[] =>
  unreachable.filter(({ pair }) => pair[0] === mode && pair[1] === topology);

/** The rule that forbids a label to runs of a pair. */
export const forbidsFor =
  (pair: Pair): Forbids =>
  (label) =>
    of(pair).find(({ labels }) => labels.includes(label))?.rule ?? null;

/** The labels that runs of a pair never take. */
export const neverIn = (pair: Pair): ReadonlySet<string> =>
  new Set(of(pair).flatMap(({ labels, behind }) => [...labels, ...behind]));
