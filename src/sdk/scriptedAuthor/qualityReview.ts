import { uriOf } from '../../../machines/record.ts';
import { isStageLimited, resultsOf } from '../../../machines/rules/derived.ts';
import type { BodyOf } from '../../../schemas/artifacts/index.ts';
import type { QualityDecision } from '../../../schemas/artifacts/quality.ts';
import { executes } from '../../../schemas/vocabulary.ts';
import { allProof, evidenceFor, isJudged, type Proof, proofsOf } from './proof.ts';
import { headOf, latest, latestRef, type Stand } from './stand.ts';
import { correction, remediation } from './workOrder.ts';

type Review = BodyOf<'QualityReview'>;

const remediationOrder = (stand: Stand, sources: readonly string[]): Review['remediationWorkOrder'] => {
  const { criteria, ...order } = remediation(stand);
  return {
    id: 'WO-remediation',
    failedCriterionIds: criteria,
    objective: 'Show every criterion once more, from fresh evidence.',
    ...order,
    sourceRefs: [...sources],
    rationaleSummary: 'The evidence of this plan does not yet carry the criteria.',
  };
};

/** The gate between diagnosis and fix. */
const gateOf = (stand: Stand, proof: readonly string[]): Review['diagnosisGate'] => {
  const { criteria, ...order } = correction(stand);
  return {
    id: 'DG-1',
    status: 'supported',
    rootCause: 'What was asked for is not in the repository yet, as the evidence shows.',
    directEvidenceRefs: [...proof],
    correctionWorkOrder: {
      id: 'WO-correction',
      targetCriterionIds: criteria,
      objective: 'Make the change and read the changed file again.',
      ...order,
      sourceRefs: [...proof],
      rationaleSummary: 'The change that the diagnosis asks for, and its verification.',
    },
    withinApprovedScope: true,
    permissionsSufficient: true,
    rationaleSummary: 'The diagnosis rests on captured evidence alone.',
  };
};

const isWhole = (stand: Stand, proofs: readonly Proof[]): boolean => {
  const plan = latest(stand, 'WorkPlan');
  const done = resultsOf(stand.record, plan).filter(({ body }) => body.status === 'completed').length;
  return (
    proofs.every(({ passes }) => passes) && (!executes(stand.run.requestedMode) || done === plan.body.nodes.length)
  );
};

/**
 * Judges the results of the current plan against the contract. Without a decision: goes on if all is whole, else partial.
 */
export const qualityReview = (stand: Stand, decided?: QualityDecision): Review => {
  const { run, record } = stand;
  const plan = latest(stand, 'WorkPlan');
  const contract = latest(stand, 'TaskContract').body;
  const results = resultsOf(record, plan).map(uriOf);
  const proofs = proofsOf(stand);
  const whole = isWhole(stand, proofs);
  const onward = isStageLimited(record, run.requestedMode) ? 'proceed_to_fix' : 'pass';
  const decision = decided ?? (whole ? onward : 'partial');
  const passes = decision === 'pass' || decision === 'proceed_to_fix';
  const proof = allProof(stand);
  return {
    ...headOf(stand, 'quality-review'),
    taskContractRef: latestRef(stand, 'TaskContract'),
    workPlanRefs: [uriOf(plan)],
    workResultRefs: results,
    rubricId: 'execution-quality-v1',
    acceptanceResults: proofs.map(({ criterionId, passes: shown, evidenceRefs }) => ({
      criterionId,
      status: shown ? 'pass' : 'unverified',
      evidenceRefs: [...evidenceRefs],
      rationaleSummary: 'Read the captured output and compared the statements with it.',
    })),
    ruleCompliance: contract.ruleRefs.map((subjectRef, index) => ({
      id: `R-${index + 1}`,
      subjectRef,
      description: 'The rule was kept.',
      status: 'unverified',
      evidenceRefs: [],
      rationaleSummary: 'This author cannot judge rules.',
    })),
    regressionChecks: [],
    verificationResults: contract.verificationRequirements
      .filter(({ stage }) => isJudged(stand, stage))
      .map((requirement) => {
        const evidenceRefs = evidenceFor(stand, requirement);
        return {
          requirementId: requirement.id,
          capability: requirement.capability,
          status: evidenceRefs.length > 0 && whole && passes ? 'pass' : 'unverified',
          evidenceRefs: [...evidenceRefs],
          rationaleSummary: 'The verification was carried out as an action of the plan.',
        };
      }),
    findings: [],
    hardGates: [
      {
        id: 'G-evidence',
        passed: passes,
        description: 'Every statement of the results is borne out by captured evidence.',
        evidenceRefs: [...proof],
        rationaleSummary: passes ? 'Each observation cites its output.' : 'Not every criterion is carried yet.',
      },
    ],
    score: passes ? 92 : 60,
    remainingRemediations: run.budgets.postExecutionRemediationsRemaining,
    reviewKind: run.phase === 'agent_3_evidence_reverify' ? 'evidence_reverify' : 'spot',
    decision,
    diagnosisGate: decision === 'proceed_to_fix' ? gateOf(stand, proof) : null,
    remediationWorkOrder: decision === 'remediate' ? remediationOrder(stand, [uriOf(plan), ...results]) : null,
    rationaleSummary: `The results were compared with the contract; the decision is ${decision}.`,
  };
};
