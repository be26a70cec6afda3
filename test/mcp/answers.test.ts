import { describe, expect, test } from 'vitest';
import type { RunView } from '../../machines/context.ts';
import { emptyPermissions } from '../../machines/permissions/permissionSet.ts';
import type { PartialAction } from '../../machines/projection/nextAction.ts';
import { ProjectionError } from '../../machines/projection/projectionError.ts';
import { TelicError } from '../../src/controller/telicError.ts';
import { GroundingError } from '../../src/grounding/groundingError.ts';
import { LedgerError } from '../../src/ledger/errors.ts';
import { failureOf } from '../../src/mcp/failures.ts';
import { present } from '../../src/mcp/present.ts';
import { progressOf } from '../../src/mcp/progress.ts';

const noPermissions = emptyPermissions();
const budgets = {
  promptRevisions: 1,
  postExecutionRemediations: 1,
  remainingPlanToolCalls: 4000,
  maximumParallelWorkers: 1,
  maximumSubagentDepth: 0,
};
const head = {
  schemaVersion: '1.0',
  id: 'action:run-1:7',
  runId: 'run-1',
  createdAt: '2026-01-02T03:04:05.678Z',
  rationaleSummary: 'Because.',
} as const;
const phase = (name: 'context_discovery' | 'agent_1_frame'): PartialAction => ({
  ...head,
  additionalOutputSchemas: { Evidence: {} },
  requiredOutputSchema: { type: 'object' },
  brief: { task: 'Frame it.' },
  kind: 'phase',
  phase: name,
  logicalRole: 'scenario_author',
  instructionRef: 'artifact://system/roles/scenario_author-v1',
  inputRefs: [],
  contextManifestRef: null,
  requiredOutputType: 'ProblemFrame',
  workNodeId: null,
  effectivePermissions: noPermissions,
  remainingBudgets: budgets,
  stopConditions: [],
});
const run: RunView = {
  runId: 'run-1',
  schemaVersion: '1.0',
  repositoryRoot: '/r',
  requestedMode: 'plan_only',
  topology: 'standard',
  escalationCount: 0,
  priorRunId: null,
  status: 'running',
  phase: 'agent_1_frame',
  resumePhase: null,
  version: 7,
  budgets: { promptRevisionsRemaining: 1, postExecutionRemediationsRemaining: 1 },
  outcomeHint: null,
  createdAt: head.createdAt,
  updatedAt: head.createdAt,
};

describe('a success', () => {
  test('has ok, next and the run first, and the action with its schemas last', () => {
    const answer = present({ nextAction: phase('agent_1_frame'), artifacts: [], run });
    expect(Object.keys(answer)).toEqual(['ok', 'next', 'run', 'artifacts', 'nextAction']);
    expect(Object.keys(Object(answer.nextAction)).slice(-3)).toEqual([
      'brief',
      'requiredOutputSchema',
      'additionalOutputSchemas',
    ]);
  });

  test('without an action says nothing of a next step', () => {
    expect(present({ runs: [] })).toEqual({ ok: true, runs: [] });
  });

  test.each([
    [phase('context_discovery'), ['telic_ground_context']],
    [phase('agent_1_frame'), ['telic_submit_artifact', 'scenario_author', 'ProblemFrame']],
    [
      {
        ...head,
        kind: 'clarification',
        phase: 'awaiting_clarification',
        clarificationRequestRef: 'artifact://run-1/question-01',
        effectivePermissions: noPermissions,
        remainingBudgets: budgets,
      } satisfies PartialAction,
      ['telic_get_artifact', 'question-01', 'clarification_response', 'telic_submit_artifact'],
    ],
  ])('names the tool and the whole token in one line', (nextAction, words) => {
    const { next } = present({ nextAction });
    for (const word of [...words, 'run_id run-1', 'action_id action:run-1:7', 'expected_run_version 7'])
      expect(next).toContain(word);
    expect(next).not.toContain('\n');
  });

  test.each([
    ['artifact://run-1/report-01', ['telic_get_artifact', 'run_id run-1', 'artifact_id report-01']],
    [null, ['run-1', 'without a report']],
  ])('of an ended run with report %s says where to read it', (reportRef, words) => {
    const { next } = present({
      nextAction: { ...head, kind: 'terminal', phase: 'partial', status: 'partial', reportRef },
    });
    for (const word of words) expect(next).toContain(word);
    expect(next).not.toContain('expected_run_version');
  });
});

