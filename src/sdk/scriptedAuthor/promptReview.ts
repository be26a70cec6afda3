import { requiredCoverage } from '../../../machines/rules/promptReview.ts';
import type { BodyOf } from '../../../schemas/artifacts/index.ts';
import { type ContractDecision, readinessScore } from '../../../schemas/artifacts/promptReview.ts';
import { headOf, latest, latestRef, type Stand } from './stand.ts';

type Review = BodyOf<'PromptReview'>;

const scores = {
  intentFidelity: 95,
  repositoryGrounding: 90,
  constraintsAndPermissions: 95,
  testableAcceptance: 90,
  executionFeasibility: 90,
  contextEfficiency: 85,
} as const;

const findingsOf = (decision: ContractDecision, contractRef: string): Review['findings'] =>
  decision === 'pass'
    ? []
    : [
        {
          id: 'PF-1',
          severity: 'blocking',
          claim:
            decision === 'revise'
              ? 'The contract does not say when to stop for lack of tool calls.'
              : 'The contract cannot be carried out as it stands.',
          sourceRefs: [contractRef],
          rubricDimension: 'executionFeasibility',
          requiredCorrection: decision === 'revise' ? 'Add the stop condition.' : null,
          preserveFields: ['scope', 'acceptanceCriteria'],
          correctionFields: decision === 'revise' ? ['stopConditions'] : [],
          rationaleSummary: 'Found while reading the stop conditions.',
        },
      ];

/** Judges the current contract: passes it unless something else was decided. */
export const promptReview = (stand: Stand, decision: ContractDecision = 'pass'): Review => {
  const contract = latest(stand, 'TaskContract');
  const contractRef = latestRef(stand, 'TaskContract');
  return {
    ...headOf(stand, 'prompt-review'),
    targetRef: contractRef,
    rubricId: 'contract-readiness-v1',
    revisionNumber: contract.body.version - 1,
    coverage: (requiredCoverage(stand.record) ?? []).map(({ sourceRef, contractFields }) => ({
      sourceRef,
      contractFields: [...contractFields],
      status: 'covered',
    })),
    dimensionScores: scores,
    overallScore: readinessScore(scores),
    hardGates: [
      {
        id: 'G-authority',
        passed: decision !== 'block',
        description: 'The permissions of the contract stay inside the authority of the run.',
        evidenceRefs: [contractRef],
        rationaleSummary: 'Compared the permissions of the contract with those of the envelope.',
      },
    ],
    findings: findingsOf(decision, contractRef),
    decision,
    rationaleSummary: `The contract was compared with request and frame; the decision is ${decision}.`,
  };
};
