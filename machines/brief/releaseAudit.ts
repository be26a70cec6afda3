import type { Blank, Variant } from '../../schemas/brief.ts';
import { freeId } from '../companions/freeId.ts';
import { artifactUri, uriOf } from '../record.ts';
import { type Contract, distinct, isStageLimited, originalRequestRef, type Review } from '../rules/derived.ts';
import { choice, type Draft, headOf, list, most, rationale, type Stand, text, texts } from './draft.ts';
import { canPass, numbered, type Verdict, verdict, verdictBlanks, words } from './verdicts.ts';
import { criteriaBlank, type DraftedOrder, draftOrder, orderBlanks, orderBody } from './workOrder.ts';

/** What the check of the request cites: more of it would say no more. */
const mostOfFidelity = 2;

/** One claim a criterion, on the evidence with which the latest review judged it. */
const claimsOf = (contract: Contract, review: Review): readonly Verdict[] => {
  const judged = new Map(review.body.acceptanceResults.map((result) => [result.criterionId, result]));
  return contract.body.acceptanceCriteria.map(({ id }, index) => {
    const { status = 'unverified', evidenceRefs = [] } = judged.get(id) ?? {};
    const shown = evidenceRefs.length > 0;
    return verdict(
      {
        claimId: numbered('claim', index),
        claim: '',
        criterionIds: [id],
        basis: 'direct',
        status: null,
        evidenceRefs,
        rationaleSummary: '',
      },
      [...(shown && status === 'pass' ? ['supported'] : []), ...(shown ? ['unsupported'] : []), 'unverified'],
    );
  });
};

const fidelityOf = ({ record }: Stand, request: string, review: Review): Verdict => {
  const reviewed = distinct(review.body.acceptanceResults.flatMap(({ evidenceRefs }) => evidenceRefs));
  const proof = reviewed.length > 0 ? reviewed : record.all('Evidence').slice(-mostOfFidelity).map(uriOf);
  return verdict(
    {
      id: 'fidelity-01',
      subjectRef: request,
      description: 'Does the outcome answer what the user asked, and nothing else?',
      status: null,
      evidenceRefs: proof.slice(0, mostOfFidelity),
      rationaleSummary: '',
    },
    words(proof.length > 0, true, ['unverified']),
  );
};

/** Findings that stop nothing. */
const remarks = (): Blank =>
  list(
    'findings',
    'Remarks that stop nothing.',
    {
      value: {
        id: 'finding-01',
        severity: null,
        claim: '',
        sourceRefs: [],
        rubricDimension: null,
        requiredCorrection: null,
        preserveFields: [],
        correctionFields: [],
        rationaleSummary: '',
      },
      blanks: [choice('severity', '', ['info', 'warning']), text('claim', 'What you found.'), rationale()],
    },
    { maximum: 16 },
  );

const kept = (answers: readonly string[]): Blank =>
  choice('modeCompliance', 'Was everything done inside mode and permissions?', answers);

interface Judged {
  readonly claims: readonly Verdict[];
  readonly fidelity: readonly Verdict[];
}

const verdicts = ({ claims, fidelity }: Judged, words: 'open' | 'passing'): readonly Blank[] => [
  ...verdictBlanks('claimEvidenceMatrix', 'Does its evidence show the claim?', claims, words),
  ...verdictBlanks('userFidelity', '', fidelity, words),
];

const releaseVariant = (judged: Judged, userReportRef: string): Variant => ({
  name: 'release',
  when: 'Every claim is supported, and the outcome is what was asked for.',
  patch: { decision: 'release', userReportRef },
  blanks: [kept(['pass']), ...verdicts(judged, 'passing')],
});

const remediateVariant = (order: DraftedOrder): Variant => {
  const at = 'remediationDefect';
  return {
    name: 'remediate',
    when: 'Work must be done again; this is the one remediation of the run.',
    patch: {
      decision: 'remediate',
      [at]: {
        ...orderBody('defect-01', order),
        failedCriterionIds: [],
        description: '',
        returnToRole: 'quality_controller',
      },
    },
    blanks: [kept(['pass']), criteriaBlank(at, order), ...orderBlanks(at, order, 'description')],
  };
};

const unreleased = (name: 'partial' | 'block', when: string, userReportRef: string): Variant => ({
  name,
  when,
  patch: { decision: name, userReportRef, unresolvedRisks: [''] },
  blanks: [text('unresolvedRisks[0]', 'What is not settled.')],
});

const defectOf = (stand: Stand, contract: Contract, review: Review, control: string): DraftedOrder | null => {
  const { run, record } = stand;
  if (run.budgets.remediations === 0) return null;
  return draftOrder(stand, {
    contract,
    control,
    mode: isStageLimited(record, run.mode) ? 'analyze_only' : run.mode,
    criteria: contract.body.acceptanceCriteria.map(({ id }) => id),
    sources: [uriOf(review)],
    correcting: false,
  });
};

/**
 * The draft of a ReleaseAudit: the whole lineage, a claim for each criterion with the evidence of its review, and the
 * decisions that the review leaves open (guidance section 1, admission section 11). Null only in a damaged record.
 */
export const draftOfReleaseAudit = (stand: Stand): Draft | null => {
  const { run, record } = stand;
  const contract = record.latest('TaskContract');
  const review = record.latest('QualityReview');
  const request = originalRequestRef(record);
  if (!contract || !review || request === undefined) return null;
  const head = headOf(stand, 'audit');
  const reportRef = artifactUri(run.runId, freeId(record, 'report', ''));
  const judged: Judged = { claims: claimsOf(contract, review), fidelity: [fidelityOf(stand, request, review)] };
  const isReleasable =
    run.quality === 'pass' && run.hint === null && canPass(judged.claims) && canPass(judged.fidelity);
  const defect = run.quality === 'block' ? null : defectOf(stand, contract, review, head.id);
  return {
    body: {
      ...head,
      originalRequestRef: request,
      taskContractRef: uriOf(contract),
      workPlanRefs: record.all('WorkPlan').map(uriOf),
      workResultRefs: record.all('WorkResult').map(uriOf),
      qualityReviewRef: uriOf(review),
      userFidelity: judged.fidelity.map(({ element }) => element),
      modeCompliance: null,
      claimEvidenceMatrix: judged.claims.map(({ element }) => element),
      unresolvedRisks: [],
      findings: [],
      remainingRemediations: run.budgets.remediations,
      decision: null,
      remediationDefect: null,
      userReportRef: null,
      rationaleSummary: '',
    },
    blanks: [
      kept(['pass', 'fail']),
      text('claimEvidenceMatrix[*].claim', 'What holds of its criterion, as the user should read it.'),
      ...verdicts(judged, 'open'),
      text('claimEvidenceMatrix[*].rationaleSummary', 'Why.'),
      text('userFidelity[*].rationaleSummary', 'Why.'),
      texts('unresolvedRisks', 'What the user should know.', { maximum: most.references }),
      remarks(),
      rationale(),
    ],
    variants: [
      ...(isReleasable ? [releaseVariant(judged, reportRef)] : []),
      ...(defect ? [remediateVariant(defect)] : []),
      ...(run.quality === 'block'
        ? []
        : [unreleased('partial', 'Some of it is shown; the rest stays open.', reportRef)]),
      unreleased('block', 'The outcome must not be relied on.', reportRef),
    ],
  };
};
