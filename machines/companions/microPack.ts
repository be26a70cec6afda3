import type { BodyOf } from '../../schemas/artifacts/index.ts';
import { type ActionCapability, limits, schemaVersion } from '../../schemas/vocabulary.ts';
import type { RunContext } from '../context.ts';
import { type Artifact, artifactUri, type RunRecord, uriOf } from '../record.ts';
import { effectiveFor, originalRequestRef } from '../rules/derived.ts';
import { freeId } from './freeId.ts';
import { sealed } from './sealed.ts';

export interface MicroPack {
  readonly contract: Artifact<'TaskContract'>;
  readonly plan: Artifact<'WorkPlan'>;
}

const stop = 'Stop when the work would leave the scope of this one criterion; a larger run has to carry it.';

/** A report has nothing to execute; its node stands for the answer that is judged. */
const tools = (fixes: boolean): readonly ActionCapability[] => (fixes ? ['repository.read', 'repository.write'] : []);

const checksOf = (fixes: boolean): BodyOf<'TaskContract'>['verificationRequirements'] =>
  fixes
    ? [
        {
          id: 'VR-MICRO',
          stage: 'completion',
          description: 'Read the changed file again after the last change and compare it with the criterion.',
          required: true,
          capability: 'repository.read',
          fallback: 'If the file cannot be read again, stop and report the change as unverified.',
        },
      ]
    : [];

/** What the frame rests on beside the user's own words, and the manifest, each once; at most one list's worth. */
const contextOf = (frame: BodyOf<'ProblemFrame'>, manifestRef: string | null): string[] => {
  const refs = new Set([
    ...frame.knownFacts.flatMap(({ provenance, sourceRef }) => (provenance === 'user' ? [] : [sourceRef])),
    ...frame.inferences.flatMap(({ sourceRefs }) => sourceRefs),
  ]);
  // The sources are a duty (CONTRACT-03), the manifest is not: a frame that cites all that it may leaves no room for it.
  if (manifestRef !== null && refs.size < limits.references) refs.add(manifestRef);
  return [...refs];
};

/**
 * The contract and the one-node plan that the controller writes beside the frame of a micro run, both inside EFF(mode).
 * Rule: run-machine section 6.3 with D5 and D6.
 * @param record the record before the frame is stored
 */
export const microPack = (
  run: RunContext,
  record: RunRecord,
  frame: Artifact<'ProblemFrame'>,
  at: string,
): MicroPack => {
  const { runId, mode } = run;
  const fixes = mode === 'fix_only';
  const manifest = record.latest('ContextManifest');
  const manifestRef = manifest ? uriOf(manifest) : null;
  const permissions = effectiveFor(record, mode);
  const contextRefs = contextOf(frame.body, manifestRef);
  const criteria = frame.body.draftAcceptanceCriteria;
  const calls = fixes ? 8 : 0;

  const contractId = freeId(record, 'contract', frame.id);
  const contract: BodyOf<'TaskContract'> = {
    schemaVersion,
    id: contractId,
    runId,
    version: 1,
    originalRequestRef: originalRequestRef(record) ?? frame.body.originalRequestRef,
    problemFrameRef: uriOf(frame),
    intentMode: mode,
    objective: frame.body.goal,
    scope: frame.body.scope,
    constraints: frame.body.constraints,
    nonGoals: frame.body.nonGoals,
    contextRefs,
    ruleRefs: frame.body.applicableRuleRefs,
    permissions,
    acceptanceCriteria: criteria,
    requiredOutputs: [
      fixes
        ? 'A WorkResult with the change and the evidence that the criterion is met.'
        : 'An answer whose statements cite their evidence.',
    ],
    verificationRequirements: checksOf(fixes),
    stopConditions: [stop],
    assumptions: [],
    unresolvedQuestions: [],
    rationaleSummary: 'Written by the controller: a micro run takes its contract from the frame as it stands.',
  };

  const planId = freeId(record, 'plan', frame.id);
  const contractRef = artifactUri(runId, contractId);
  const plan: BodyOf<'WorkPlan'> = {
    schemaVersion,
    id: planId,
    runId,
    taskContractRef: contractRef,
    executionMode: 'serial',
    nodes: [
      {
        id: 'micro-execute',
        logicalRole: 'executor',
        objective: frame.body.goal,
        dependsOn: [],
        inputRefs: [contractRef],
        contextRefs,
        allowedTools: [...tools(fixes)],
        requiredCapabilities: [...tools(fixes)],
        permissions,
        outputType: 'WorkResult',
        acceptanceCriteria: criteria.map(({ id }) => id),
        stopConditions: [stop],
        budgets: { maximumToolCalls: calls, maximumChildren: 0 },
      },
    ],
    joinRules: [],
    globalBudgets: { maximumToolCalls: calls, maximumParallelWorkers: 1, maximumSubagentDepth: 0 },
    planValidation: 'valid',
    rationaleSummary: 'Written by the controller: one node carries the whole of a micro run.',
  };

  const sources = manifestRef === null ? [uriOf(frame)] : [uriOf(frame), manifestRef];
  return {
    contract: sealed('TaskContract', 'task_compiler', { runId, id: contractId, createdAt: at }, contract, sources),
    plan: sealed('WorkPlan', 'quality_controller', { runId, id: planId, createdAt: at }, plan, [contractRef]),
  };
};
