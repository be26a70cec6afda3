import { uriOf } from '../../../machines/record.ts';
import { effectiveFor } from '../../../machines/rules/derived.ts';
import type { BodyOf } from '../../../schemas/artifacts/index.ts';
import type { CorrectionField } from '../../../schemas/artifacts/shared.ts';
import type { Product } from '../author.ts';
import { headOf, latest, latestRef, requestOf, type Stand } from './stand.ts';
import { tasksOf } from './tasks.ts';

type Contract = BodyOf<'TaskContract'>;

const firstContract = (stand: Stand): Contract => {
  const { run, record } = stand;
  const frame = latest(stand, 'ProblemFrame').body;
  const sources = [
    ...frame.knownFacts.flatMap(({ provenance, sourceRef }) => (provenance === 'user' ? [] : [sourceRef])),
    ...frame.inferences.flatMap(({ sourceRefs }) => sourceRefs),
    latestRef(stand, 'ContextManifest'),
  ];
  return {
    ...headOf(stand, 'contract'),
    version: 1,
    originalRequestRef: requestOf(stand).ref,
    problemFrameRef: latestRef(stand, 'ProblemFrame'),
    intentMode: run.requestedMode,
    objective: frame.goal,
    scope: frame.scope,
    constraints: frame.constraints,
    nonGoals: frame.nonGoals,
    contextRefs: [...new Set(sources)],
    ruleRefs: frame.applicableRuleRefs,
    permissions: effectiveFor(record, run.requestedMode),
    acceptanceCriteria: frame.draftAcceptanceCriteria,
    requiredOutputs: ['An answer whose statements cite their evidence.'],
    verificationRequirements: tasksOf(stand).flatMap(({ criterion, verification }) =>
      verification === null
        ? []
        : [
            {
              id: verification.id,
              stage: criterion.stage,
              description: verification.check,
              required: true,
              capability: verification.capability,
              fallback: null,
            },
          ],
    ),
    stopConditions: ['Stop before anything that the permissions of this contract do not name.'],
    assumptions: [],
    unresolvedQuestions: [],
    rationaleSummary: 'The contract repeats the frame, takes the effective authority and verifies each criterion once.',
  };
};

/** A changed value for each field that a review may have corrected. */
const corrections: { readonly [F in CorrectionField]: (contract: Contract) => Pick<Contract, F> } = {
  objective: ({ objective }) => ({ objective: `${objective.slice(0, 8000)} (as corrected)` }),
  contextRefs: ({ contextRefs, problemFrameRef }) => ({ contextRefs: [...contextRefs, problemFrameRef] }),
  requiredOutputs: ({ requiredOutputs }) => ({ requiredOutputs: [...requiredOutputs, 'A list of what stayed open.'] }),
  verificationRequirements: ({ verificationRequirements }) => ({
    verificationRequirements: verificationRequirements.map((one) => ({
      ...one,
      fallback: 'Report the criterion as unverified.',
    })),
  }),
  stopConditions: ({ stopConditions }) => ({
    stopConditions: [...stopConditions, 'Stop when the reserved tool calls are used up.'],
  }),
  assumptions: ({ assumptions }) => ({
    assumptions: [
      ...assumptions,
      { id: 'A-revision', text: 'The repository does not change meanwhile.', sourceRefs: [], reversible: true },
    ],
  }),
  unresolvedQuestions: ({ unresolvedQuestions }) => ({
    unresolvedQuestions: [...unresolvedQuestions, 'Whether more files should have been selected.'],
  }),
  rationaleSummary: () => ({ rationaleSummary: 'Revised as the review asked; everything else stands as it was.' }),
};

const revisedContract = (stand: Stand): Contract => {
  const before = latest(stand, 'TaskContract').body;
  const asked = latest(stand, 'PromptReview').body.findings.filter(
    ({ severity, requiredCorrection }) => severity === 'blocking' && requiredCorrection !== null,
  );
  const fields = new Set(asked.flatMap(({ correctionFields }) => correctionFields));
  const changed = [...fields].map((field) => corrections[field](before));
  return Object.assign({ ...before, ...headOf(stand, 'contract'), version: 2 }, ...changed);
};

/** The first contract from the frame; after a review that asked for it, the revision. */
export const taskContract = (stand: Stand): Product => {
  const before = stand.record.latest('TaskContract');
  if (!before) return { type: 'TaskContract', body: firstContract(stand) };
  return {
    type: 'TaskContract',
    body: revisedContract(stand),
    sourceRefs: [uriOf(before), latestRef(stand, 'PromptReview')],
  };
};
