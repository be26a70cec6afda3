import { mutates } from '../permissions/capability.ts';
import { type BookEntry, rule, type Said } from './book.ts';
import { distinct } from './derived.ts';
import { setDifference } from './equality.ts';
import { criteriaOf, ownsStage } from './planScope.ts';
import { actionsWhere, isAttempted, type ResultQuery, resultScopeOf } from './resultScope.ts';
import { listed, told } from './wording.ts';
import { changeOfActionRule, workActionRules } from './workActions.ts';

/**
 * Rules of the WorkResult: admission section 9. The guards and the rows marked "check first" stand before the others: a
 * result for another plan or node would be judged against the wrong permissions.
 */

const about = ['WorkResult'] as const;

const noPendingNode = (query: ResultQuery): readonly Said[] =>
  resultScopeOf(query).node
    ? []
    : [
        {
          path: 'nodeId',
          message: `No node of the current plan is ready, so the result of ${query.body.nodeId} belongs to none.`,
          fix: 'Fetch the next action; if the run still waits for a result, have the ledger checked.',
        },
      ];

const first: readonly BookEntry[] = [
  rule({
    code: 'ADM-RESULT-27',
    types: about,
    part: 'own',
    text: 'The current plan can be read: it exists, has nodes, and each node has permissions.',
    reads: ['WorkPlan'],
    refusal: 'integrity_failed',
    ends: true,
    *check(query) {
      const { plan } = resultScopeOf(query);
      if (plan && plan.body.nodes.length > 0 && plan.body.nodes.every(({ permissions }) => permissions !== undefined))
        return;
      yield {
        path: 'workPlanRef',
        message: plan ? `The current plan ${plan.id} cannot be read.` : 'This run has no plan.',
        fix: 'Have the ledger checked, or cancel the run.',
      };
    },
  }),
  rule({
    code: 'ADM-RESULT-01',
    types: about,
    part: 'own',
    text: 'A node of the current plan is ready.',
    reads: ['WorkPlan', 'WorkResult'],
    refusal: 'integrity_failed',
    ends: true,
    check: noPendingNode,
  }),
  rule({
    code: 'ADM-RESULT-25',
    types: about,
    part: 'own',
    text: 'A node of the current plan is still ready when the result is stored.',
    reads: ['WorkPlan', 'WorkResult'],
    refusal: 'integrity_failed',
    ends: true,
    check: noPendingNode,
  }),
  rule({
    code: 'ADM-RESULT-24',
    types: about,
    part: 'own',
    text: 'workPlanRef is the current plan.',
    reads: ['WorkPlan'],
    refusal: 'rule_broken',
    ends: true,
    *check(query) {
      const { planRef } = resultScopeOf(query);
      const { workPlanRef } = query.body;
      if (workPlanRef === planRef) return;
      yield {
        path: 'workPlanRef',
        message: `workPlanRef is ${workPlanRef}, not the current plan.`,
        expected: planRef,
        fix: `Set workPlanRef to ${planRef}.`,
      };
    },
  }),
  rule({
    code: 'ADM-RESULT-26',
    types: about,
    part: 'own',
    text: 'nodeId is the node whose turn it is.',
    reads: ['WorkPlan', 'WorkResult'],
    refusal: 'rule_broken',
    ends: true,
    *check(query) {
      const { node } = resultScopeOf(query);
      const { nodeId } = query.body;
      if (!node || nodeId === node.id) return;
      yield {
        path: 'nodeId',
        message: `This result is for node ${nodeId}, but it is the turn of ${node.id}.`,
        expected: node.id,
        fix: `Carry out node ${node.id} and submit its result.`,
      };
    },
  }),
];

const callsRule = rule({
  code: 'ADM-RESULT-02',
  types: about,
  part: 'own',
  text: 'Actions that were carried out, and toolEventRefs, are no more than the tool calls of the node.',
  reads: ['WorkPlan'],
  refusal: 'rule_broken',
  *check(query) {
    const { node } = resultScopeOf(query);
    if (!node) return;
    const most = node.budgets.maximumToolCalls;
    const calls = query.body.actions.filter(isAttempted).length;
    const events = query.body.toolEventRefs.length;
    for (const [path, count, what] of [
      ['actions', calls, 'actions were carried out'],
      ['toolEventRefs', events, 'tool events are cited'],
    ] as const)
      if (count > most)
        yield {
          path,
          // What was done cannot be undone by reporting less of it.
          ...(path === 'toolEventRefs' && { expected: { maxItems: most } }),
          message: `${count} ${what}, but node ${node.id} allows ${most} tool calls.`,
          fix: `Report at most ${most}; work that needs more belongs to a plan with a larger budget.`,
        };
  },
});

const coverageRules: readonly BookEntry[] = [
  rule({
    code: 'ADM-RESULT-14',
    types: about,
    part: 'own',
    text: 'A result covers only criteria that are assigned to its node.',
    reads: ['WorkPlan'],
    refusal: 'rule_broken',
    *check(query) {
      const { node } = resultScopeOf(query);
      if (!node) return;
      for (const [index, { criterionId }] of query.body.acceptanceCoverage.entries())
        if (!node.acceptanceCriteria.includes(criterionId))
          yield {
            path: `acceptanceCoverage.${index}`,
            message: `Criterion ${criterionId} is not assigned to node ${node.id}.`,
            expected: { absent: true },
            fix: `Take the entry out; this node covers ${listed(distinct(node.acceptanceCriteria))}.`,
          };
    },
  }),
  rule({
    code: 'ADM-RESULT-15',
    types: about,
    part: 'own',
    text: 'A result covers each criterion once.',
    reads: [],
    refusal: 'rule_broken',
    *check({ body }) {
      const ids = body.acceptanceCoverage.map(({ criterionId }) => criterionId);
      for (const [index, id] of ids.entries())
        if (ids.indexOf(id) !== index)
          yield {
            path: `acceptanceCoverage.${index}`,
            message: `Criterion ${id} is covered a second time.`,
            expected: { absent: true },
            fix: `Keep one entry for ${id}.`,
          };
    },
  }),
  changeOfActionRule,
];

