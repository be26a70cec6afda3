import { describe, expect, it } from 'vitest';
import type { RunContext } from '../../machines/context.ts';
import { userReportRules } from '../../machines/rules/userReport.ts';
import type { IntentMode } from '../../schemas/vocabulary.ts';
import {
  act,
  audit,
  audited,
  type Body,
  claimOf,
  findings,
  type Given,
  planned,
  queryOf,
  receipt,
  report,
  result,
  review,
  reviewed,
  type Step,
  start,
  suite,
  worked,
} from './executionFixtures.ts';
import { bodies, own, run } from './fixtures.ts';

const { accepts, refuses } = suite('UserReport', userReportRules);

const reporting = (
  mode: IntentMode,
  steps: readonly Step[] = audited(mode),
  more: Partial<RunContext> = {},
): Given => ({
  steps,
  run: {
    mode,
    phase: 'agent_5_report',
    topology: 'standard',
    quality: 'pass',
    audit: 'release',
    hint: 'completed',
    nodesCompleted: true,
    ...more,
  },
});

const open = { unresolvedRisks: ['One case is open.'] };

/** A run that ends after a partial or blocking audit of a review that did not pass. */
const ended = (decision: 'partial' | 'block', mode: IntentMode = 'analyze_only'): Given =>
  reporting(
    mode,
    [...worked(mode), ['QualityReview', unverified(mode)], ['ReleaseAudit', audit(mode, { ...open, decision })]],
    { quality: 'partial', audit: decision, hint: decision === 'block' ? 'blocked' : 'partial' },
  );

const unverified = (mode: IntentMode): Body => {
  const body = review(mode, { decision: 'partial' });
  return {
    ...body,
    verificationResults: body.verificationResults.map((one: Body) => ({ ...one, status: 'fail' })),
  };
};

const partial = (mode: IntentMode, more: Record<string, unknown> = {}): Body =>
  report(mode, { ...open, terminalStatus: 'partial', findingRefs: [own('audit-01')], ...more });

describe('every report', () => {
  for (const mode of ['report_only', 'plan_only', 'analyze_only', 'fix_only'] as const)
    accepts('ADM-REPORT-15', `the completed report of a released ${mode} run`, () => [report(mode), reporting(mode)]);
  refuses('ADM-REPORT-01', 'the trace of another run', () => [
    report('fix_only', { traceRef: 'trace://run-0' }),
    reporting('fix_only'),
  ]);
  accepts('ADM-REPORT-01', 'the trace of this run', () => [report('fix_only'), reporting('fix_only')]);
  refuses('ADM-REPORT-02', 'a recorded diff that is left out', () => [
    report('fix_only', { changeRefs: [] }),
    reporting('fix_only'),
  ]);
  refuses('ADM-REPORT-02', 'a diff that no result recorded', () => [
    report('analyze_only', { changeRefs: [own('ev-diff')] }),
    reporting('analyze_only'),
  ]);
  accepts('ADM-REPORT-02', 'each recorded diff once', () => [report('fix_only'), reporting('fix_only')]);
});

