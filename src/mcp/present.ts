import type { RunView } from '../../machines/context.ts';
import type { PartialAction } from '../../machines/projection/nextAction.ts';
import type { Failure } from '../../schemas/failure.ts';
import type { ArtifactMeta } from '../ledger/ledger.ts';

/** What a tool hands to the host: JSON, its keys in the order of `guidance` section 7. */
export type Answer = Readonly<{ ok: boolean } & Record<string, unknown>>;

/**
 * What a controller's call gives: a run and its action where it has them, what it stored, and whatever else the tool is
 * about.
 */
export type Facts = Told & Readonly<{ stored?: readonly ArtifactMeta[] }>;

/** The facts that stand in the answer. */
export type Told = Readonly<{ run?: RunView; nextAction?: PartialAction } & Record<string, unknown>>;

const versionOf = ({ id }: PartialAction): string => id.slice(id.lastIndexOf(':') + 1);

const artifactIn = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1);

const doing = (action: PartialAction): string => {
  const { runId } = action;
  switch (action.kind) {
    case 'phase':
      if (action.phase === 'context_discovery') return 'Call telic_ground_context';
      return action.requiredOutputType === 'WorkResult'
        ? `As executor, do the work of ${action.workNodeId ?? 'the node'}, send Evidence of what each act gave (brief.alternatives), then one WorkResult that cites it, each with telic_submit_artifact`
        : `As ${action.logicalRole}, write one ${action.requiredOutputType} and send it with telic_submit_artifact`;
    case 'clarification':
      return `Read the question with telic_get_artifact (run_id ${runId}, artifact_id ${artifactIn(action.clarificationRequestRef)}), put it to the user, and send the id of the chosen option as clarification_response with telic_submit_artifact`;
    case 'terminal':
      return action.reportRef === null
        ? `The run ${runId} has ended as ${action.status}, without a report; tell the user.`
        : `The run has ended as ${action.status}: read the report with telic_get_artifact (run_id ${runId}, artifact_id ${artifactIn(action.reportRef)}) and show it as it is written.`;
  }
};

/** What to do now in one line: the tool to call and the token to call it with. */
export const nextLine = (action: PartialAction): string =>
  action.kind === 'terminal'
    ? doing(action)
    : `${doing(action)}: run_id ${action.runId}, action_id ${action.id}, expected_run_version ${versionOf(action)}.`;

/** The brief before the schemas, the schemas of the alternatives last: a host that cuts loses the least. */
const schemasLast = (action: PartialAction): PartialAction => {
  if (action.kind !== 'phase') return action;
  const { brief, requiredOutputSchema, additionalOutputSchemas, ...core } = action;
  return {
    ...core,
    ...(brief && { brief }),
    ...(requiredOutputSchema && { requiredOutputSchema }),
    ...(additionalOutputSchemas && { additionalOutputSchemas }),
  };
};

/** A success: `ok`, `next`, the run, what the tool is about, the action with its schemas last. */
export const present = ({ run, nextAction, ...rest }: Told): Answer => ({
  ok: true,
  ...(nextAction && { next: nextLine(nextAction) }),
  ...(run && { run }),
  ...rest,
  ...(nextAction && { nextAction: schemasLast(nextAction) }),
});

/** A failure as it is; an action in it (an identical retry) stands last already. */
export const presentFailure = (failure: Failure): Answer => ({ ...failure });
