import type {
  ClarificationAction,
  NextAction,
  PhaseAction,
  RemainingBudgets,
  TerminalAction,
} from '../../schemas/artifacts/nextAction.ts';
import type { Brief } from '../../schemas/brief.ts';
import { sharedSchema } from '../../schemas/jsonSchema.ts';
import type { PermissionSet } from '../../schemas/permissions.ts';
import { type ActionPart, limits, phaseTable, schemaVersion, type TerminalPhase } from '../../schemas/vocabulary.ts';
import { briefOf } from '../brief/brief.ts';
import { actionIdOf, type RunContext } from '../context.ts';
import { emptyPermissions, keepCapabilities } from '../permissions/permissionSet.ts';
import { firstExcess } from '../permissions/subset.ts';
import { type RunRecord, uriOf } from '../record.ts';
import { effectiveFor, envelopeOf, type PlanNode, pendingNode, reservedCalls } from '../rules/derived.ts';
import { inputRefsOf } from './inputs.ts';
import { instructionRefOf } from './instructions.ts';
import { ProjectionError } from './projectionError.ts';

/** What an action holds when nobody says which parts. */
const ordinaryParts: readonly ActionPart[] = ['brief', 'schemas', 'alternatives'];

type Schemas = Pick<PhaseAction, 'requiredOutputSchema' | 'additionalOutputSchemas'>;

/** A phase action from which parts may be left out; a brief without its alternatives, or they alone. */
export type PartialPhaseAction = Omit<PhaseAction, keyof Schemas> & Partial<Schemas>;
export type PartialAction = PartialPhaseAction | ClarificationAction | TerminalAction;

const stopConditions: readonly string[] = [
  'Keep to the mode of this run and to effectivePermissions; whatever is not listed there is not allowed.',
  'Stop and ask with a ClarificationRequest, where it is accepted, as soon as a decision belongs to the user.',
  'Submit short reasons and references to evidence; hidden reasoning has no place in an artifact.',
];

const headOf = (run: RunContext) =>
  ({ schemaVersion, id: actionIdOf(run), runId: run.runId, createdAt: run.updatedAt }) as const;

const latestUri = (
  record: RunRecord,
  type: 'ContextManifest' | 'ClarificationRequest' | 'UserReport',
): string | null => {
  const artifact = record.latest(type);
  return artifact ? uriOf(artifact) : null;
};

const budgetsOf = (run: RunContext, record: RunRecord, workers: number, depth: number): RemainingBudgets => ({
  promptRevisions: run.budgets.revisions,
  postExecutionRemediations: run.budgets.remediations,
  remainingPlanToolCalls: Math.max(0, limits.planToolCalls - reservedCalls(record)),
  maximumParallelWorkers: workers,
  maximumSubagentDepth: depth,
});

const terminalAction = (run: RunContext, record: RunRecord, phase: TerminalPhase): TerminalAction => {
  // The run's status knows no failed verification; only the report itself says so (run-machine section 11).
  const failed = record.latest('UserReport')?.body.terminalStatus === 'failed_verification';
  const status = failed ? 'failed_verification' : phase;
  return {
    ...headOf(run),
    kind: 'terminal',
    phase,
    status,
    rationaleSummary: `The run has ended as ${status}; nothing more is accepted.`,
    reportRef: latestUri(record, 'UserReport'),
  };
};

const clarificationAction = (run: RunContext, record: RunRecord): ClarificationAction => {
  const clarificationRequestRef = latestUri(record, 'ClarificationRequest');
  if (clarificationRequestRef === null)
    throw new ProjectionError(
      'ADM-INT-07',
      'The run waits for an answer, but the question is not in its record.',
      'Cancel the run; an operator has to look at the ledger.',
    );
  return {
    ...headOf(run),
    kind: 'clarification',
    phase: 'awaiting_clarification',
    rationaleSummary: 'The run is paused: the user has to answer one question.',
    clarificationRequestRef,
    effectivePermissions: emptyPermissions(),
    remainingBudgets: budgetsOf(run, record, 1, 0),
  };
};

/** What the host may do itself: look around while grounding, the node's own set while executing, else nothing. */
const permissionsOf = (run: RunContext, record: RunRecord, node: PlanNode | null): PermissionSet => {
  if (run.phase === 'context_grounding')
    return keepCapabilities(effectiveFor(record, run.mode), (capability) => capability === 'repository.read');
  if (node === null) return emptyPermissions();
  const excess = firstExcess(node.permissions, effectiveFor(record, run.mode));
  if (excess)
    throw new ProjectionError(
      'ADM-INT-06',
      `Node ${node.id} may do more than this run was authorized for, at ${excess.path}.`,
      'Submit a plan whose nodes stay inside the authorization of the run.',
    );
  return node.permissions;
};

