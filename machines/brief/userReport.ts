import type { Variant } from '../../schemas/brief.ts';
import { parseArtifactUri, type RunRecord, uriOf } from '../record.ts';
import { type Audit, distinct } from '../rules/derived.ts';
import { kindOf, statusesNow } from '../rules/reportStatus.ts';
import { requiredResults } from '../rules/userReport.ts';
import { choice, type Draft, headOf, list, most, rationale, type Stand, text, texts } from './draft.ts';

type Entry = Audit['body']['claimEvidenceMatrix'][number];

/** A claim as it was judged, word for word. */
const claim = ({ claimId, claim: words, basis, evidenceRefs }: Entry) => ({
  id: claimId,
  text: words,
  status: basis === 'user_reported' ? 'user_reported' : 'observed',
  evidenceRefs: distinct(evidenceRefs),
  confidence: 1,
});

const supported = (matrix: readonly Entry[]): readonly ReturnType<typeof claim>[] =>
  matrix.filter(({ status }) => status === 'supported').map(claim);

/** What the record says for a report of each of the three kinds (admission section 12). */
interface Basis {
  readonly id?: string | undefined;
  readonly claims: readonly ReturnType<typeof claim>[];
  readonly findingRefs: readonly string[];
  readonly permissionsHonored: boolean;
  /** Nothing in the record forbids to say that the run is completed. */
  readonly certified: boolean;
}

const refs = (...artifacts: readonly (Parameters<typeof uriOf>[0] | undefined)[]): readonly string[] =>
  artifacts.flatMap((artifact) => (artifact ? [uriOf(artifact)] : []));

const afterBlock = ({ run, record }: Stand): Basis => {
  const blocker = record.latest(run.blockedBy === 'question' ? 'ClarificationRequest' : 'PromptReview');
  return { claims: [], findingRefs: refs(blocker), permissionsHonored: true, certified: false };
};

/** The receipt of an earlier review certifies nothing of the latest one. */
const afterSpotReview = ({ record }: Stand): Basis => {
  const review = record.latest('QualityReview');
  const receipt = record.latest('ReceiptAudit');
  const isCurrent =
    receipt !== undefined && review !== undefined && receipt.body.controllingReviewRef === uriOf(review);
  return {
    claims: isCurrent ? supported(receipt.body.claimEvidenceMatrix) : [],
    findingRefs: refs(review),
    permissionsHonored: true,
    certified: isCurrent && receipt.body.digestStatus === 'verified',
  };
};

const afterAudit = ({ record }: Stand): Basis => {
  const audit = record.latest('ReleaseAudit');
  const honored = audit?.body.modeCompliance === 'pass';
  return {
    id: parseArtifactUri(audit?.body.userReportRef ?? '')?.id,
    claims: supported(audit?.body.claimEvidenceMatrix ?? []),
    findingRefs: refs(audit),
    permissionsHonored: honored,
    certified: honored,
  };
};

const basisOf = (stand: Stand): Basis => {
  switch (kindOf(stand.run)) {
    case 'blocked':
      return afterBlock(stand);
    case 'micro':
      return afterSpotReview(stand);
    case 'audited':
      return afterAudit(stand);
  }
};

const when: Readonly<Record<ReturnType<typeof statusesNow>[number], string>> = {
  completed: 'The work is done and shown.',
  partial: 'Part of it is done or shown.',
  failed_verification: 'A required check did not pass, and that is what the user must know.',
  blocked: 'The work could not be carried to a result.',
};

const diffsIn = (record: RunRecord): readonly string[] =>
  distinct(record.all('WorkResult').flatMap(({ body }) => body.filesChanged.map(({ diffRef }) => diffRef)));

/**
 * The draft of a UserReport: the claims as they were audited or certified, the changes, the evidence of what was verified,
 * and the statuses that the run may end in (guidance section 1, admission section 12).
 */
export const draftOfUserReport = (stand: Stand): Draft => {
  const { run, record } = stand;
  const head = headOf(stand, 'report');
  const basis = basisOf(stand);
  const required = requiredResults(stand);
  const failed = required.some(({ status }) => status !== 'pass');
  const judged = kindOf(run) !== 'blocked';
  const variants = statusesNow(run).flatMap((status): readonly Variant[] => {
    if (status === 'completed' && !(basis.certified && basis.claims.length > 0)) return [];
    if (status === 'failed_verification' && !failed) return [];
    return [{ name: status, when: when[status], patch: { terminalStatus: status }, blanks: [] }];
  });
  return {
    body: {
      ...head,
      id: basis.id ?? head.id,
      terminalStatus: null,
      summary: '',
      completionClaims: basis.claims,
      findingRefs: basis.findingRefs,
      changeRefs: diffsIn(record),
      verificationRefs: judged ? distinct(required.flatMap(({ evidenceRefs }) => evidenceRefs)) : [],
      // What the audit left open must not be lost on the way to the user.
      unresolvedRisks: (record.latest('ReleaseAudit')?.body.unresolvedRisks ?? []).slice(0, most.references),
      permissionsHonored: basis.permissionsHonored,
      nextActions: [],
      traceRef: `trace://${run.runId}`,
      rationaleSummary: '',
    },
    blanks: [
      text('summary', 'What came of the request, for the user.', { maximum: most.text }),
      texts('unresolvedRisks', 'What stays open.', { maximum: most.references }),
      list(
        'nextActions',
        'What the user can do next.',
        {
          value: { id: 'next-01', description: '', requiresAuthorization: null },
          blanks: [
            text('description', ''),
            choice('requiresAuthorization', 'Does it need more than this run was granted?', [false, true]),
          ],
        },
        { maximum: most.references },
      ),
      rationale(),
    ],
    variants,
  };
};
