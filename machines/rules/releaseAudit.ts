import { executes } from '../../schemas/vocabulary.ts';
import { followingOf } from '../feasibility/following.ts';
import { uriOf } from '../record.ts';
import { type BookEntry, type Query, rule, type Said } from './book.ts';
import { effectiveFor, isStageLimited, orderOfAudit, originalRequestRef } from './derived.ts';
import { freeId } from './freeId.ts';
import { listFault } from './listFault.ts';
import { criteriaOf } from './planScope.ts';
import { remainingRemediations } from './remainingRemediations.ts';
import { listed } from './wording.ts';
import { orderFaults } from './workOrders.ts';

/** Rules of the ReleaseAudit: admission section 11 and the guard MCH-08 of section 17. */

const about = ['ReleaseAudit'] as const;

const decisions = ['partial', 'block', 'release', 'remediate'] as const;

type AuditQuery = Query<'ReleaseAudit'>;

const refFault = (path: 'originalRequestRef' | 'taskContractRef' | 'qualityReviewRef', query: AuditQuery): Said[] => {
  const { record, body } = query;
  const targets = {
    originalRequestRef: originalRequestRef(record),
    taskContractRef: record.latest('TaskContract'),
    qualityReviewRef: record.latest('QualityReview'),
  };
  const target = targets[path];
  const wanted = typeof target === 'object' ? uriOf(target) : target;
  if (body[path] === wanted) return [];
  return [
    {
      path,
      message: `${path} is ${body[path]}, not the ${path === 'originalRequestRef' ? 'request of this run' : 'latest one'}.`,
      expected: wanted,
      fix: `Set ${path} to ${wanted}.`,
    },
  ];
};

/** What a remediation of the audit may rest on: the review, every plan and result, all Evidence. */
const eligibleSources = ({ record }: AuditQuery): ReadonlySet<string> => {
  const review = record.latest('QualityReview');
  return new Set([
    ...(review ? [uriOf(review)] : []),
    ...record.all('WorkResult').map(uriOf),
    ...record.all('Evidence').map(uriOf),
    ...record.all('WorkPlan').map(uriOf),
  ]);
};

