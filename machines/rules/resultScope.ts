import type { IntentMode } from '../../schemas/vocabulary.ts';
import { type ActionVerdict, authorizeAction, modePolicy, nodePolicy } from '../permissions/authorizeAction.ts';
import { normalizePath } from '../permissions/pathTarget.ts';
import { recordedScope } from '../permissions/recordedScope.ts';
import type { ResolvedTarget } from '../permissions/resolved.ts';
import { uriOf } from '../record.ts';
import type { Query } from './book.ts';
import {
  type Action,
  type Contract,
  isUnlocked,
  type Plan,
  type PlanNode,
  pendingNode,
  type Result,
} from './derived.ts';
import { perQuery } from './perQuery.ts';

export type ResultQuery = Query<'WorkResult'>;
export type FileChange = Result['body']['filesChanged'][number];

/** What a WorkResult is judged against (admission section 9). */
export interface ResultScope {
  readonly plan: Plan | undefined;
  readonly planRef: string | undefined;
  readonly contract: Contract | undefined;
  /** The node whose turn it is. */
  readonly node: PlanNode | null;
  /** Nothing may be changed at this stage of the run. */
  readonly closed: boolean;
}

const changesNothing = (mode: IntentMode): boolean =>
  mode === 'report_only' || mode === 'plan_only' || mode === 'analyze_only';

export const resultScopeOf = perQuery(({ record, run }: Pick<ResultQuery, 'run' | 'record'>): ResultScope => {
  const plan = record.latest('WorkPlan');
  return {
    plan,
    planRef: plan && uriOf(plan),
    contract: record.latest('TaskContract'),
    node: pendingNode(record),
    closed: changesNothing(run.mode) || (run.mode === 'analyze_and_fix' && !isUnlocked(record, run.mode)),
  };
});

/** The action really happened, whatever came of it; `denied` and `skipped` ones did not. */
export const isAttempted = (action: Action): boolean => action.status === 'completed' || action.status === 'failed';

/** Everything but `skipped` is checked against the permissions. */
export const isChecked = (action: Action): boolean => action.status !== 'skipped';

/** The actions that answer to a test, with where they stand. */
export const actionsWhere = (
  query: ResultQuery,
  test: (action: Action) => boolean,
): readonly Readonly<{ action: Action; path: string; at: number }>[] =>
  query.body.actions.flatMap((action, at) => (test(action) ? [{ action, path: `actions.${at}`, at }] : []));

export const resolvedOf = (query: ResultQuery, target: string): ResolvedTarget | null => {
  const { targets } = query.submission;
  return Object.hasOwn(targets, target) ? (targets[target] ?? null) : null;
};

/** The same path in one spelling: as the disk step read it, else folded. */
export const samePathForm = (query: ResultQuery, path: string): string => {
  const resolved = resolvedOf(query, path);
  return resolved?.ok ? resolved.lexical : normalizePath(path);
};

/** A target as messages and the trace show it: without credentials. */
export const shownTarget = (query: ResultQuery, capability: string, target: string): string =>
  recordedScope(capability, target, resolvedOf(query, target));

/** What mode and node together say of one capability on one target (admission 16.4). */
export const verdictOn = (query: ResultQuery, node: PlanNode, capability: string, target: string): ActionVerdict =>
  authorizeAction([modePolicy(query.run.mode), nodePolicy(node.id, node.permissions)], {
    capability,
    target,
    resolved: resolvedOf(query, target),
  });

/** The capability that a change of a file needs. */
export const capabilityOfChange = (change: FileChange): 'repository.write' | 'repository.delete' =>
  change.changeType === 'deleted' ? 'repository.delete' : 'repository.write';
