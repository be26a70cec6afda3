import { type Artifact, parseArtifactUri, uriOf } from '../../../machines/record.ts';
import { distinct } from '../../../machines/rules/derived.ts';
import type { BodyOf } from '../../../schemas/artifacts/index.ts';
import type { TerminalStatus } from '../../../schemas/vocabulary.ts';
import { proofsOf } from './proof.ts';
import { headOf, requestOf, type Stand } from './stand.ts';
import { clipped, userWord } from './wording.ts';

type Report = BodyOf<'UserReport'>;

const afterAudit = {
  release: 'completed',
  partial: 'partial',
  block: 'blocked',
  remediate: 'blocked',
} as const satisfies Record<BodyOf<'ReleaseAudit'>['decision'], TerminalStatus>;

const statusOf = ({ run, record }: Stand, audit: Artifact<'ReleaseAudit'> | undefined): TerminalStatus => {
  if (audit) return afterAudit[audit.body.decision];
  if (run.outcomeHint === 'blocked') return 'blocked';
  return record.latest('QualityReview')?.body.decision === 'pass' ? 'completed' : 'partial';
};

/** The audited claims word for word; under micro, where nothing is audited, what the criteria show. */
const claimsOf = (stand: Stand, audit: Artifact<'ReleaseAudit'> | undefined): Report['completionClaims'] => {
  if (audit)
    return audit.body.claimEvidenceMatrix
      .filter(({ status }) => status === 'supported')
      .map(({ claimId, claim, basis, evidenceRefs }) => ({
        id: claimId,
        text: claim,
        status: basis === 'user_reported' ? 'user_reported' : 'observed',
        evidenceRefs,
        confidence: 1,
      }));
  return proofsOf(stand)
    .filter(({ passes }) => passes)
    .map(({ criterionId, evidenceRefs }) => ({
      id: `claim-${criterionId}`,
      text: `${criterionId} holds.`,
      status: 'observed',
      evidenceRefs: [...evidenceRefs],
      confidence: 1,
    }));
};

/** The references that say why a run ended short. */
const findingRefsOf = ({ record }: Stand): string[] =>
  distinct(
    [
      record.latest('ReleaseAudit') ?? record.latest('QualityReview'),
      record.latest('PromptReview'),
      record.latest('ClarificationRequest'),
    ].flatMap((one) => (one ? [uriOf(one)] : [])),
  ).slice();

const verificationRefsOf = ({ record }: Stand): readonly string[] => {
  const required = new Set(
    record.latest('TaskContract')?.body.verificationRequirements.flatMap(({ id, required: due }) => (due ? [id] : [])),
  );
  const judged = record.latest('QualityReview')?.body.verificationResults ?? [];
  return distinct(
    judged.filter(({ requirementId }) => required.has(requirementId)).flatMap(({ evidenceRefs }) => evidenceRefs),
  );
};

/** A claim that rests on the request alone. */
const wordOfUser = (stand: Stand): Report['completionClaims'][number] => ({
  id: 'claim-by-user',
  text: userWord,
  status: 'user_reported',
  evidenceRefs: [requestOf(stand).ref],
  confidence: 1,
});

/**
 * The honest end: what was shown, what was not, and where to look it up.
 *
 * @param decided what follows from audit, review and hint when left out
 * @param userReported whether a claim on the user's word alone is added under micro, where no audit settles the claims
 */
export const userReport = (stand: Stand, decided?: TerminalStatus, userReported = false): Report => {
  const { run, record } = stand;
  const audit = record.latest('ReleaseAudit');
  const terminalStatus = decided ?? statusOf(stand, audit);
  const judged = audit !== undefined || run.outcomeHint !== 'blocked';
  const shown = judged && terminalStatus !== 'blocked' ? claimsOf(stand, audit) : [];
  // A second question ends a run without any claim.
  const open = run.topology === 'micro' && record.all('ClarificationRequest').length < 2;
  const claims = userReported && open ? [...shown, wordOfUser(stand)] : shown;
  const completed = terminalStatus === 'completed';
  const head = headOf(stand, 'report');
  const reserved = audit?.body.userReportRef ? parseArtifactUri(audit.body.userReportRef)?.id : undefined;
  return {
    ...head,
    id: reserved ?? head.id,
    terminalStatus,
    summary: clipped(
      claims.length > 0
        ? claims.map(({ text }) => text).join('\n')
        : 'The run ended before anything could be shown; the cited findings say why.',
      16_000,
    ),
    completionClaims: claims,
    findingRefs: completed ? [] : findingRefsOf(stand),
    changeRefs: [
      ...distinct(record.all('WorkResult').flatMap(({ body }) => body.filesChanged.map(({ diffRef }) => diffRef))),
    ],
    verificationRefs: [...verificationRefsOf(stand)],
    unresolvedRisks: completed ? [] : ['Not every criterion could be shown in this run.'],
    permissionsHonored: audit ? audit.body.modeCompliance === 'pass' : true,
    nextActions: completed
      ? []
      : [{ id: 'N-1', description: 'Read the cited findings and start a new run.', requiresAuthorization: false }],
    traceRef: `trace://${run.runId}`,
    rationaleSummary: `The report repeats what was shown; the run ends ${terminalStatus}.`,
  };
};
