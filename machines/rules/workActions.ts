import { actionCapabilities, inspectTargets } from '../../schemas/vocabulary.ts';
import { mutates } from '../permissions/capability.ts';
import { type BookEntry, rule } from './book.ts';
import type { Action, PlanNode } from './derived.ts';
import {
  actionsWhere,
  capabilityOfChange,
  isAttempted,
  type ResultQuery,
  resultScopeOf,
  samePathForm,
  shownTarget,
  verdictOn,
} from './resultScope.ts';
import { listed } from './wording.ts';

/** Rules of what a WorkResult did: its actions and changed files (admission section 9, rows 03 to 13 and 16). */

const about = ['WorkResult'] as const;

const isNamedInspection = (action: Action): boolean =>
  action.capability !== 'shell.inspect' || inspectTargets.some((name) => name === action.target);

/** RESULT-03 has told it: nothing may change at this stage. */
const isClosedMutation = (query: ResultQuery, action: Action): boolean =>
  resultScopeOf(query).closed && isAttempted(action) && action.mutating;

const allows = (node: PlanNode, action: Action): boolean => node.allowedTools.includes(action.capability);

export const workActionRules: readonly BookEntry[] = [
  rule({
    code: 'ADM-RESULT-03',
    types: about,
    part: 'own',
    text: 'Nothing is changed in report_only, plan_only, analyze_only, or before the fix of analyze_and_fix is unlocked.',
    reads: ['mode', 'QualityReview', 'WorkPlan'],
    refusal: 'permission_denied',
    *check(query) {
      if (!resultScopeOf(query).closed) return;
      const stage =
        query.run.mode === 'analyze_and_fix' ? 'analyze_and_fix before its fix is unlocked' : query.run.mode;
      for (const { action, path } of actionsWhere(query, (one) => isAttempted(one) && one.mutating))
        yield {
          path,
          message: `${stage} allows no changes: ${action.capability} on ${shownTarget(query, action.capability, action.target)} was not permitted.`,
          fix: 'Undo the change, tell the user, and report the action as it was in a new result without it.',
        };
      for (const [index, change] of query.body.filesChanged.entries())
        yield {
          path: `filesChanged.${index}`,
          message: `${stage} allows no changes: ${shownTarget(query, 'repository.write', change.path)} was ${change.changeType}.`,
          fix: 'Undo the change and leave filesChanged empty.',
        };
    },
  }),
  rule({
    code: 'ADM-RESULT-04',
    types: about,
    part: 'own',
    text: 'Each action names a known capability.',
    reads: [],
    refusal: 'rule_broken',
    *check(query) {
      for (const { action, path } of actionsWhere(query, ({ capability }) => !actionCapabilities.includes(capability)))
        yield {
          path: `${path}.capability`,
          message: `Action ${action.id} names ${action.capability}, which is no capability.`,
          expected: actionCapabilities,
          fix: 'Use one of the listed capabilities.',
        };
    },
  }),
  rule({
    code: 'ADM-RESULT-05',
    types: about,
    part: 'own',
    text: `shell.inspect takes one of ${inspectTargets.join(', ')} as its target.`,
    reads: [],
    refusal: 'permission_denied',
    *check(query) {
      for (const { action, path } of actionsWhere(query, (one) => isAttempted(one) && !isNamedInspection(one)))
        yield {
          path: `${path}.target`,
          message: `Action ${action.id} used shell.inspect on ${shownTarget(query, action.capability, action.target)}, which is no named inspection.`,
          expected: inspectTargets,
          fix: `Use one of ${inspectTargets.join(', ')}, or report the action as denied if it was not carried out.`,
        };
    },
  }),
  rule({
    code: 'ADM-RESULT-06',
    types: about,
    part: 'own',
    text: 'An action that was carried out uses a capability that its node allows.',
    reads: ['WorkPlan'],
    refusal: 'permission_denied',
    *check(query) {
      const { node } = resultScopeOf(query);
      if (!node) return;
      for (const { action, path } of actionsWhere(query, (one) => isAttempted(one) && !allows(node, one))) {
        if (isClosedMutation(query, action)) continue;
        yield {
          path: `${path}.capability`,
          message: `Action ${action.id} used ${action.capability}, which node ${node.id} does not allow.`,
          expected: node.allowedTools,
          fix: `Use only ${listed(node.allowedTools)}, or report the action as denied if it was not carried out.`,
        };
      }
    },
  }),
  rule({
    code: 'ADM-RESULT-07',
    types: about,
    part: 'own',
    text: 'An action reported as denied would really be denied.',
    reads: ['mode', 'WorkPlan'],
    refusal: 'rule_broken',
    *check(query) {
      const { node } = resultScopeOf(query);
      if (!node) return;
      for (const { action, path } of actionsWhere(query, (one) => one.status === 'denied' && allows(node, one))) {
        if (!verdictOn(query, node, action.capability, action.target).allowed) continue;
        yield {
          path: `${path}.status`,
          message: `Action ${action.id} claims a denial, but ${action.capability} on ${shownTarget(query, action.capability, action.target)} is permitted.`,
          expected: ['skipped', 'failed', 'completed'],
          fix: 'Carry it out, or set its status to skipped.',
        };
      }
    },
  }),
  rule({
    code: 'ADM-RESULT-08',
    types: about,
    part: 'own',
    text: 'An action that was carried out is inside the mode and the permissions of its node.',
    reads: ['mode', 'WorkPlan'],
    refusal: 'permission_denied',
    *check(query) {
      const { node } = resultScopeOf(query);
      if (!node) return;
      for (const { action, path } of actionsWhere(query, (one) => isAttempted(one) && allows(node, one))) {
        // What rows 03 and 05 tell of the same action is not told twice.
        if (isClosedMutation(query, action) || !isNamedInspection(action)) continue;
        const verdict = verdictOn(query, node, action.capability, action.target);
        if (verdict.allowed) continue;
        yield {
          path,
          message: `${action.capability} on ${shownTarget(query, action.capability, action.target)} is outside ${verdict.deniedBy.join(' and ')} (${verdict.detailCode}).`,
          fix: `Act only inside the permissions of node ${node.id}; report the action as denied if it was not carried out.`,
        };
      }
    },
  }),
  rule({
    code: 'ADM-RESULT-09',
    types: about,
    part: 'own',
    text: 'An action that changes something by its nature is marked as mutating.',
    reads: [],
    refusal: 'rule_broken',
    *check(query) {
      for (const { action, path } of actionsWhere(query, (one) => isAttempted(one) && !one.mutating))
        if (mutates(action.capability) === true)
          yield {
            path: `${path}.mutating`,
            message: `Action ${action.id} uses ${action.capability}, which changes things, but mutating is false.`,
            expected: true,
            fix: 'Set mutating to true.',
          };
    },
  }),
  rule({
    code: 'ADM-RESULT-10',
    types: about,
    part: 'own',
    text: 'An action that only reads by its nature is not marked as mutating.',
    reads: [],
    refusal: 'rule_broken',
    *check(query) {
      for (const { action, path } of actionsWhere(query, (one) => isAttempted(one) && one.mutating))
        if (mutates(action.capability) === false)
          yield {
            path: `${path}.mutating`,
            message: `Action ${action.id} uses ${action.capability}, which changes nothing, but mutating is true.`,
            expected: false,
            fix: 'Set mutating to false.',
          };
    },
  }),
  rule({
    code: 'ADM-RESULT-11',
    types: about,
    part: 'own',
    text: 'A node spawns no more children than its budget and its permissions give.',
    reads: ['WorkPlan'],
    refusal: 'rule_broken',
    *check(query) {
      const { node } = resultScopeOf(query);
      if (!node) return;
      const most = Math.min(node.budgets.maximumChildren, node.permissions.subagents.maximumChildren);
      const spawned = actionsWhere(query, (one) => one.status === 'completed' && one.capability === 'subagent.spawn');
      if (spawned.length <= most) return;
      yield {
        path: 'actions',
        message: `${spawned.length} sub-agents were spawned, but node ${node.id} allows ${most}.`,
        fix: `Report the result as partial or blocked with at most ${most} completed subagent.spawn actions.`,
      };
    },
  }),
  rule({
    code: 'ADM-RESULT-12',
    types: about,
    part: 'own',
    text: 'Each changed file is inside the mode and the permissions of the node.',
    reads: ['mode', 'WorkPlan'],
    refusal: 'permission_denied',
    *check(query) {
      const { node, closed } = resultScopeOf(query);
      if (!node || closed) return;
      for (const [index, change] of query.body.filesChanged.entries()) {
        const capability = capabilityOfChange(change);
        const verdict = verdictOn(query, node, capability, change.path);
        if (verdict.allowed) continue;
        yield {
          path: `filesChanged.${index}.path`,
          message: `${shownTarget(query, capability, change.path)} was ${change.changeType}, but ${capability} there is outside ${verdict.deniedBy.join(' and ')} (${verdict.detailCode}).`,
          fix: `Undo the change: node ${node.id} may not make it.`,
        };
      }
    },
  }),
  rule({
    code: 'ADM-RESULT-13',
    types: about,
    part: 'own',
    text: 'Each changed file has a completed mutating action of the fitting capability on the same path.',
    reads: [],
    refusal: 'rule_broken',
    *check(query) {
      const done = actionsWhere(query, (one) => one.status === 'completed' && one.mutating);
      for (const [index, change] of query.body.filesChanged.entries()) {
        const capability = capabilityOfChange(change);
        const path = samePathForm(query, change.path);
        if (done.some(({ action }) => action.capability === capability && samePathForm(query, action.target) === path))
          continue;
        yield {
          path: `filesChanged.${index}`,
          message: `${change.path} was ${change.changeType}, but no completed ${capability} action names it.`,
          fix: `Add the completed, mutating ${capability} action with target ${change.path}, or take the entry out.`,
        };
      }
    },
  }),
];

/** Row 16, which stands behind the coverage rows. */
export const changeOfActionRule: BookEntry = rule({
  code: 'ADM-RESULT-16',
  types: about,
  part: 'own',
  text: 'Each completed write or delete has an entry of filesChanged with the same path and a fitting change type.',
  reads: [],
  refusal: 'rule_broken',
  *check(query) {
    const changes = query.body.filesChanged.map((change) => ({
      capability: capabilityOfChange(change),
      path: samePathForm(query, change.path),
    }));
    const writes = actionsWhere(
      query,
      (one) => one.status === 'completed' && /^repository\.(write|delete)$/.test(one.capability),
    );
    for (const { action, path } of writes) {
      const target = samePathForm(query, action.target);
      if (changes.some((change) => change.capability === action.capability && change.path === target)) continue;
      yield {
        path,
        message: `Action ${action.id} completed ${action.capability} on ${shownTarget(query, action.capability, action.target)}, but no entry of filesChanged fits it.`,
        fix: 'Add the entry with this path, the change type, the hashes it needs and its diff.',
      };
    }
  },
});
