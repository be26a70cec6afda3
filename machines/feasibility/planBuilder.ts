import type { BodyOf } from '../../schemas/artifacts/index.ts';
import { executes, limits, schemaVersion } from '../../schemas/vocabulary.ts';
import type { RunContext } from '../context.ts';
import type { RunRecord } from '../record.ts';
import { distinct } from '../rules/derived.ts';
import { listed } from '../rules/wording.ts';
import { type Means, meansOf, type Needs, needsOf, requiredIn } from './needs.ts';
import { ordinaryCalls, type PlanQuestion, questionOfPlan } from './question.ts';
import { type Reason, reasonsAgainst } from './reasons.ts';

type Plan = BodyOf<'WorkPlan'>;

export type PlanAnswer = Readonly<{ ok: true; plan: Plan }> | Readonly<{ ok: false; why: readonly Reason[] }>;

const mostNodeCalls = 1000;
/** Room in the 256 references of a plan for the contract, the control, and a question with its answer (CLR-05). */
const keptReferences = 4;

const freeId = (isTaken: (id: string) => boolean): string => {
  for (let number = 1; ; number += 1) {
    const id = `plan-${String(number).padStart(2, '0')}`;
    if (!isTaken(id)) return id;
  }
};

const objectiveOf = ({ stage, scope, mode }: PlanQuestion, { criteria }: Needs): string => {
  const what = criteria.length > 0 ? listed(criteria) : 'what was asked';
  if (stage === 'diagnosis') return `Find the cause, changing nothing, and show ${what}.`;
  if (!executes(mode)) return `Work out the answer for ${what}.`;
  if (scope) return `Do what the work order asks, then show ${what}.`;
  return mode === 'analyze_only' ? `Look into it and show ${what}.` : `Make the change, then show ${what}.`;
};

/** As many calls as the work may use, as long as later plans find theirs; what the node requires in any case. */
const callsOf = ({ mode, calls, scope }: PlanQuestion, required: number): number => {
  if (!executes(mode)) return required;
  const most = Math.min(mostNodeCalls, calls.left - calls.kept, scope?.order.maximumToolCalls ?? mostNodeCalls);
  return Math.max(required, Math.min(ordinaryCalls, most));
};

const planOf = (question: PlanQuestion, needs: Needs, means: Means): Plan => {
  const { contract, contractRef, runId, scope } = question;
  const required = requiredIn(question, needs, means);
  const maximumToolCalls = callsOf(question, required.length);
  const { spawn, maximumChildren, maximumDepth } = means.permissions.subagents;
  return {
    schemaVersion,
    id: freeId(question.isTaken),
    runId,
    taskContractRef: contractRef,
    executionMode: 'serial',
    nodes: [
      {
        id: 'node-01',
        logicalRole: 'executor',
        objective: objectiveOf(question, needs),
        dependsOn: [],
        inputRefs: [contractRef, ...(scope ? [scope.controlRef] : [])],
        contextRefs: distinct(contract.contextRefs).slice(0, limits.references - keptReferences),
        allowedTools: [...means.tools],
        requiredCapabilities: [...required],
        permissions: means.permissions,
        outputType: 'WorkResult',
        acceptanceCriteria: [...needs.criteria],
        stopConditions: ['Stop when the next step is not covered by the permissions of this node.'],
        budgets: { maximumToolCalls, maximumChildren: spawn ? maximumChildren : 0 },
      },
    ],
    joinRules: [],
    globalBudgets: {
      maximumToolCalls,
      maximumParallelWorkers: 1,
      maximumSubagentDepth: spawn ? Math.max(1, maximumDepth) : 0,
    },
    planValidation: 'valid',
    rationaleSummary: 'One node carries what is due, with what the contract permits at this stage.',
  };
};

/**
 * A WorkPlan that section 8.2 of admission admits as it stands, or the reasons why there is none. Pure: the same function
 * judges contracts (CONTRACT-12) and work orders (ORDER-08) and drafts the plan, so that a draft exists exactly where a
 * plan is possible (guidance section 3).
 *
 * One node is enough. Take any admissible plan and put its nodes together: one node that owns what they own, requires
 * what they require, allows what they allow, and holds the most that the bounds give. Each rule that held for the parts
 * holds for the whole:
 * - permissions: rows 11 to 13 bound every node by the same sets, and the meet of these contains each node's set as far
 *   as capabilities go; rows 10, 15 and 16 ask of each capability alone, so what one node may use the whole may use;
 * - criteria: rows 22 to 26 ask of each criterion alone, and of all nodes together;
 * - verifications: a node that made row 28 hold is part of the whole; row 29 needs no order where the node that may
 *   change something is the one that verifies, which then happens after the last change (RESULT-17);
 * - calls: a capability required by two nodes is counted once in the whole, so rows 4, 5, 9 and 20 only get easier;
 * - rows 14, 17, 18, 19 and 21 hold as built, rows 1 to 3, 6 and 8 ask for copied values, row 7 for a whole record;
 * - size: a node has room for all criteria of a contract (256), and the calls that it needs are as few as there are
 *   capabilities.
 * So a plan is impossible exactly when the one node is, and `reasonsAgainst` names each way in which it can be.
 */
export const buildPlan = (question: PlanQuestion): PlanAnswer => {
  const needs = needsOf(question);
  const means = meansOf(question);
  const why = reasonsAgainst(question, needs, means);
  return why.length > 0 ? { ok: false, why } : { ok: true, plan: planOf(question, needs, means) };
};

/**
 * The plan that the brief of the state `plan` drafts. Where contract and order were admitted by this rule book it exists;
 * only a damaged record has none.
 */
export const draftPlan = (run: RunContext, record: RunRecord): PlanAnswer => {
  const question = questionOfPlan(run, record);
  if (question) return buildPlan(question);
  return {
    ok: false,
    why: [
      {
        path: '',
        message: 'the contract of the run, or the work order of its controlling review, cannot be read',
        fix: 'Have the ledger checked, or cancel the run.',
      },
    ],
  };
};
