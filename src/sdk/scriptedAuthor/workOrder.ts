import { keepCapabilities } from '../../../machines/permissions/permissionSet.ts';
import type { PermissionSet } from '../../../schemas/permissions.ts';
import type { ActionCapability } from '../../../schemas/vocabulary.ts';
import { isJudged } from './proof.ts';
import { latest, type Stand } from './stand.ts';
import { usesOf } from './tasks.ts';

/** What the orders of a review and the defect of an audit have in common: what they are about, and no more than it needs. */
export interface OrderParts {
  readonly criteria: string[];
  readonly allowedCapabilities: ActionCapability[];
  readonly permissions: PermissionSet;
  readonly maximumToolCalls: number;
}

/** Twice what a plan of this author reserves for three criteria. */
const orderedCalls = 48;

const orderFor = (stand: Stand, criteria: readonly string[]): OrderParts => {
  const uses = usesOf(criteria);
  return {
    criteria: [...criteria],
    allowedCapabilities: [...uses],
    permissions: keepCapabilities(latest(stand, 'TaskContract').body.permissions, (one) => uses.includes(one)),
    maximumToolCalls: orderedCalls,
  };
};

/** Everything that is judged now, once more. */
export const remediation = (stand: Stand): OrderParts =>
  orderFor(
    stand,
    latest(stand, 'TaskContract')
      .body.acceptanceCriteria.filter(({ stage }) => isJudged(stand, stage))
      .map(({ id }) => id),
  );

/** The completion stage, after the diagnosis. */
export const correction = (stand: Stand): OrderParts =>
  orderFor(
    stand,
    latest(stand, 'TaskContract')
      .body.acceptanceCriteria.filter(({ stage }) => stage === 'completion')
      .map(({ id }) => id),
  );
