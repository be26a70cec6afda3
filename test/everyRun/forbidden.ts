import type { RunSnapshot } from '../../machines/step.ts';
import type { Pair } from '../machines/runGraph.ts';
import type { Forbids } from './cover.ts';

/**
 * What the abstract machine allows and no real artifact can do, with the rule that forbids it: rules that read more than
 * control data hold in the enumeration (run-machine section 17). This list is complete; what only these edges lead to is
 * named beside them.
 */
interface Unreachable {
  readonly pair: Pair;
  readonly forbids: (snapshot: RunSnapshot, label: string) => boolean;
  readonly rule: string;
  /** Labels that occur only behind it. */
  readonly behind: readonly string[];
}

const unreachable: readonly Unreachable[] = [
  {
    // Standard fix_only holds no write permission, so that nothing was changed when the review is due.
    pair: ['fix_only', 'standard'],
    forbids: (_, label) => label === 'QualityReview pass' || label === 'QualityReview reverify pass',
    rule: 'ADM-QUALITY-06',
    behind: ['ReleaseAudit release', 'UserReport completed'],
  },
];

const of = ([mode, topology]: Pair): readonly Unreachable[] =>
  unreachable.filter(({ pair }) => pair[0] === mode && pair[1] === topology);

export const forbidsFor =
  (pair: Pair): Forbids =>
  (snapshot, label) =>
    of(pair).find(({ forbids }) => forbids(snapshot, label))?.rule ?? null;

export const behindFor = (pair: Pair): ReadonlySet<string> => new Set(of(pair).flatMap(({ behind }) => behind));