const schemasOf = (run: RunContext, parts: readonly ActionPart[]): Partial<Schemas> => {
  const { accepts, supports } = phaseTable[run.phase];
  const [required, ...others] = accepts;
  return {
    ...(parts.includes('schemas') && required ? { requiredOutputSchema: sharedSchema(required) } : {}),
    ...(parts.includes('alternatives')
      ? {
          additionalOutputSchemas: Object.fromEntries(
            [...others, ...supports].map((type) => [type, sharedSchema(type)]),
          ),
        }
      : {}),
  };
};

type Way = Omit<Brief['alternatives'][number], 'draft' | 'blanks' | 'variants'>;
type Guide = Readonly<{ brief?: Partial<Omit<Brief, 'alternatives'>> & Readonly<{ alternatives?: readonly Way[] }> }>;

const wayOf = ({ draft: _, blanks: __, variants: ___, ...way }: Brief['alternatives'][number]): Way => way;

/** Its alternatives, and its longest lists, can be fetched alone, for a host that shows little of an answer. */
const guideOf = (run: RunContext, record: RunRecord, parts: readonly ActionPart[]): Guide => {
  if (parts.every((part) => part === 'schemas')) return {};
  const { alternatives, ...brief } = briefOf({ run, record });
  const { variants, sources } = brief;
  return {
    brief: {
      ...(parts.includes('variants') && { variants }),
      ...(parts.includes('sources') && { sources }),
      // That there is another way, and when to take it, is told with the brief; how, with the alternatives.
      ...(parts.includes('brief') && { ...brief, alternatives: alternatives.map(wayOf) }),
      ...(parts.includes('alternatives') && { alternatives }),
    },
  };
};

const phaseAction = (run: RunContext, record: RunRecord, parts: readonly ActionPart[]): PartialPhaseAction => {
  const { wire, role, accepts } = phaseTable[run.phase];
  const envelope = envelopeOf(record)?.body.budgets;
  if (!envelope)
    throw new ProjectionError(
      'ADM-INT-02',
      'The run has no envelope in its record.',
      'Cancel the run; an operator has to look at the ledger.',
    );
  const executing = run.phase === 'agent_4_execute';
  const node = executing ? pendingNode(record) : null;
  const plan = executing ? record.latest('WorkPlan')?.body.globalBudgets : undefined;
  const workers = Math.min(envelope.maximumParallelWorkers, plan?.maximumParallelWorkers ?? Number.POSITIVE_INFINITY);
  const depth = Math.min(
    envelope.maximumSubagentDepth,
    node?.permissions.subagents.maximumDepth ?? Number.POSITIVE_INFINITY,
  );
  const required = accepts[0] ?? 'ClarificationRequest';
  return {
    ...headOf(run),
    kind: 'phase',
    phase: wire,
    rationaleSummary: `The ${run.topology} run stands at ${wire}: ${role} owes the ${required}.`,
    logicalRole: role,
    instructionRef: instructionRefOf(run),
    requiredOutputType: required,
    workNodeId: node?.id ?? null,
    inputRefs: [...inputRefsOf(record, run.phase)],
    contextManifestRef: latestUri(record, 'ContextManifest'),
    effectivePermissions: permissionsOf(run, record, node),
    remainingBudgets: budgetsOf(run, record, workers, depth),
    stopConditions: [...stopConditions],
    ...guideOf(run, record, parts),
    ...schemasOf(run, parts),
  };
};

/**
 * The one legal next action of a run: a function of context and record alone, byte-identical at one version. With
 * `parts`, the schemas that were not asked for are absent. Costs what it returns. Rule: run-machine section 12.
 * @throws ProjectionError when the inputs are too many (ADM-INT-05) or the record is damaged (ADM-INT-02, -06, -07)
 */
export function projectNextAction(run: RunContext, record: RunRecord): NextAction;
export function projectNextAction(run: RunContext, record: RunRecord, parts: readonly ActionPart[]): PartialAction;
export function projectNextAction(
  run: RunContext,
  record: RunRecord,
  parts: readonly ActionPart[] = ordinaryParts,
): PartialAction {
  switch (run.status) {
    case 'running':
      return phaseAction(run, record, parts);
    case 'awaiting_clarification':
      return clarificationAction(run, record);
    default:
      return terminalAction(run, record, run.status);
  }
}