describe('a micro run', () => {
  const certified: readonly Step[] = [...reviewed('fix_only'), ['ReceiptAudit', receipt()]];
  const micro = (steps: readonly Step[] = certified, more: Partial<RunContext> = {}): Given =>
    reporting('fix_only', steps, { topology: 'micro', audit: null, hint: null, ...more });
  const modest = (more: Record<string, unknown> = {}): Body =>
    partial('fix_only', { findingRefs: [own('quality-01')], ...more });
  accepts('ADM-REPORT-03', 'a completed report with a claim', () => [report('fix_only'), micro()]);
  it('ADM-REPORT-03 refuses a completed report without a claim, as a damaged body could be', () => {
    const query = queryOf('UserReport', report('fix_only'), micro());
    const found = findings(userReportRules, { ...query, body: { ...query.body, completionClaims: [] } });
    expect(found).toMatchObject([{ code: 'ADM-REPORT-03', path: 'completionClaims' }]);
  });
  refuses('ADM-REPORT-04', 'a completed report without a receipt', () => [
    report('fix_only'),
    micro(reviewed('fix_only')),
  ]);
  accepts('ADM-REPORT-04', 'a partial report without a receipt', () => [modest(), micro(reviewed('fix_only'))]);
  const failed = receipt({ digestStatus: 'failed' });
  refuses('ADM-REPORT-05', 'a completed report whose receipt failed', () => [
    report('fix_only'),
    micro([...reviewed('fix_only'), ['ReceiptAudit', failed]]),
  ]);
  accepts('ADM-REPORT-05', 'a partial report whose receipt failed', () => [
    modest(),
    micro([...reviewed('fix_only'), ['ReceiptAudit', failed]]),
  ]);
  refuses('ADM-REPORT-06', 'a completed report with the receipt of another review', () => [
    report('fix_only'),
    micro([...reviewed('fix_only'), ['ReceiptAudit', receipt({ controllingReviewRef: own('quality-00') })]]),
  ]);
  accepts('ADM-REPORT-06', 'a completed report with the receipt of the latest review', () => [
    report('fix_only'),
    micro(),
  ]);
  refuses('ADM-REPORT-07', 'a partial report that does not cite the review', () => [
    modest({ findingRefs: [] }),
    micro(),
  ]);
  for (const terminalStatus of ['partial', 'failed_verification', 'blocked'])
    accepts('ADM-REPORT-07', `a report of ${terminalStatus} that cites the review`, () => [
      modest({ terminalStatus }),
      micro(),
    ]);
  refuses('ADM-MCH-09', 'a completed report of a blocked run', () => [
    report('fix_only'),
    micro(certified, { hint: 'blocked' }),
  ]);
  accepts('ADM-MCH-09', 'a blocked report of a blocked run', () => [
    modest({ terminalStatus: 'blocked' }),
    micro(certified, { hint: 'blocked' }),
  ]);
  refuses('ADM-MCH-10', 'a completed report of a run that is partial at best', () => [
    report('fix_only'),
    micro(certified, { hint: 'partial' }),
  ]);
  accepts('ADM-MCH-10', 'a partial report of such a run', () => [modest(), micro(certified, { hint: 'partial' })]);
  refuses('ADM-MCH-11', 'a report that cancels', () => [
    report('fix_only', { ...open, terminalStatus: 'cancelled', findingRefs: [own('quality-01')] }),
    micro(),
  ]);
  accepts('ADM-MCH-11', 'a report that completes', () => [report('fix_only'), micro()]);
});

describe('a run that was blocked before its audit', () => {
  const blockedReview = {
    ...bodies.review(),
    hardGates: [{ ...bodies.review().hardGates[0], passed: false }],
    decision: 'block',
  };
  const byReview = (more: Partial<RunContext> = {}, extra: readonly Step[] = []): Given =>
    reporting('fix_only', [...start('fix_only'), ['PromptReview', blockedReview], ...extra], {
      quality: null,
      audit: null,
      hint: 'blocked',
      blockedBy: 'review',
      ...more,
    });
  const stopped = (more: Record<string, unknown> = {}): Body =>
    report('analyze_only', {
      ...open,
      terminalStatus: 'blocked',
      completionClaims: [],
      findingRefs: [own('review-01')],
      ...more,
    });
  accepts('ADM-REPORT-08', 'a blocked report without claims that cites the review', () => [stopped(), byReview()]);
  for (const terminalStatus of ['partial', 'failed_verification'])
    refuses('ADM-REPORT-08', `a report of ${terminalStatus}`, () => [stopped({ terminalStatus }), byReview()]);
  refuses('ADM-REPORT-08', 'claims, broken permissions and a missing source, all told', () => [
    stopped({
      completionClaims: report('fix_only').completionClaims,
      permissionsHonored: false,
      findingRefs: [],
    }),
    byReview(),
  ]);
  accepts('ADM-REPORT-08', 'broken permissions when a denied action is recorded', () => {
    const denied = result('fix_only', {
      status: 'blocked',
      actions: [act('A-1', 'repository.write', 'docs/a.md', 'ev-repo', { status: 'denied', mutating: true })],
      filesChanged: [],
      acceptanceCoverage: [],
    });
    return [
      stopped({ permissionsHonored: false, findingRefs: [own('clarify-01')] }),
      reporting(
        'fix_only',
        [...planned('fix_only'), ['WorkResult', denied], ['ClarificationRequest', bodies.question()]],
        { quality: null, audit: null, hint: 'blocked', blockedBy: 'question' },
      ),
    ];
  });
  const afterActions = (...actions: readonly Body[]) => {
    const outcome = { status: 'blocked', actions, filesChanged: [], acceptanceCoverage: [] };
    return [
      stopped({ permissionsHonored: false, findingRefs: [own('clarify-01')] }),
      reporting(
        'fix_only',
        [
          ...planned('fix_only'),
          ['WorkResult', result('fix_only', outcome)],
          ['ClarificationRequest', bodies.question()],
        ],
        { quality: null, audit: null, hint: 'blocked', blockedBy: 'question' },
      ),
    ] as const;
  };
  const looking = act('A-1', 'repository.read', 'src/args.ts', 'ev-repo');
  accepts('ADM-REPORT-08', 'broken permissions when one of several actions was denied', () =>
    afterActions(looking, act('A-2', 'repository.write', 'docs/a.md', 'ev-repo', { status: 'denied', mutating: true })),
  );
  refuses('ADM-REPORT-08', 'broken permissions when no action was denied', () => afterActions(looking));
  accepts('ADM-REPORT-08', 'the same in micro, and after an audit that asked for remediation', () => [
    stopped({ findingRefs: [own('clarify-01')] }),
    byReview({ topology: 'micro', blockedBy: 'question', audit: 'remediate' }, [
      ['ClarificationRequest', bodies.question()],
    ]),
  ]);
  refuses('ADM-MCH-11', 'a report that cancels', () => [stopped({ terminalStatus: 'cancelled' }), byReview()]);
});

