import { parseArtifactUri, type RunRecord, uriOf } from '../record.ts';
import { type BookEntry, type Query, rule } from './book.ts';
import { distinct } from './derived.ts';
import { listFault } from './listFault.ts';
import { microReportRules } from './microReport.ts';
import { auditOf, claimRules } from './reportClaims.ts';
import { closedBy, kindOf, statusRules, unless } from './reportStatus.ts';
import { listed, told } from './wording.ts';

/** Rules of the UserReport: admission section 12 and the guards MCH-09 to MCH-11 of section 17. */

const about = ['UserReport'] as const;

type ReportQuery = Query<'UserReport'>;

/** The results that the latest review gives to the required verifications of the contract. */
export const requiredResults = ({
  record,
}: Pick<ReportQuery, 'record'>): readonly Readonly<{ status: string; evidenceRefs: readonly string[] }>[] => {
  const required = record.latest('TaskContract')?.body.verificationRequirements.filter((one) => one.required) ?? [];
  const results = record.latest('QualityReview')?.body.verificationResults ?? [];
  // One that the review does not hold was not due: nothing verified it.
  return required.map(
    ({ id }) => results.find(({ requirementId }) => requirementId === id) ?? { status: 'unverified', evidenceRefs: [] },
  );
};

/** Whether a denied action stands in a result of the run. */
const wasDenied = (record: RunRecord): boolean =>
  record.hasDeniedChecks() ||
  record.all('WorkResult').some(({ body }) => body.actions.some(({ status }) => status === 'denied'));

const commonRules: readonly BookEntry[] = [
  rule({
    code: 'ADM-REPORT-01',
    types: about,
    part: 'own',
    text: 'traceRef is the trace of this run.',
    reads: [],
    refusal: 'rule_broken',
    *check({ body, run }) {
      const wanted = `trace://${run.runId}`;
      if (body.traceRef === wanted) return;
      yield {
        path: 'traceRef',
        message: `traceRef is ${body.traceRef}, not the trace of this run.`,
        expected: wanted,
        fix: `Set traceRef to ${wanted}.`,
      };
    },
  }),
  rule({
    code: 'ADM-REPORT-02',
    types: about,
    part: 'own',
    text: 'changeRefs lists each recorded diff of the run once.',
    reads: ['WorkResult'],
    refusal: 'rule_broken',
    check: ({ body, record }) =>
      listFault(
        'changeRefs',
        'changeRefs',
        body.changeRefs,
        distinct(record.all('WorkResult').flatMap((result) => result.body.filesChanged.map(({ diffRef }) => diffRef))),
      ),
  }),
];