export const releaseAuditRules: readonly BookEntry[] = [
  rule({
    code: 'ADM-AUDIT-01',
    types: about,
    part: 'own',
    text: 'remainingRemediations is the number of remediations that the run still has.',
    reads: ['budgets'],
    refusal: 'rule_broken',
    control: remainingRemediations,
  }),
  rule({
    code: 'ADM-AUDIT-02',
    types: about,
    part: 'own',
    text: 'The audit names the request, the contract and the latest review, and every plan and result of the run once.',
    reads: ['RunEnvelope', 'TaskContract', 'QualityReview', 'WorkPlan', 'WorkResult'],
    refusal: 'rule_broken',
    check: (query) => [
      ...refFault('originalRequestRef', query),
      ...refFault('taskContractRef', query),
      ...refFault('qualityReviewRef', query),
      ...listFault('workPlanRefs', 'workPlanRefs', query.body.workPlanRefs, query.record.all('WorkPlan').map(uriOf)),
      ...listFault(
        'workResultRefs',
        'workResultRefs',
        query.body.workResultRefs,
        query.record.all('WorkResult').map(uriOf),
      ),
    ],
  }),
  rule({
    code: 'ADM-AUDIT-03',
    types: about,
    part: 'own',
    text: 'userFidelity judges the original request exactly once; it may judge more beside it.',
    reads: ['RunEnvelope'],
    refusal: 'rule_broken',
    *check({ body, record }) {
      const request = originalRequestRef(record);
      const times = body.userFidelity.filter(({ subjectRef }) => subjectRef === request).length;
      if (request !== undefined && times === 1) return;
      const fix = `Keep exactly one check with subjectRef ${request}.`;
      const first = body.userFidelity.findIndex(({ subjectRef }) => subjectRef === request);
      if (times === 0 || request === undefined)
        yield { path: 'userFidelity', message: 'userFidelity does not judge the original request.', fix };
      else
        for (const [index, { subjectRef }] of body.userFidelity.entries())
          if (subjectRef === request && index !== first)
            yield {
              path: `userFidelity.${index}`,
              message: `userFidelity judges the original request ${times} times.`,
              expected: { absent: true },
              fix,
            };
    },
  }),
  rule({
    code: 'ADM-AUDIT-04',
    types: about,
    part: 'own',
    text: 'A broken mode ends as partial or block.',
    reads: [],
    refusal: 'rule_broken',
    *check({ body, run }) {
      if (body.modeCompliance === 'pass' || body.decision === 'partial' || body.decision === 'block') return;
      yield {
        path: 'decision',
        message: `The audit decides ${body.decision}, but modeCompliance is fail.`,
        expected: run.quality === 'block' ? ['block'] : ['partial', 'block'],
        fix: 'Decide partial or block.',
      };
    },
  }),
  rule({
    code: 'ADM-AUDIT-05',
    types: about,
    part: 'own',
    text: 'After a quality review that blocked, the audit blocks too.',
    reads: ['quality'],
    refusal: 'rule_broken',
    control: {
      holds: (run, facts) => facts.decision === undefined || run.quality !== 'block' || facts.decision === 'block',
      says: (_run, facts) => ({
        path: 'decision',
        message: `The audit decides ${facts.decision}, but the latest quality review blocked.`,
        expected: 'block',
        fix: 'Decide block, name what is unresolved, and reserve the id of the report in userReportRef.',
      }),
    },
  }),
  rule({
    code: 'ADM-AUDIT-06',
    types: about,
    part: 'own',
    text: 'A release needs a passing latest quality review and no partial or blocked verdict before it.',
    reads: ['quality', 'hint'],
    refusal: 'rule_broken',
    control: {
      // After a block AUDIT-05 already says that only block is left.
      holds: (run, facts) =>
        facts.decision !== 'release' || run.quality === 'block' || (run.quality === 'pass' && run.hint === null),
      says: (run) => ({
        path: 'decision',
        message:
          run.quality === 'pass'
            ? `The audit decides release, but an earlier verdict left this run ${run.hint} at best.`
            : `The audit decides release, but the latest quality review decided ${run.quality ?? 'nothing'}.`,
        expected: run.budgets.remediations > 0 ? ['partial', 'block', 'remediate'] : ['partial', 'block'],
        fix: 'Decide partial or block, or remediate if one is left.',
      }),
    },
  }),
  rule({
    code: 'ADM-AUDIT-07',
    types: about,
    part: 'own',
    text: 'A release audits at least one claim.',
    reads: [],
    refusal: 'rule_broken',
    *check({ body }) {
      if (body.decision !== 'release' || body.claimEvidenceMatrix.length > 0) return;
      yield {
        path: 'claimEvidenceMatrix',
        message: 'The audit decides release, but claimEvidenceMatrix is empty.',
        fix: 'Add a supported claim for each criterion of the contract.',
      };
    },
  }),
  rule({
    code: 'ADM-AUDIT-08',
    types: about,
    part: 'own',
    text: 'Each claim has an id of its own.',
    reads: [],
    refusal: 'rule_broken',
    *check({ body }) {
      const ids = body.claimEvidenceMatrix.map(({ claimId }) => claimId);
      for (const [index, id] of ids.entries())
        if (ids.indexOf(id) !== index)
          yield {
            path: `claimEvidenceMatrix.${index}.claimId`,
            message: `Claim id ${id} stands there a second time.`,
            expected: freeId(id, ids),
            fix: 'Give each claim an id of its own.',
          };
    },
  }),
  rule({
    code: 'ADM-AUDIT-09',
    types: about,
    part: 'own',
    text: 'A claim names only criteria of the contract.',
    reads: ['TaskContract'],
    refusal: 'rule_broken',
    *check({ body, record }) {
      const criteria = criteriaOf(record.latest('TaskContract'));
      for (const [index, { claimId, criterionIds }] of body.claimEvidenceMatrix.entries()) {
        const known = criterionIds.filter((id) => criteria.has(id));
        if (known.length === criterionIds.length) continue;
        yield {
          path: `claimEvidenceMatrix.${index}.criterionIds`,
          message: `Claim ${claimId} names ${listed(criterionIds.filter((id) => !criteria.has(id)))}, which the contract does not have.`,
          ...(known.length > 0 && { expected: known }),
          fix: `Name only criteria of the contract: ${listed([...criteria.keys()])}.`,
        };
      }
    },
  }),
  rule({
    code: 'ADM-AUDIT-10',
    types: about,
    part: 'own',
    text: 'The release defect keeps the rules of work orders: criteria of the contract, permissions inside contract and authority, a source among the latest review, the plans, the results and the Evidence of the run.',
    reads: ['TaskContract', 'RunEnvelope', 'QualityReview', 'WorkPlan', 'WorkResult', 'Evidence'],
    refusal: 'rule_broken',
    *check(query): Generator<Said> {
      const { body, record, run } = query;
      const contract = record.latest('TaskContract');
      if (body.decision !== 'remediate' || !contract) return;
      yield* orderFaults({
        label: 'Release defect',
        path: 'remediationDefect',
        field: 'failedCriterionIds',
        order: orderOfAudit(body),
        allowedCriteria: contract.body.acceptanceCriteria.map(({ id }) => id),
        all: false,
        executable: executes(run.mode),
        contract: contract.body.permissions,
        authorized: effectiveFor(record, isStageLimited(record, run.mode) ? 'analyze_only' : run.mode),
        eligible: eligibleSources(query),
        sources: 'the latest review, a plan, a result or Evidence of this run',
        following: followingOf(query, orderOfAudit(body), false),
      });
    },
  }),
  rule({
    code: 'ADM-AUDIT-11',
    types: about,
    part: 'own',
    text: 'A release backs every criterion of the contract by a supported claim, outside report_only on direct evidence.',
    reads: ['TaskContract', 'mode'],
    refusal: 'rule_broken',
    *check({ body, record, run }) {
      if (body.decision !== 'release') return;
      const direct = run.mode !== 'report_only';
      const backed = new Set(
        body.claimEvidenceMatrix
          .filter(({ status, basis }) => status === 'supported' && (!direct || basis === 'direct'))
          .flatMap(({ criterionIds }) => criterionIds),
      );
      for (const id of criteriaOf(record.latest('TaskContract')).keys())
        if (!backed.has(id))
          yield {
            path: 'claimEvidenceMatrix',
            message: `Criterion ${id} has no supported claim${direct ? ' on direct evidence' : ''}.`,
            fix: `Add a supported claim${direct ? ' of basis direct' : ''} that names ${id}, or decide partial.`,
          };
    },
  }),
  rule({
    code: 'ADM-MCH-08',
    types: about,
    part: 'own',
    text: 'The decision is one that a release audit can take.',
    reads: [],
    refusal: 'integrity_failed',
    ends: true,
    control: {
      holds: (_run, facts) => facts.decision === undefined || decisions.some((decision) => decision === facts.decision),
      says: (_run, facts) => ({
        path: 'decision',
        message: `A release audit cannot decide ${facts.decision}.`,
        expected: decisions,
        fix: 'Take one of the expected decisions.',
      }),
    },
  }),
];