describe('an audited run', () => {
  refuses('ADM-REPORT-09', 'another id than the reserved one', () => [
    report('fix_only', { id: 'report-02' }),
    reporting('fix_only'),
  ]);
  accepts('ADM-REPORT-09', 'the reserved id', () => [report('fix_only'), reporting('fix_only')]);
  refuses('ADM-REPORT-10', 'broken permissions that the audit did not find', () => [
    partial('analyze_only', { permissionsHonored: false }),
    ended('partial'),
  ]);
  accepts('ADM-REPORT-10', 'broken permissions that the audit found', () => [
    partial('analyze_only', { permissionsHonored: false }),
    reporting(
      'analyze_only',
      [
        ...reviewed('analyze_only'),
        ['ReleaseAudit', audit('analyze_only', { ...open, decision: 'partial', modeCompliance: 'fail' })],
      ],
      { audit: 'partial', hint: 'partial' },
    ),
  ]);
  it('ADM-REPORT-11 refuses a completed report without a claim, as a damaged body could be', () => {
    const query = queryOf('UserReport', report('fix_only'), reporting('fix_only'));
    const found = findings(userReportRules, { ...query, body: { ...query.body, completionClaims: [] } });
    expect(found.map(({ code }) => code)).toEqual(['ADM-REPORT-11', 'ADM-REPORT-17']);
  });
  accepts('ADM-REPORT-11', 'a partial report without a claim', () => [
    partial('analyze_only', { completionClaims: [] }),
    ended('partial'),
  ]);
  refuses('ADM-REPORT-12', 'a partial report that cites neither review nor audit', () => [
    partial('analyze_only', { findingRefs: [] }),
    ended('partial'),
  ]);
  accepts('ADM-REPORT-12', 'a partial report that cites the review', () => [
    partial('analyze_only', { findingRefs: [own('quality-01')] }),
    ended('partial'),
  ]);
  refuses('ADM-REPORT-13', 'verification evidence that is left out', () => [
    report('fix_only', { verificationRefs: [] }),
    reporting('fix_only'),
  ]);
  refuses('ADM-REPORT-13', 'a completed report over an open verification, as a damaged ledger could allow', () => [
    report('analyze_only'),
    reporting('analyze_only', [
      ...worked('analyze_only'),
      ['QualityReview', unverified('analyze_only')],
      ['ReleaseAudit', audit('analyze_only')],
    ]),
  ]);
  accepts('ADM-REPORT-13', 'the evidence of each required verification once', () => [
    report('fix_only'),
    reporting('fix_only'),
  ]);
  const closedButPassing: Given = reporting(
    'analyze_only',
    [...reviewed('analyze_only'), ['ReleaseAudit', audit('analyze_only', { ...open, decision: 'partial' })]],
    { audit: 'partial', hint: 'partial' },
  );
  refuses('ADM-REPORT-14', 'a failed verification after a passing review', () => [
    partial('analyze_only', { terminalStatus: 'failed_verification' }),
    closedButPassing,
  ]);
  refuses('ADM-REPORT-14', 'a failed verification when the required ones passed in a partial review', () => [
    partial('analyze_only', { terminalStatus: 'failed_verification' }),
    reporting(
      'analyze_only',
      [
        ...worked('analyze_only'),
        ['QualityReview', review('analyze_only', { decision: 'partial' })],
        ['ReleaseAudit', audit('analyze_only', { ...open, decision: 'partial' })],
      ],
      { quality: 'partial', audit: 'partial', hint: 'partial' },
    ),
  ]);
  refuses('ADM-REPORT-14', 'a failed verification in report_only', () => [
    partial('report_only', { terminalStatus: 'failed_verification' }),
    ended('partial', 'report_only'),
  ]);
  accepts('ADM-REPORT-14', 'a failed verification that did fail', () => [
    partial('analyze_only', { terminalStatus: 'failed_verification' }),
    ended('partial'),
  ]);
  refuses('ADM-REPORT-15', 'a partial report of a release', () => [partial('analyze_only'), reporting('analyze_only')]);
  refuses('ADM-REPORT-15', 'a completed report of a partial audit, told once', () => [
    report('analyze_only'),
    ended('partial'),
  ]);
  refuses('ADM-REPORT-15', 'a completed report of a blocking audit, told once', () => [
    report('analyze_only'),
    ended('block'),
  ]);
  accepts('ADM-REPORT-15', 'a blocked report of a blocking audit', () => [
    partial('analyze_only', { terminalStatus: 'blocked' }),
    ended('block'),
  ]);
});

