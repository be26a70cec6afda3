import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { receiptFor } from '../../machines/companions/receipt.ts';
import type { RunContext } from '../../machines/context.ts';
import type { AnyArtifact, Artifact, PriorRun, RunRecord } from '../../machines/record.ts';
import { checkBody } from '../../schemas/issues.ts';
import { artifact, begun, sample, uri, withArtifacts } from '../projection/records.ts';

const at = '2026-03-02T09:30:00.000Z';

type Review = Artifact<'QualityReview'>;
type Coverage = Review['body']['acceptanceResults'];

const passes = (
  criterionId: string,
  evidenceRefs: string[],
  status: Coverage[number]['status'] = 'pass',
): Coverage[number] => ({
  criterionId,
  status,
  evidenceRefs,
  rationaleSummary: 'Read from the output.',
});

const review = (acceptanceResults: Coverage, over: Partial<Review['body']> = {}, id = 'quality-01'): Review =>
  artifact('QualityReview', id, {
    acceptanceResults,
    ruleCompliance: [],
    regressionChecks: [],
    verificationResults: [],
    hardGates: [
      { id: 'QG-1', passed: true, description: 'Inside.', evidenceRefs: [uri('ev:1')], rationaleSummary: 'Compared.' },
    ],
    ...over,
  });

const stand = (
  over: Partial<RunContext> = {},
  prior: PriorRun | null = null,
): { run: RunContext; record: RunRecord } => {
  const { run, record } = begun({ mode: 'analyze_only' }, { phase: 'agent_3_review', ...over }, prior);
  const contract = artifact('TaskContract', 'contract-01', {
    intentMode: 'analyze_only',
    acceptanceCriteria: [{ id: 'AC-1', stage: 'completion', requirement: 'It is known.', evidenceRequired: ['log'] }],
  });
  return { run, record: withArtifacts(record, contract, artifact('Evidence', 'ev:1'), artifact('Evidence', 'ev-2')) };
};

const certified = (run: RunContext, record: RunRecord, submitted: Review) => {
  const due = receiptFor(run, record, submitted, at);
  if (!due) throw new Error('no receipt is due');
  expect(checkBody('ReceiptAudit', due.receipt.body)).toEqual({ ok: true, body: due.receipt.body });
  return due;
};

/** The same artifact with a body that is no longer what was stored. */
const damaged = (one: Artifact<'Evidence'>): AnyArtifact => ({ ...one, body: { ...one.body, content: 'changed' } });