describe('a failure', () => {
  const reported: string[] = [];
  const of = (error: unknown) => {
    reported.length = 0;
    return failureOf(error, (text) => reported.push(text));
  };
  const finding = { path: 'a', code: 'ADM-X-01', message: 'wrong' };

  test.each([
    [new TelicError('rule_broken', 'No.', { findings: [finding] }), 'rule_broken', 'refused', 1],
    [new LedgerError('state_unavailable', 'No disk.', ['Mend it.']), 'state_unavailable', 'unavailable', 0],
    [new LedgerError('integrity_failed', 'Damaged.', []), 'integrity_failed', 'corrupt', 1],
    [new LedgerError('incompatible', 'Old.', ['Use the old one.']), 'incompatible', 'corrupt', 1],
    [
      new GroundingError('repository_not_configured', 'None.', ['Set it.']),
      'repository_not_configured',
      'unavailable',
      0,
    ],
    [new GroundingError('path_escape', 'Outside.', ['Stay inside.']), 'invalid_arguments', 'bad_input', 1],
    [new DOMException('Too late.', 'TimeoutError'), 'quota_exceeded', 'limit', 0],
    [new ProjectionError('ADM-INT-05', 'Too many.', 'Less.'), 'quota_exceeded', 'limit', 1],
    [new ProjectionError('ADM-INT-02', 'Lost.', 'Cancel.'), 'integrity_failed', 'corrupt', 1],
  ])('%s has the one shape', (error, code, kind, issues) => {
    const failure = of(error);
    expect(failure).toMatchObject({ ok: false, code, kind });
    if (!(error instanceof DOMException)) expect(failure.error).toBe(error.message);
    expect(failure.issues).toHaveLength(issues);
    expect(Object.keys(failure)).toEqual([
      'ok',
      'error',
      'code',
      'kind',
      ...(issues > 0 ? ['rule'] : []),
      'issues',
      'next_steps',
    ]);
    expect(reported).toEqual([]);
  });

  test('of a damaged ledger, or of what is told from it, names its rule and a step', () => {
    expect(of(new LedgerError('integrity_failed', 'Damaged.', ['Look at it.']))).toMatchObject({
      rule: 'ADM-INT-08',
      issues: [{ path: '', code: 'ADM-INT-08', message: 'Damaged.', fix: 'Look at it.' }],
      next_steps: ['Look at it.'],
    });
    expect(of(new LedgerError('incompatible', 'Old.', ['Use the old one.']))).toMatchObject({ rule: 'ADM-INT-09' });
    expect(of(new ProjectionError('ADM-INT-07', 'Lost.', 'Cancel the run.'))).toMatchObject({
      rule: 'ADM-INT-07',
      next_steps: ['Cancel the run.'],
    });
  });

  test.each([new TypeError('secret /etc/passwd'), 'secret', new TelicError('internal', 'secret')])(
    'that nobody foresaw shows an id alone, and its detail on standard error',
    (error) => {
      const failure = of(error);
      expect(failure).toMatchObject({ code: 'internal', kind: 'internal', issues: [] });
      expect(JSON.stringify(failure)).not.toContain('secret');
      const id = /fault ([0-9a-f]{8})/.exec(failure.error)?.[1];
      expect(id).toBeDefined();
      expect(reported).toHaveLength(1);
      expect(reported[0]).toContain(`fault ${id}: `);
      expect(reported[0]).toContain('secret');
    },
  );
});

describe('progress of a grounding', () => {
  const stages = ['inventory', 'ranking', 'reading', 'storing'] as const;

  test('only grows, tells of each stage and its end, and comes at most ten times a second beside those', () => {
    const sent: { progress: number; total: number; at: number }[] = [];
    let now = 0;
    const tell = progressOf(
      ({ progress, total }) => sent.push({ progress, total, at: now }),
      () => now,
    );
    for (const stage of stages)
      for (let done = 0; done <= 50; done += 1) {
        tell({ stage, done, total: 50 });
        now += 7;
      }
    expect(sent.length).toBeGreaterThan(5);
    for (const [index, { progress, total, at }] of sent.entries()) {
      expect(progress).toBeLessThanOrEqual(total);
      const before = sent[index - 1];
      if (!before) continue;
      expect(progress).toBeGreaterThan(before.progress);
      const begins = Math.floor(progress) > Math.floor(before.progress);
      if (!begins) expect(at - before.at).toBeGreaterThanOrEqual(100);
    }
    expect(new Set(sent.map(({ progress }) => Math.floor(progress)))).toEqual(new Set([0, 1, 2, 3, 4]));
  });

  test('of an unknown total names the stage alone', () => {
    const messages: string[] = [];
    progressOf(
      ({ message }) => messages.push(message),
      () => 0,
    )({ stage: 'inventory', done: 3, total: 0 });
    expect(messages).toEqual(['inventory']);
  });
});
