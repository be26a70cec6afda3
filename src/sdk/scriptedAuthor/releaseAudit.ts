import { freeId } from '../../../machines/companions/freeId.ts';
import { artifactUri, uriOf } from '../../../machines/record.ts';
import type { BodyOf } from '../../../schemas/artifacts/index.ts';
import type { AuditDecision } from '../../../schemas/artifacts/release.ts';
import { allProof, proofsOf } from './proof.ts';
import { headOf, latest, latestRef, requestOf, type Stand } from './stand.ts';
import { clipped, userWord } from './wording.ts';
import { remediation } from './workOrder.ts';

type Audit = BodyOf<'ReleaseAudit'>;

const longestClaim = 4000;

/** What the cited evidence shows, in its own summaries; the requirement where nothing was captured. */
const claimText = ({ record }: Stand, requirement: string, refs: readonly string[]): string => {
  const cited = record.all('Evidence').filter((one) => refs.includes(uriOf(one)));
  return clipped(cited.length > 0 ? cited.map(({ body }) => body.summary).join(' ') : requirement, longestClaim);
};

const naturalDecision = (stand: Stand): AuditDecision => {
  const { decision } = latest(stand, 'QualityReview').body;
  const { outcomeHint } = stand.run;
  if (decision === 'block' || outcomeHint === 'blocked') return 'block';
  return decision === 'pass' && outcomeHint === null ? 'release' : 'partial';
};

const defectOf = (stand: Stand): Audit['remediationDefect'] => {
  const { criteria, ...order } = remediation(stand);
  return {
    id: 'D-1',
    failedCriterionIds: criteria,
    description: 'The claims should rest on fresh evidence.',
    ...order,
    sourceRefs: [latestRef(stand, 'QualityReview')],
    returnToRole: 'quality_controller',
    rationaleSummary: 'Found while comparing claims and evidence.',
  };
};

/** A claim that rests on the request alone, under a criterion that is shown already. */
const wordOfUser = (stand: Stand, criterionId: string): Audit['claimEvidenceMatrix'][number] => ({
  claimId: 'claim-by-user',
  claim: userWord,
  criterionIds: [criterionId],
  basis: 'user_reported',
  status: 'supported',
  evidenceRefs: [requestOf(stand).ref],
  rationaleSummary: 'Only the words of the user say so.',
});

/**
 * Compares what is claimed with what was captured, and reserves the id of the report.
 *
 * @param decided what follows from review and hint when left out
 * @param userReported whether a claim on the user's word alone is added
 */
export const releaseAudit = (stand: Stand, decided?: AuditDecision, userReported = false): Audit => {
  const { run, record } = stand;
  const request = requestOf(stand);
  const criteria = new Map(
    latest(stand, 'TaskContract').body.acceptanceCriteria.map(({ id, requirement }) => [id, requirement]),
  );
  const decision = decided ?? naturalDecision(stand);
  const supported = proofsOf(stand).filter(({ passes, evidenceRefs }) => passes && evidenceRefs.length > 0);
  const proof = [...allProof(stand)].filter((ref) => !record.all('WorkResult').some((one) => uriOf(one) === ref));
  const released = decision === 'release';
  return {
    ...headOf(stand, 'audit'),
    originalRequestRef: request.ref,
    taskContractRef: latestRef(stand, 'TaskContract'),
    workPlanRefs: record.all('WorkPlan').map(uriOf),
    workResultRefs: record.all('WorkResult').map(uriOf),
    qualityReviewRef: latestRef(stand, 'QualityReview'),
    userFidelity: [
      {
        id: 'U-1',
        subjectRef: request.ref,
        description: 'The answer stays with the request and its mode.',
        status: proof.length > 0 ? 'pass' : 'unverified',
        evidenceRefs: proof,
        rationaleSummary: 'Compared the claims with the words of the request.',
      },
    ],
    modeCompliance: 'pass',
    claimEvidenceMatrix: [
      ...supported.map(({ criterionId, evidenceRefs }) => ({
        claimId: `claim-${criterionId}`,
        claim: claimText(stand, criteria.get(criterionId) ?? criterionId, evidenceRefs),
        criterionIds: [criterionId],
        basis: 'direct' as const,
        status: 'supported' as const,
        evidenceRefs: [...evidenceRefs],
        rationaleSummary: 'The cited evidence shows it.',
      })),
      ...(userReported ? [...criteria.keys()].slice(0, 1).map((id) => wordOfUser(stand, id)) : []),
    ],
    unresolvedRisks: released ? [] : ['Not every criterion could be shown in this run.'],
    findings: [],
    remainingRemediations: run.budgets.postExecutionRemediationsRemaining,
    decision,
    remediationDefect: decision === 'remediate' ? defectOf(stand) : null,
    userReportRef: decision === 'remediate' ? null : artifactUri(run.runId, freeId(record, 'report', '')),
    rationaleSummary: `Each claim was compared with its evidence; the decision is ${decision}.`,
  };
};
