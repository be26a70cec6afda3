import { type BookEntry, type Query, rule, type Said } from './book.ts';
import { type Audit, distinct } from './derived.ts';
import { setDifference } from './equality.ts';
import { listFault } from './listFault.ts';
import { kindOf } from './reportStatus.ts';
import { told } from './wording.ts';

/** Rules of the completion claims of a report that follows an audit (admission section 12, rows 16 and 17). */

const about = ['UserReport'] as const;

type Claim = Query<'UserReport'>['body']['completionClaims'][number];
type Audited = Audit['body']['claimEvidenceMatrix'][number];

/** The audit that a report follows; undefined where another set of rules judges it. */
export const auditOf = ({ run, record }: Query<'UserReport'>): Audit | undefined =>
  kindOf(run) === 'audited' ? record.latest('ReleaseAudit') : undefined;

/** How a claim differs from the audited claim of the same id. */
function* claimFaults(claim: Claim, audited: Audited, path: string): Generator<Said> {
  if (audited.status !== 'supported')
    yield {
      path,
      message: `Claim ${claim.id} was audited as ${audited.status}, so it cannot be reported.`,
      expected: { absent: true },
      fix: 'Take the claim out.',
    };
  if (claim.text !== audited.claim)
    yield {
      path: `${path}.text`,
      message: `The text of claim ${claim.id} differs from the audited one.`,
      ...told(audited.claim),
      fix: 'Repeat the audited text word for word.',
    };
  if ((audited.basis === 'user_reported') !== (claim.status === 'user_reported'))
    yield {
      path: `${path}.status`,
      message: `Claim ${claim.id} is ${claim.status}, but its audited basis is ${audited.basis}.`,
      expected: audited.basis === 'user_reported' ? 'user_reported' : 'observed',
      fix:
        audited.basis === 'user_reported'
          ? 'Set its status to user_reported.'
          : 'Set its status to observed, or to inferred if it was concluded.',
    };
  if (setDifference(claim.evidenceRefs, audited.evidenceRefs))
    yield {
      path: `${path}.evidenceRefs`,
      message: `The evidence of claim ${claim.id} differs from the audited evidence.`,
      ...told(distinct(audited.evidenceRefs)),
      fix: 'Cite exactly the audited evidence, each reference once.',
    };
}

export const claimRules: readonly BookEntry[] = [
  rule({
    code: 'ADM-REPORT-16',
    types: about,
    part: 'own',
    text: 'Each completion claim repeats a supported claim of the audit: id, text, basis and evidence.',
    reads: ['ReleaseAudit'],
    refusal: 'rule_broken',
    *check(query) {
      const audit = auditOf(query);
      if (!audit) return;
      const audited = new Map(audit.body.claimEvidenceMatrix.map((claim) => [claim.claimId, claim]));
      const free = audit.body.claimEvidenceMatrix.flatMap(({ claimId, status }) =>
        status === 'supported' && !query.body.completionClaims.some(({ id }) => id === claimId) ? [claimId] : [],
      );
      for (const [index, claim] of query.body.completionClaims.entries()) {
        const same = audited.get(claim.id);
        if (same) yield* claimFaults(claim, same, `completionClaims.${index}`);
        else
          yield {
            ...(free.length > 0
              ? { path: `completionClaims.${index}.id`, expected: free }
              : { path: `completionClaims.${index}`, expected: { absent: true } }),
            message: `Claim ${claim.id} was not audited.`,
            fix: 'Take the claim out, or use the id of the audited claim that it repeats.',
          };
      }
    },
  }),
  rule({
    code: 'ADM-REPORT-17',
    types: about,
    part: 'own',
    text: 'After a release, the report repeats every supported claim once.',
    reads: ['ReleaseAudit'],
    refusal: 'rule_broken',
    check: (query) => {
      const audit = auditOf(query);
      if (audit?.body.decision !== 'release') return [];
      const supported = audit.body.claimEvidenceMatrix.filter(({ status }) => status === 'supported');
      const wanted = supported.map(({ claimId }) => claimId);
      // Claims that were not audited, or not as supported, are told by REPORT-16.
      const given = query.body.completionClaims.map(({ id }) => id).filter((id) => wanted.includes(id));
      return listFault('completionClaims', 'completionClaims', given, wanted, 'id');
    },
  }),
];
