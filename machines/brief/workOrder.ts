import type { Blank } from '../../schemas/brief.ts';
import type { PermissionSet } from '../../schemas/permissions.ts';
import { type ActionCapability, executes, type IntentMode } from '../../schemas/vocabulary.ts';
import { meet } from '../feasibility/meet.ts';
import { needsOf } from '../feasibility/needs.ts';
import { buildPlan } from '../feasibility/planBuilder.ts';
import { ordinaryCalls, questionOfOrder } from '../feasibility/question.ts';
import { capabilitiesOf, keepCapabilities } from '../permissions/permissionSet.ts';
import { type Contract, effectiveFor, type WorkOrder } from '../rules/derived.ts';
import { most, rationale, type Stand, some, text, whole } from './draft.ts';

/** What an order asks for, before the host has said anything of it. */
export interface Wanted {
  readonly contract: Contract;
  /** The review or audit that will carry it. */
  readonly control: string;
  /** The stage whose authority bounds it: before the unlock that of analysis. */
  readonly mode: IntentMode;
  readonly criteria: readonly string[];
  readonly sources: readonly string[];
  /** It follows a diagnosis: it names every criterion, and its plan unlocks the fix. */
  readonly correcting: boolean;
}

/** An order that a plan can follow as it stands, whichever of its criteria are named and however its calls are set. */
export interface DraftedOrder {
  readonly permissions: PermissionSet;
  readonly allowedCapabilities: readonly ActionCapability[];
  readonly sourceRefs: readonly string[];
  readonly maximumToolCalls: number;
  /** All that a correction has to name; those that a remediation may name. */
  readonly criteria: readonly string[];
  readonly calls: Readonly<{ least: number; most: number }>;
}

/** The schema's bound of an order. */
const mostOrdered = 1000;

/**
 * The widest order that contract and authority give, or null where no plan could follow it (guidance sections 1 and 3,
 * admission section 8.3). Each criterion of a remediation is asked for alone: with more of them a plan only finds more
 * to own, so that any of them together can be followed, too.
 */
export const draftOrder = ({ run, record }: Stand, wanted: Wanted): DraftedOrder | null => {
  const { contract, control, mode, sources, correcting } = wanted;
  const open = meet([contract.body.permissions, effectiveFor(record, mode)]);
  const allowedCapabilities = capabilitiesOf(open);
  if (sources.length === 0 || (executes(run.mode) && allowedCapabilities.length === 0)) return null;
  const permissions = keepCapabilities(open, (capability) => allowedCapabilities.includes(capability));
  const sourceRefs = sources.slice(0, most.references);
  const questionFor = (criteria: readonly string[], maximumToolCalls: number) => {
    const order: WorkOrder = { criteria, allowedCapabilities, permissions, sourceRefs, maximumToolCalls };
    return questionOfOrder(run, record, contract, { order, control, correcting });
  };
  const asked = questionFor(wanted.criteria, mostOrdered);
  const least = Math.max(1, needsOf(asked).leastCalls);
  const greatest = Math.min(mostOrdered, asked.calls.left);
  if (greatest < least) return null;
  const isFollowed = (criteria: readonly string[]): boolean => buildPlan(questionFor(criteria, least)).ok;
  const all = correcting ? isFollowed(wanted.criteria) : false;
  const criteria = correcting ? (all ? wanted.criteria : []) : wanted.criteria.filter((id) => isFollowed([id]));
  if (criteria.length === 0) return null;
  return {
    permissions,
    allowedCapabilities,
    sourceRefs,
    maximumToolCalls: Math.max(least, Math.min(ordinaryCalls, greatest)),
    criteria,
    calls: { least, most: greatest },
  };
};

/** The fields that every order has. */
export const orderBody = (id: string, order: DraftedOrder) => ({
  id,
  allowedCapabilities: order.allowedCapabilities,
  permissions: order.permissions,
  sourceRefs: order.sourceRefs,
  maximumToolCalls: order.maximumToolCalls,
  rationaleSummary: '',
});

/** The blanks that every order has. */
export const orderBlanks = (at: string, { calls }: DraftedOrder, goal: 'objective' | 'description'): Blank[] => [
  text(`${at}.${goal}`, goal === 'objective' ? 'What is to be done.' : 'What is wrong, and what is to be done.'),
  {
    ...whole(`${at}.maximumToolCalls`, 'Calls that the plan may reserve.', calls.least, calls.most),
    optional: true,
  },
  rationale(`${at}.rationaleSummary`),
];

/** Which of the criteria are to be shown again. */
export const criteriaBlank = (at: string, { criteria }: DraftedOrder): Blank =>
  some(`${at}.failedCriterionIds`, 'What is to be shown again.', criteria, { minimum: 1 });
