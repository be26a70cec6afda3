import type { Finding } from '../../schemas/failure.ts';
import { entry } from '../entry.ts';
import type { PermissionDecision, TraceEntry } from '../events.ts';
import { uriOf } from '../record.ts';
import type { Query } from './book.ts';
import type { PlanNode } from './derived.ts';
import {
  actionsWhere,
  capabilityOfChange,
  isAttempted,
  isChecked,
  type ResultQuery,
  resultScopeOf,
  shownTarget,
  verdictOn,
} from './resultScope.ts';

/** Permission decisions that the trace keeps of a WorkResult, refused or accepted (admission section 9.1). */

const isResult = (query: Query): query is Query & ResultQuery => query.type === 'WorkResult';

/** The refusals that are recorded, in row order. */
const recorded = ['ADM-RESULT-03', 'ADM-RESULT-05', 'ADM-RESULT-06', 'ADM-RESULT-08', 'ADM-RESULT-12'] as const;

type Act = Readonly<{ capability: string; target: string }>;

const unspecified: Act = { capability: 'repository.write', target: 'unspecified' };

const changeAt = (query: ResultQuery, at: number): Act | undefined => {
  const change = query.body.filesChanged[at];
  return change && { capability: capabilityOfChange(change), target: change.path };
};

/** The action or the changed file that a recorded refusal is about. */
const actOf = (query: ResultQuery, finding: Finding): Act => {
  if (finding.code === 'ADM-RESULT-03')
    return (
      actionsWhere(query, (action) => isAttempted(action) && action.mutating)[0]?.action ??
      changeAt(query, 0) ??
      unspecified
    );
  const [, list, at] = /^(actions|filesChanged)\.(\d+)/.exec(finding.path) ?? [];
  const index = Number(at);
  return (list === 'actions' ? query.body.actions[index] : changeAt(query, index)) ?? unspecified;
};

const deniers = (query: ResultQuery, node: PlanNode | null, code: string, act: Act): readonly string[] => {
  if (code === 'ADM-RESULT-03') return [`intent_mode:${query.run.mode}`];
  if (!node) return [];
  const verdict = verdictOn(query, node, act.capability, act.target);
  return verdict.deniedBy.length > 0 ? verdict.deniedBy : [`work_node:${node.id}`];
};

/** The contract and the plan: what every decision about a result rests on. */
const policyRefs = (query: ResultQuery): readonly string[] => {
  const { contract, plan } = resultScopeOf(query);
  return [contract, plan].flatMap((artifact) => (artifact ? [uriOf(artifact)] : []));
};

const decisionEntry = (
  query: ResultQuery,
  decision: PermissionDecision,
  summary: string,
  out: readonly string[],
): TraceEntry => ({
  ...entry(query.run, 'permission_checked', 'controller', summary, { in: policyRefs(query), out }),
  decision,
});

/** What two recorded checks are compared by: actor, phase, type, inputs, outputs, decision and summary. */
export const checkKey = ({ actor, phase, event, inputRefs, outputRefs, decision, summary }: TraceEntry): string =>
  JSON.stringify([
    actor,
    phase,
    event,
    inputRefs,
    outputRefs,
    decision && [
      decision.decision,
      decision.capability,
      decision.scope,
      decision.policyRefs,
      decision.rationaleSummary,
    ],
    summary,
  ]);

/** A permission refusal for the trace, with what tells it from others: equal ones are written once. */
export type DeniedCheck = Readonly<{ key: string; entry: TraceEntry }>;

/**
 * The entry that a refused WorkResult leaves: of the five recorded refusals the first in row order, wherever it stands
 * among the findings. Null when none of them is among them. Rule: admission section 9.1.
 */
export const deniedCheck = (query: Query, findings: readonly Finding[]): DeniedCheck | null => {
  if (!isResult(query)) return null;
  for (const code of recorded) {
    const finding = findings.find((one) => one.code === code);
    if (!finding) continue;
    const act = actOf(query, finding);
    const names = deniers(query, resultScopeOf(query).node, code, act);
    const denied = decisionEntry(
      query,
      {
        decision: 'deny',
        capability: act.capability,
        scope: shownTarget(query, act.capability, act.target),
        policyRefs: policyRefs(query),
        rationaleSummary: `Denied by permission intersection: ${names.join(', ')}.`,
      },
      finding.message,
      [],
    );
    return { key: checkKey(denied), entry: denied };
  }
  return null;
};

/** The entries that stand before an accepted WorkResult: one for each checked action, in order. */
export const acceptedChecks = (query: Query): readonly TraceEntry[] => {
  if (!isResult(query)) return [];
  const { node } = resultScopeOf(query);
  const out = [uriOf({ runId: query.run.runId, id: query.body.id })];
  return actionsWhere(query, isChecked).map(({ action }) => {
    const { capability, target } = action;
    const scope = shownTarget(query, capability, target);
    const allowed = isAttempted(action);
    const names = [`intent_mode:${query.run.mode}`, `work_node:${node?.id ?? query.body.nodeId}`];
    return decisionEntry(
      query,
      {
        decision: allowed ? 'allow' : 'deny',
        capability,
        scope,
        policyRefs: policyRefs(query),
        rationaleSummary: allowed
          ? `Allowed by permission intersection: ${names.join(', ')}.`
          : `Denied by permission intersection: ${deniers(query, node, '', action).join(', ')}.`,
      },
      `${allowed ? 'Allowed' : 'Denied'} ${capability} for ${scope}.`,
      out,
    );
  });
};
