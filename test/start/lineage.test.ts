import { describe, expect, it } from 'vitest';
import { emptyRecord } from '../../machines/record.ts';
import type { PriorFacts } from '../../machines/start/start.ts';
import { artifact, begun, runId as priorId, requestRef, uri, withArtifacts } from '../projection/records.ts';
import { refusedCodes, started, startOf } from './starts.ts';

const here = { runId: 'f1a1f1a1-0000-4000-8000-000000000002', requestId: 'request-02' };

const prior = (over: Partial<PriorFacts> = {}): PriorFacts => ({
  runId: priorId,
  repositoryRoot: '/srv/sample',
  status: 'completed',
  damaged: null,
  record: emptyRecord(priorId),
  ...over,
});

const link = (facts: PriorFacts | null) =>
  startOf({ mode: 'plan_only', priorRunId: priorId }, { ...here, prior: facts });

describe('a start that links a prior run', () => {
  it.each([
    ['ADM-LIN-01', 'run_not_found', null],
    ['ADM-LIN-01', 'run_not_found', prior({ runId: 'another' })],
    ['ADM-LIN-02', 'reference_invalid', prior({ repositoryRoot: '/srv/other' })],
    ['ADM-LIN-03', 'reference_invalid', prior({ status: 'running' })],
    ['ADM-LIN-03', 'reference_invalid', prior({ status: 'awaiting_clarification' })],
    ['ADM-LIN-04', 'integrity_failed', prior({ damaged: 'frame-01' })],
  ] as const)('is refused by %s as %s', (rule, code, facts) => {
    const outcome = link(facts);
    expect(refusedCodes(outcome)).toEqual([rule]);
    expect(outcome).toMatchObject({ code, findings: [{ path: 'prior_run_id' }] });
  });

  it.each(['completed', 'partial', 'blocked', 'cancelled'] as const)(
    'takes one that ended as %s and traces the link',
    (status) => {
      const outcome = started({ mode: 'plan_only', priorRunId: priorId }, { ...here, prior: prior({ status }) });
      expect(outcome.input.priorRunId).toBe(priorId);
      expect(outcome.effect.trace.at(-1)).toMatchObject({
        event: 'lineage_linked',
        actor: 'controller',
        phase: 'context_grounding',
        inputRefs: [`trace://${priorId}`],
        outputRefs: [],
      });
    },
  );

  it('is told what the prior run was about and which of its evidence its report stood on', () => {
    const { record } = begun({ mode: 'analyze_and_fix' });
    const claim = { id: 'CC-1', text: 'It works.', status: 'observed', confidence: 1 } as const;
    const grown = withArtifacts(
      record,
      artifact('ProblemFrame', 'frame-01'),
      artifact('TaskContract', 'contract-01'),
      artifact('TaskContract', 'contract-02', { version: 2 }),
      artifact('Evidence', 'ev-1'),
      artifact('Evidence', 'ev-2'),
      artifact('UserReport', 'report-01', {
        completionClaims: [
          { ...claim, evidenceRefs: [uri('ev-2'), requestRef, 'artifact://older-run/ev-1'] },
          { ...claim, id: 'CC-2', evidenceRefs: [uri('ev-2'), uri('gone')] },
        ],
      }),
    );
    const { lineage } = started(
      { mode: 'plan_only', priorRunId: priorId },
      { ...here, prior: prior({ record: grown }) },
    );
    expect(lineage).toEqual({
      priorRunId: priorId,
      goal: 'Make the --timeout flag of fetchr take effect.',
      scope: { include: ['src/args.ts', 'test/timeout.test.ts'], exclude: ['docs/**'] },
      criterionIds: ['AC-1', 'AC-2'],
      evidenceRefs: [uri('ev-2')],
      refs: { problemFrameRef: uri('frame-01'), taskContractRef: uri('contract-02'), userReportRef: uri('report-01') },
    });
  });

  it('is told nothing that a run cancelled early never had', () => {
    expect(
      started({ mode: 'plan_only', priorRunId: priorId }, { ...here, prior: prior({ status: 'cancelled' }) }).lineage,
    ).toEqual({
      priorRunId: priorId,
      goal: null,
      scope: null,
      criterionIds: [],
      evidenceRefs: [],
      refs: { problemFrameRef: null, taskContractRef: null, userReportRef: null },
    });
  });

  it('has no lineage without a link', () => {
    expect(started({ mode: 'plan_only' })).not.toHaveProperty('lineage');
  });
});
