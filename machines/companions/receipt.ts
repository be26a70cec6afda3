import { createHash } from 'node:crypto';
import type { BodyOf } from '../../schemas/artifacts/index.ts';
import { digest } from '../../schemas/canonical.ts';
import { schemaVersion } from '../../schemas/vocabulary.ts';
import type { RunContext } from '../context.ts';
import { type AnyArtifact, type Artifact, parseArtifactUri, type RunRecord, uriOf } from '../record.ts';
import { freeId } from './freeId.ts';
import { sealed } from './sealed.ts';

type Review = Artifact<'QualityReview'>;
type Entry = BodyOf<'ReceiptAudit'>['claimEvidenceMatrix'][number];

export interface Receipt {
  readonly receipt: Artifact<'ReceiptAudit'>;
  /** The cited references whose digests hold, sorted: the inputs of `digest_verified`. */
  readonly verifiedRefs: readonly string[];
  /** The summary of `digest_verified`, which is written for a verified receipt alone. */
  readonly summary: string;
}

const maximumId = 128;

/** The artifact that a reference names in this run; in the linked run only Evidence may be cited. */
const cited = (record: RunRecord, ref: string): AnyArtifact | undefined => {
  const at = parseArtifactUri(ref);
  if (at?.runId === record.runId) return record.get(at.id);
  const { prior } = record;
  if (!at || !prior?.exists || at.runId !== prior.runId) return undefined;
  const found = prior.get(at.id);
  return found?.type === 'Evidence' ? found : undefined;
};

/**
 * Whether the artifact behind a reference is there and its body still has the digest that it was stored with; anything
 * but such a reference fails. Rule: admission RECEIPT-03, with `:` in ids and evidence of the linked run.
 */
export const digestHolds =
  (record: RunRecord) =>
  (ref: string): boolean => {
    const artifact = cited(record, ref);
    return artifact !== undefined && digest(artifact.body) === artifact.sha256;
  };

const citedBy = ({ body }: Review): readonly string[] => [
  ...new Set(
    [
      body.acceptanceResults,
      body.verificationResults,
      body.hardGates,
      body.ruleCompliance,
      body.regressionChecks,
    ].flatMap((checks) => checks.flatMap(({ evidenceRefs }) => evidenceRefs)),
  ),
];

/** `claim-<criterionId>`, or by number where that would be too long for an id or is taken (RECEIPT-02). */
const claimIds = (criterionIds: readonly string[]): readonly string[] => {
  const taken = new Set<string>();
  const names = criterionIds.map((id) => `claim-${id}`);
  const plain = new Set(names);
  return names.map((name, index) => {
    let id = name;
    for (let number = index + 1; id.length > maximumId || taken.has(id); number += 1) {
      const numbered = `claim-number-${number}`;
      id = taken.has(numbered) || plain.has(numbered) ? name : numbered;
    }
    taken.add(id);
    return id;
  });
};

const isDue = (run: RunContext, record: RunRecord, review: Review): boolean =>
  run.topology !== 'forensic' && review.body.decision === 'pass' && record.latest('ReceiptAudit') === undefined;

/**
 * The receipt of the first passing review of a micro or standard run, or null when none is due: it recomputes the
 * digest of everything that the review cites. Rules: run-machine section 8, admission RECEIPT-01 to -03.
 * @param record the record before the review is stored
 * @param verify whether a reference holds; by default the digest is recomputed
 */
export const receiptFor = (
  run: RunContext,
  record: RunRecord,
  review: Review,
  at: string,
  verify: (ref: string) => boolean = digestHolds(record),
): Receipt | null => {
  if (!isDue(run, record, review)) return null;
  const refs = citedBy(review);
  const verifiedRefs = refs.filter(verify).sort();
  const holds = new Set(verifiedRefs);
  const requirements = new Map(
    record.latest('TaskContract')?.body.acceptanceCriteria.map(({ id, requirement }) => [id, requirement]),
  );
  const ids = claimIds(review.body.acceptanceResults.map(({ criterionId }) => criterionId));

  const matrix = review.body.acceptanceResults.map(
    ({ criterionId, status, evidenceRefs, rationaleSummary }, index): Entry => {
      const supported = status === 'pass' && evidenceRefs.length > 0 && evidenceRefs.every((ref) => holds.has(ref));
      return {
        claimId: ids[index] ?? `claim-${criterionId}`,
        claim: requirements.get(criterionId) ?? rationaleSummary,
        criterionIds: [criterionId],
        basis: 'direct',
        status: supported ? 'supported' : 'unverified',
        evidenceRefs,
        rationaleSummary: supported
          ? 'The review passed it and the digest of each piece of evidence holds.'
          : 'Not passed by the review, or a piece of its evidence could not be verified.',
      };
    },
  );

  const verified = verifiedRefs.length === refs.length && matrix.every(({ status }) => status === 'supported');
  const id = freeId(record, 'receipt', review.id);
  const reviewRef = uriOf(review);
  const body: BodyOf<'ReceiptAudit'> = {
    schemaVersion,
    id,
    runId: run.runId,
    controllingReviewRef: reviewRef,
    claimEvidenceMatrix: matrix,
    digestStatus: verified ? 'verified' : 'failed',
    verifiedAt: at,
  };
  return {
    receipt: sealed('ReceiptAudit', 'controller', { runId: run.runId, id, createdAt: at }, body, [reviewRef]),
    verifiedRefs,
    summary: `sha256:${createHash('sha256').update(verifiedRefs.join('|')).digest('hex')}`,
  };
};
