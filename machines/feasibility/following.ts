import type { RunContext } from '../context.ts';
import type { RunRecord } from '../record.ts';
import type { WorkOrder } from '../rules/derived.ts';
import { buildPlan, type PlanAnswer } from './planBuilder.ts';
import { questionOfOrder } from './question.ts';

type Submitted = Readonly<{ run: RunContext; record: RunRecord; body: Readonly<{ id: string }> }>;

/**
 * Whether a plan can follow the work order of a review or audit that is submitted now, with the tool calls that the run
 * has left (ORDER-08). Null without an order or a contract. That an order names more calls than are left is no fault:
 * a smaller plan can follow it.
 * @param correcting the order is that of a diagnosis, so its plan unlocks the fix
 */
export const followingOf = (
  { run, record, body }: Submitted,
  order: WorkOrder | null,
  correcting: boolean,
): PlanAnswer | null => {
  const contract = record.latest('TaskContract');
  if (!order || !contract) return null;
  return buildPlan(questionOfOrder(run, record, contract, { order, control: body.id, correcting }));
};