describe('claims after an audit', () => {
  const claim = (more: Record<string, unknown>): Body => ({ ...report('fix_only').completionClaims[0], ...more });
  for (const [what, more] of [
    ['another text', { text: 'It always ends in time.' }],
    ['other evidence', { evidenceRefs: [own('ev-test')] }],
    ['evidence that stands twice', { evidenceRefs: [own('ev-repo'), own('ev-repo')] }],
    ["the user's word for what was seen", { status: 'user_reported' }],
  ] as const)
    refuses('ADM-REPORT-16', what, () => [
      report('fix_only', { completionClaims: [claim(more)] }),
      reporting('fix_only'),
    ]);
  refuses('ADM-REPORT-16', 'a claim that was not audited', () => [
    report('fix_only', { completionClaims: [claim({}), claim({ id: 'CL-9' })] }),
    reporting('fix_only'),
  ]);
  refuses('ADM-REPORT-16', 'a claim that the audit did not support', () => [
    partial('analyze_only'),
    reporting(
      'analyze_only',
      [
        ...worked('analyze_only'),
        ['QualityReview', unverified('analyze_only')],
        [
          'ReleaseAudit',
          audit('analyze_only', {
            ...open,
            decision: 'partial',
            claimEvidenceMatrix: [claimOf('CL-1', ['AC-1'], { status: 'unverified' })],
          }),
        ],
      ],
      { quality: 'partial', audit: 'partial', hint: 'partial' },
    ),
  ]);
  accepts('ADM-REPORT-16', "the user's word in its own status", () => [
    report('report_only', { completionClaims: [claim({ status: 'user_reported', evidenceRefs: [own('msg-01')] })] }),
    reporting(
      'report_only',
      [
        ...reviewed('report_only'),
        [
          'ReleaseAudit',
          audit('report_only', {
            claimEvidenceMatrix: [
              claimOf('CL-1', ['AC-1', 'AC-2'], { basis: 'user_reported', evidenceRefs: [own('msg-01')] }),
            ],
          }),
        ],
      ],
      { topology: 'forensic' },
    ),
  ]);
  const two: readonly Step[] = [
    ...reviewed('fix_only'),
    [
      'ReleaseAudit',
      audit('fix_only', { claimEvidenceMatrix: [claimOf('CL-1', ['AC-1', 'AC-2']), claimOf('CL-2', ['AC-2'])] }),
    ],
  ];
  refuses('ADM-REPORT-17', 'a supported claim that is left out', () => [
    report('fix_only'),
    reporting('fix_only', two),
  ]);
  refuses('ADM-REPORT-17', 'a supported claim that is repeated', () => [
    report('fix_only', { completionClaims: [claim({}), claim({})] }),
    reporting('fix_only'),
  ]);
  accepts('ADM-REPORT-17', 'every supported claim once', () => [
    report('fix_only', { completionClaims: [claim({ id: 'CL-2' }), claim({})] }),
    reporting('fix_only', two),
  ]);
});

describe('the control parts', () => {
  it('hold when the facts are unknown', () => {
    for (const { control } of userReportRules)
      expect(control?.holds(run({ mode: 'fix_only', blockedBy: 'review', hint: 'blocked' }), {}) ?? true).toBe(true);
  });

  it('close each status by exactly one rule, or leave it open', () => {
    const statuses = ['completed', 'partial', 'failed_verification', 'blocked', 'cancelled'];
    for (const blockedBy of [null, 'review', 'question'] as const)
      for (const topology of ['micro', 'standard', 'forensic'] as const)
        for (const hint of [null, 'completed', 'partial', 'blocked'] as const)
          for (const verdict of [null, 'release', 'partial', 'block', 'remediate'] as const)
            for (const quality of ['pass', 'partial', 'block'] as const)
              for (const decision of statuses) {
                const context = run({ mode: 'fix_only', blockedBy, topology, hint, audit: verdict, quality });
                const closing = userReportRules.filter(
                  (entry) => entry.control?.holds(context, { decision }) === false,
                );
                expect(closing.length).toBeLessThanOrEqual(1);
                const mustClose =
                  decision === 'cancelled' || (decision === 'completed' && (hint === 'blocked' || hint === 'partial'));
                if (mustClose) expect(closing.length).toBe(1);
              }
  });
});
