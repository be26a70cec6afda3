import { capabilitiesOf } from '../../../machines/permissions/permissionSet.ts';
import { uriOf } from '../../../machines/record.ts';
import { resultsOf } from '../../../machines/rules/derived.ts';
import type { BodyOf } from '../../../schemas/artifacts/index.ts';
import type { QualityDecision } from '../../../schemas/artifacts/quality.ts';
import { executes } from '../../../schemas/vocabulary.ts';
import { allProof, evidenceOf, type Proof, proofsOf } from './proof.ts';
import type { Script } from './script.ts';
import { due, headOf, latest, latestRef, type Stand } from './stand.ts';

type Review = BodyOf<'QualityReview'>;

const orderedCalls = 24;

const orderOf = (stand: Stand, sources: readonly string[]): Review['remediationWorkOrder'] => {
  const contract = latest(stand, 'TaskContract').body;
  const wanted = new Set<string>(contract.verificationRequirements.map(({ capability }) => capability));
  return {
    id: 'WO-1',
    failedCriterionIds: contract.acceptanceCriteria.map(({ id }) => id),
    objective: 'Show every criterion once more, from fresh evidence.',
    allowedCapabilities: capabilitiesOf(contract.permissions).filter((capability) => wanted.has(capability)),
    permissions: contract.permissions,
    sourceRefs: [...sources],
    maximumToolCalls: orderedCalls,
    rationaleSummary: 'The evidence of this plan does not yet carry the criteria.',
  };
};

const isWhole = (stand: Stand, proofs: readonly Proof[]): boolean => {
  const plan = latest(stand, 'WorkPlan');
  const done = resultsOf(stand.record, plan).filter(({ body }) => body.status === 'completed').length;
  return (
    proofs.every(({ passes }) => passes) && (!executes(stand.run.requestedMode) || done === plan.body.nodes.length)
  );
};

/** Judges the results of the current plan against the contract. */
export const qualityReview = (stand: Stand, script: Script): Review => {
  const { run, record } = stand;
  const plan = latest(stand, 'WorkPlan');
  const contract = latest(stand, 'TaskContract').body;
  const results = resultsOf(record, plan).map(uriOf);
  const proofs = proofsOf(stand);
  const whole = isWhole(stand, proofs);
  const decision: QualityDecision =
    due(script.quality, record.all('QualityReview').length) ?? (whole ? 'pass' : 'partial');
  const passes = decision === 'pass';
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
    verificationResults: contract.verificationRequirements.map(({ id, capability }) => {
      const evidenceRefs = evidenceOf(stand, capability);
      return {
        requirementId: id,
        capability,
        status: evidenceRefs.length > 0 && whole ? 'pass' : 'unverified',
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
    diagnosisGate: null,
    remediationWorkOrder: decision === 'remediate' ? orderOf(stand, [uriOf(plan), ...results]) : null,
    rationaleSummary: `The results were compared with the contract; the decision is ${decision}.`,
  };
};