const auditedRules: readonly BookEntry[] = [
  rule({
    code: 'ADM-REPORT-08',
    types: about,
    part: 'own',
    text: 'After a block before the audit the report says blocked, claims nothing and cites in findingRefs what blocked the run.',
    reads: ['blockedBy', 'PromptReview', 'ClarificationRequest', 'WorkResult'],
    refusal: 'rule_broken',
    control: unless(
      'ADM-REPORT-08',
      (run, facts) =>
        `terminalStatus is ${facts.decision}, but this run was blocked by ${
          run.blockedBy === 'review' ? 'the review of its contract' : 'a second question'
        } before anything was audited.`,
    ),
    *check({ body, record, run }) {
      if (kindOf(run) !== 'blocked') return;
      const blockers = [record.latest('PromptReview'), record.latest('ClarificationRequest')];
      const refs = (run.blockedBy === 'question' ? blockers.toReversed() : blockers).flatMap((one) =>
        one ? [uriOf(one)] : [],
      );
      if (!refs.some((ref) => body.findingRefs.includes(ref)))
        yield {
          path: 'findingRefs',
          message: `findingRefs holds ${listed(body.findingRefs)}, but not what blocked this run.`,
          ...told([...body.findingRefs, ...refs.slice(0, 1)]),
          fix: `Add ${refs[0]} to findingRefs.`,
        };
      if (body.completionClaims.length > 0)
        yield {
          path: 'completionClaims',
          message: `${body.completionClaims.length} completion claims are made, but nothing was audited.`,
          expected: [],
          fix: 'Leave completionClaims empty; say in summary what was found.',
        };
      if (!body.permissionsHonored && !wasDenied(record))
        yield {
          path: 'permissionsHonored',
          message: 'permissionsHonored is false, but no denied action is recorded in this run.',
          expected: true,
          fix: 'Set permissionsHonored to true.',
        };
    },
  }),
  rule({
    code: 'ADM-REPORT-09',
    types: about,
    part: 'own',
    text: 'The report has the id that the audit reserved for it.',
    reads: ['ReleaseAudit'],
    refusal: 'rule_broken',
    *check(query) {
      const audit = auditOf(query);
      const { body, run } = query;
      const own = uriOf({ runId: run.runId, id: body.id });
      if (!audit || audit.body.userReportRef === own) return;
      const reserved = parseArtifactUri(audit.body.userReportRef ?? '')?.id;
      yield {
        path: 'id',
        message: `The id of the report is ${body.id}, but the audit reserved ${reserved ?? 'none'}.`,
        expected: reserved,
        fix: reserved ? `Set id to ${reserved}.` : 'Have the ledger checked, or cancel the run.',
      };
    },
  }),
  rule({
    code: 'ADM-REPORT-10',
    types: about,
    part: 'own',
    text: 'permissionsHonored is what the audit found: true exactly if modeCompliance passed.',
    reads: ['ReleaseAudit'],
    refusal: 'rule_broken',
    *check(query) {
      const audit = auditOf(query);
      const honored = audit?.body.modeCompliance === 'pass';
      if (!audit || query.body.permissionsHonored === honored) return;
      yield {
        path: 'permissionsHonored',
        message: `permissionsHonored is ${query.body.permissionsHonored}, but modeCompliance of the audit is ${audit.body.modeCompliance}.`,
        expected: honored,
        fix: `Set permissionsHonored to ${honored}.`,
      };
    },
  }),
  rule({
    code: 'ADM-REPORT-11',
    types: about,
    part: 'own',
    text: 'After an audit, a completed report makes at least one completion claim.',
    reads: ['ReleaseAudit'],
    refusal: 'rule_broken',
    *check(query) {
      const { body } = query;
      if (!auditOf(query) || body.terminalStatus !== 'completed' || body.completionClaims.length > 0) return;
      yield {
        path: 'completionClaims',
        message: 'terminalStatus is completed, but no completion claim is made.',
        fix: 'Repeat the supported claims of the audit.',
      };
    },
  }),
  rule({
    code: 'ADM-REPORT-12',
    types: about,
    part: 'own',
    text: 'After an audit, a report that is not completed cites the latest review or the audit in findingRefs.',
    reads: ['ReleaseAudit', 'QualityReview'],
    refusal: 'rule_broken',
    *check(query) {
      const { body, record } = query;
      const audit = auditOf(query);
      if (!audit || body.terminalStatus === 'completed') return;
      const review = record.latest('QualityReview');
      const refs = [audit, ...(review ? [review] : [])].map(uriOf);
      if (refs.some((ref) => body.findingRefs.includes(ref))) return;
      yield {
        path: 'findingRefs',
        message: `findingRefs holds ${listed(body.findingRefs)}, but neither the latest review nor the audit.`,
        ...told([...body.findingRefs, uriOf(audit)]),
        fix: `Add ${refs.join(' or ')} to findingRefs.`,
      };
    },
  }),
  rule({
    code: 'ADM-REPORT-13',
    types: about,
    part: 'own',
    text: 'After an audit, a completed report lists in verificationRefs the evidence of every required verification once, and each of them passed.',
    reads: ['TaskContract', 'QualityReview', 'ReleaseAudit'],
    refusal: 'rule_broken',
    *check(query) {
      const { body, run } = query;
      if (!auditOf(query) || body.terminalStatus !== 'completed' || closedBy(run, 'completed') !== null) return;
      const results = requiredResults(query);
      if (results.some(({ status }) => status !== 'pass'))
        yield {
          path: 'terminalStatus',
          message: 'terminalStatus is completed, but a required verification did not pass in the latest review.',
          fix: 'Have the ledger checked: a release needs every required verification to pass.',
        };
      const evidence = distinct(results.flatMap(({ evidenceRefs }) => evidenceRefs));
      yield* listFault('verificationRefs', 'verificationRefs', body.verificationRefs, evidence);
    },
  }),
  rule({
    code: 'ADM-REPORT-14',
    types: about,
    part: 'own',
    text: 'failed_verification needs a required verification that did not pass in the latest review.',
    reads: ['audit', 'quality', 'mode', 'TaskContract', 'QualityReview'],
    refusal: 'rule_broken',
    control: unless('ADM-REPORT-14', (run) =>
      run.mode === 'report_only'
        ? 'terminalStatus is failed_verification, but a report_only run verifies nothing.'
        : 'terminalStatus is failed_verification, but the latest review passed every required verification.',
    ),
    *check(query) {
      const { body, run } = query;
      const isClosed = closedBy(run, body.terminalStatus) !== null;
      if (body.terminalStatus !== 'failed_verification' || isClosed || !auditOf(query)) return;
      if (requiredResults(query).some(({ status }) => status !== 'pass')) return;
      yield {
        path: 'terminalStatus',
        message: 'terminalStatus is failed_verification, but the latest review passed every required verification.',
        expected: 'partial',
        fix: 'Set terminalStatus to partial.',
      };
    },
  }),
  rule({
    code: 'ADM-REPORT-15',
    types: about,
    part: 'own',
    text: 'The report follows the audit: release is completed, partial is partial or failed_verification, block is blocked.',
    reads: ['audit'],
    refusal: 'rule_broken',
    control: unless(
      'ADM-REPORT-15',
      (run, facts) => `terminalStatus is ${facts.decision}, but the audit decided ${run.audit}.`,
    ),
  }),
];

/** Rules of the UserReport; the kinds of its evidence (row 18) are judged with those of the other types. */
export const userReportRules: readonly BookEntry[] = [
  ...commonRules,
  ...microReportRules,
  ...auditedRules,
  ...claimRules,
  ...statusRules,
];