describe('a receipt', () => {
  it('certifies a passing review whose evidence holds', () => {
    const { run, record } = stand();
    const due = certified(run, record, review([passes('AC-1', [uri('ev-2'), uri('ev:1')])]));
    expect(due.receipt).toMatchObject({
      id: 'receipt-01',
      producer: 'controller',
      sourceRefs: [uri('quality-01')],
      createdAt: at,
    });
    expect(due.receipt.body).toMatchObject({
      controllingReviewRef: uri('quality-01'),
      verifiedAt: at,
      digestStatus: 'verified',
      claimEvidenceMatrix: [
        {
          claimId: 'claim-AC-1',
          claim: 'It is known.',
          criterionIds: ['AC-1'],
          basis: 'direct',
          status: 'supported',
          evidenceRefs: [uri('ev-2'), uri('ev:1')],
        },
      ],
    });
    const sorted = [uri('ev-2'), uri('ev:1')];
    expect(due.verifiedRefs).toEqual(sorted);
    expect(due.summary).toBe(`sha256:${createHash('sha256').update(sorted.join('|')).digest('hex')}`);
  });

  it.each([
    ['in a forensic run', { topology: 'forensic' }, {}],
    ['for a review that does not pass', {}, { decision: 'partial' }],
  ] as const)('is not due %s', (_name, over, body) => {
    const { run, record } = stand(over);
    expect(receiptFor(run, record, review([passes('AC-1', [uri('ev-2')])], body), at)).toBeNull();
  });

  it('is due in a micro run, and never twice in a run', () => {
    const { run, record } = stand({ topology: 'micro' });
    const submitted = review([passes('AC-1', [uri('ev-2')])]);
    const { receipt } = certified(run, record, submitted);
    const after = withArtifacts(record, submitted, receipt);
    expect(receiptFor(run, after, review([passes('AC-1', [uri('ev-2')])], {}, 'quality-02'), at)).toBeNull();
  });

  it.each([
    ['is damaged', uri('ev-broken')],
    ['is not stored', uri('ev-none')],
    ['is a repository source', 'repo://src/args.ts'],
    ['is a trace event', 'trace://run/event-0001'],
    ['belongs to a run that is not linked', 'artifact://other/ev-2'],
    ['has more than one id segment', `${uri('ev-2')}/part`],
  ])('fails, the claim unverified, when its evidence %s', (_name, ref) => {
    const { run, record } = stand();
    const broken = withArtifacts(record, damaged(artifact('Evidence', 'ev-broken')));
    const due = certified(run, broken, review([passes('AC-1', [uri('ev-2'), ref])]));
    expect(due.receipt.body.digestStatus).toBe('failed');
    expect(due.receipt.body.claimEvidenceMatrix).toMatchObject([{ status: 'unverified' }]);
    expect(due.verifiedRefs).toEqual([uri('ev-2'), uri('ev:1')]);
  });

  const check = {
    ...sample('QualityReview').regressionChecks[0],
    id: 'RG-1',
    subjectRef: null,
    description: 'Same.',
    status: 'pass',
    evidenceRefs: [uri('ev-none')],
    rationaleSummary: 'Seen.',
  } as const;
  it.each([
    [
      'a hard gate',
      {
        hardGates: [
          { id: 'QG-1', passed: true, description: 'In.', evidenceRefs: [uri('ev-none')], rationaleSummary: 'Seen.' },
        ],
      },
    ],
    [
      'a verification',
      {
        verificationResults: [
          {
            requirementId: 'VR-1',
            capability: 'repository.read',
            status: 'pass',
            evidenceRefs: [uri('ev-none')],
            rationaleSummary: 'Seen.',
          },
        ],
      },
    ],
    ['a rule', { ruleCompliance: [{ ...check, subjectRef: 'repo://AGENTS.md', evidenceRefs: [uri('ev-none')] }] }],
    ['a regression check', { regressionChecks: [{ ...check, evidenceRefs: [uri('ev-none')] }] }],
  ] satisfies readonly (readonly [string, Partial<Review['body']>])[])(
    'fails when only %s rests on what is not there',
    (_name, over) => {
      const { run, record } = stand();
      const due = certified(run, record, review([passes('AC-1', [uri('ev-2')])], over));
      expect(due.receipt.body).toMatchObject({
        digestStatus: 'failed',
        claimEvidenceMatrix: [{ status: 'supported' }],
      });
    },
  );

  it('does not count the subject of a rule check as evidence', () => {
    const { run, record } = stand();
    const due = certified(
      run,
      record,
      review([passes('AC-1', [uri('ev-2')])], {
        ruleCompliance: [{ ...check, subjectRef: 'repo://AGENTS.md', evidenceRefs: [uri('ev-2')] }],
      }),
    );
    expect(due.receipt.body.digestStatus).toBe('verified');
  });

  it('fails when a criterion did not pass', () => {
    const { run, record } = stand();
    const due = certified(run, record, review([passes('AC-1', [uri('ev-2')]), passes('AC-2', [], 'unverified')]));
    expect(due.receipt.body).toMatchObject({
      digestStatus: 'failed',
      claimEvidenceMatrix: [{ status: 'supported' }, { status: 'unverified' }],
    });
  });

  it('looks evidence of the linked run up there, and nothing but evidence', () => {
    const old = { ...artifact('Evidence', 'ev-old'), runId: 'prior-run' };
    const frame = { ...artifact('ProblemFrame', 'frame-old'), runId: 'prior-run' };
    const linked = (exists: boolean): PriorRun => ({
      runId: 'prior-run',
      repositoryRoot: '/srv/sample',
      exists,
      get: (id) => (id === 'ev-old' ? old : id === 'frame-old' ? frame : undefined),
    });
    const status = (ref: string, exists = true): string => {
      const { run, record } = stand({ priorRunId: 'prior-run' }, linked(exists));
      return certified(run, record, review([passes('AC-1', [ref])])).receipt.body.digestStatus;
    };
    expect(status('artifact://prior-run/ev-old')).toBe('verified');
    expect(status('artifact://prior-run/ev-old', false)).toBe('failed');
    expect(status('artifact://prior-run/frame-old')).toBe('failed');
    expect(status('artifact://prior-run/ev-2')).toBe('failed');
    expect(status('artifact://prior-run/ev-none')).toBe('failed');
  });

  it('numbers the claims whose criterion has too long an id, without meeting another claim', () => {
    const { run, record } = stand();
    const long = 'c'.repeat(123);
    const due = certified(
      run,
      record,
      review([passes(long, [uri('ev-2')]), passes('number-1', [uri('ev-2')]), passes('c'.repeat(122), [uri('ev-2')])]),
    );
    const { claimEvidenceMatrix, digestStatus } = due.receipt.body;
    expect(claimEvidenceMatrix.map(({ claimId }) => claimId)).toEqual([
      'claim-number-2',
      'claim-number-1',
      `claim-${'c'.repeat(122)}`,
    ]);
    expect(claimEvidenceMatrix[0]?.criterionIds).toEqual([long]);
    expect(digestStatus).toBe('verified');
  });

  it('takes the next free id, also beside a review that took the first (D6)', () => {
    const { run, record } = stand();
    const taken = withArtifacts(record, artifact('Evidence', 'receipt-02'));
    const due = certified(run, taken, review([passes('AC-1', [uri('ev-2')])], {}, 'receipt-01'));
    expect(due.receipt.id).toBe('receipt-03');
  });

  it('asks the given check instead of the digests', () => {
    const { run, record } = stand();
    const due = receiptFor(run, record, review([passes('AC-1', [uri('ev-2')])]), at, (ref) => ref === uri('ev-2'));
    expect(due?.verifiedRefs).toEqual([uri('ev-2')]);
    expect(due?.receipt.body.digestStatus).toBe('failed');
  });
});