const completedRules: readonly BookEntry[] = [
  rule({
    code: 'ADM-RESULT-17',
    types: about,
    part: 'own',
    text: 'A completed result repeats each required completion verification of its node after the last change.',
    reads: ['TaskContract', 'WorkPlan', 'mode'],
    refusal: 'rule_broken',
    *check(query) {
      const { node, contract } = resultScopeOf(query);
      if (!node || !contract || query.body.status !== 'completed') return;
      const completed = actionsWhere(query, ({ status }) => status === 'completed');
      const last = completed.filter(({ action }) => action.mutating).at(-1);
      if (!last) return;
      const staged = query.run.mode === 'analyze_and_fix';
      if (!ownsStage(node, criteriaOf(contract), staged ? 'completion' : null)) return;
      const after = completed.filter(({ action, at }) => at > last.at && !action.mutating);
      for (const { id, capability, required, stage } of contract.body.verificationRequirements) {
        if (!required || stage !== 'completion' || !node.requiredCapabilities.includes(capability)) continue;
        if (after.some(({ action }) => action.capability === capability)) continue;
        yield {
          path: 'actions',
          message: `Verification ${id} was not repeated after the last change, action ${last.action.id}.`,
          fix: `Add a completed, non-mutating ${capability} action after ${last.action.id}, with its evidence.`,
        };
      }
    },
  }),
  rule({
    code: 'ADM-RESULT-18',
    types: about,
    part: 'own',
    text: 'A completed result has a completed action for each capability that its node requires.',
    reads: ['WorkPlan'],
    refusal: 'rule_broken',
    *check(query) {
      const { node } = resultScopeOf(query);
      if (!node || query.body.status !== 'completed') return;
      const used = new Set(
        query.body.actions.filter(({ status }) => status === 'completed').map(({ capability }) => capability),
      );
      for (const capability of distinct(node.requiredCapabilities).filter((required) => !used.has(required)))
        yield {
          path: 'actions',
          message: `The result is completed, but no completed ${capability} action stands in it.`,
          fix: `Add the completed ${capability} action with its evidence${
            mutates(capability) ? ' and the file that it changed' : ''
          }, or set status to partial.`,
        };
    },
  }),
  rule({
    code: 'ADM-RESULT-19',
    types: about,
    part: 'own',
    text: 'A completed result covers each criterion of its node.',
    reads: ['WorkPlan'],
    refusal: 'rule_broken',
    *check(query) {
      const { node } = resultScopeOf(query);
      if (!node || query.body.status !== 'completed') return;
      const covered = query.body.acceptanceCoverage.map(({ criterionId }) => criterionId);
      // Foreign and repeated ones are told by RESULT-14 and RESULT-15.
      const missing = setDifference(covered, node.acceptanceCriteria)?.missing ?? [];
      if (missing.length === 0) return;
      yield {
        path: 'acceptanceCoverage',
        message: `The result is completed, but ${listed(missing)} of node ${node.id} is not covered.`,
        ...told({ entries: { by: 'criterionId', of: distinct(node.acceptanceCriteria) } }),
        fix: `Add an entry with status pass and its evidence for ${listed(missing)}, or set status to partial.`,
      };
    },
  }),
  rule({
    code: 'ADM-RESULT-20',
    types: about,
    part: 'own',
    text: 'A completed result holds no failed or denied action.',
    reads: [],
    refusal: 'rule_broken',
    *check(query) {
      if (query.body.status !== 'completed') return;
      for (const { action, path } of actionsWhere(query, ({ status }) => status === 'failed' || status === 'denied'))
        yield {
          path: `${path}.status`,
          message: `The result is completed, but action ${action.id} is ${action.status}.`,
          fix: 'Set the status of the result to partial, blocked or failed.',
        };
    },
  }),
  rule({
    code: 'ADM-RESULT-21',
    types: about,
    part: 'own',
    text: 'A completed result holds no failed test.',
    reads: [],
    refusal: 'rule_broken',
    *check({ body }) {
      if (body.status !== 'completed') return;
      for (const [index, test] of body.testResults.entries())
        if (test.status === 'failed')
          yield {
            path: `testResults.${index}.status`,
            message: `The result is completed, but test ${test.id} failed.`,
            fix: 'Set the status of the result to partial, blocked or failed.',
          };
    },
  }),
  rule({
    code: 'ADM-RESULT-22',
    types: about,
    part: 'own',
    text: 'Every criterion that a completed result covers passes.',
    reads: [],
    refusal: 'rule_broken',
    *check({ body }) {
      if (body.status !== 'completed') return;
      for (const [index, { criterionId, status }] of body.acceptanceCoverage.entries())
        if (status !== 'pass')
          yield {
            path: `acceptanceCoverage.${index}.status`,
            message: `The result is completed, but criterion ${criterionId} is ${status}.`,
            fix: 'Set the status of the result to partial, blocked or failed unless the criterion passes.',
          };
    },
  }),
];

/** Rules of the WorkResult; the kinds of its evidence (row 23) are judged with those of the other types. */
export const workResultRules: readonly BookEntry[] = [
  ...first,
  callsRule,
  ...workActionRules,
  ...coverageRules,
  ...completedRules,
];
