import { describe, expect, it } from 'vitest';
import { answered, ask, note, packed, planned, settleByReview, step } from '../../machines/changes.ts';
import { newRun, type RunContext } from '../../machines/context.ts';
import type { Facts, NamedType, RunEvent } from '../../machines/events.ts';
import { intentModes } from '../../schemas/vocabulary.ts';

const created = '2026-01-01T00:00:00.000Z';
const later = '2026-01-02T00:00:00.000Z';
const token = { actionId: 'action:run-1:1', expectedVersion: 1 };

const run = (more: Partial<RunContext> = {}): RunContext => ({
  ...newRun({
    input: {
      runId: 'run-1',
      repositoryRoot: '/repository',
      mode: 'fix_only',
      topology: 'standard',
      priorRunId: null,
      createdAt: created,
    },
  }),
  ...more,
});
const submit = (type: NamedType, facts: Facts = {}): RunEvent => ({
  type: `submit.${type}`,
  token,
  at: later,
  case: { facts, shape: [], dossier: null },
});
const cancel: RunEvent = { type: 'user.cancel', token, at: later };

describe('an accepted event', () => {
  it('raises the version by one, at the time of the event, and forgets the paused phase', () => {
    expect(step(run({ version: 7, resumePhase: 'agent_3_plan' }), cancel)).toEqual({
      version: 8,
      updatedAt: later,
      resumePhase: null,
    });
    expect(step(run({ version: 7 }), null)).toMatchObject({ version: 8, updatedAt: created });
  });
});

describe('what the control data keep of an artifact', () => {
  it.each(['pass', 'partial', 'block', 'remediate', 'proceed_to_fix'])('a review that decides %s', (decision) => {
    expect(note(run(), submit('QualityReview', { decision }))).toEqual({ lineage: [], quality: decision });
  });

  it.each(['release', 'partial', 'block', 'remediate'])('an audit that decides %s', (decision) => {
    expect(note(run(), submit('ReleaseAudit', { decision }))).toEqual({ lineage: [], audit: decision });
  });

  it('no decision that its type does not have, and none where none is', () => {
    expect(note(run(), submit('QualityReview', { decision: 'release' }))).toEqual({ lineage: [] });
    expect(note(run(), submit('ReleaseAudit', { decision: 'pass' }))).toEqual({ lineage: [] });
    for (const type of ['QualityReview', 'ReleaseAudit'] as const)
      expect(note(run(), submit(type))).toEqual({ lineage: [] });
  });

  it('the version of a contract, the number of questions, and of others that the lineage is used up', () => {
    expect(note(run(), submit('TaskContract', { contractVersion: 2 }))).toEqual({ lineage: [], contractVersion: 2 });
    expect(note(run(), submit('TaskContract'))).toEqual({ lineage: [], contractVersion: 1 });
    expect(note(run({ questions: 1 }), submit('ClarificationRequest'))).toEqual({ questions: 2 });
    expect(note(run(), submit('WorkPlan'))).toEqual({ lineage: [] });
  });

  it('nothing of an event without an artifact', () => {
    expect([note(run(), cancel), note(run(), null)]).toEqual([{}, {}]);
  });
});

describe('a question', () => {
  const choices = [{ id: 'stop', effect: 'cancel' as const }];

  it('pauses the run with its choices and remembers the phase', () => {
    const asked = submit('ClarificationRequest', { choices });
    expect(ask(run({ phase: 'agent_3_plan' }), asked)).toEqual({
      choices,
      status: 'awaiting_clarification',
      resumePhase: 'agent_3_plan',
      lineage: [],
    });
    expect(ask(run(), submit('ClarificationRequest'))).toMatchObject({ choices: [] });
    expect([ask(run(), submit('WorkPlan')), ask(run(), null)]).toEqual([{}, {}]);
  });

  it('is closed by its answer, which is to be cited beside it', () => {
    const answer: RunEvent = {
      type: 'user.answer',
      token,
      at: later,
      answer: 'stop',
      messageId: 'msg-02',
      via: 'host',
      record: null,
    };
    expect(answered(run({ choices, lineage: ['artifact://run-1/q-1'] }), answer)).toEqual({
      choices: [],
      resumePhase: null,
      lineage: ['artifact://run-1/q-1', 'artifact://run-1/msg-02'],
    });
    expect([answered(run(), cancel), answered(run(), null)]).toEqual([{}, {}]);
  });
});

describe('what a run may still claim', () => {
  it.each([
    ['partial', { hint: 'partial' }],
    ['block', { hint: 'blocked' }],
    ['pass', {}],
    ['remediate', {}],
    [null, {}],
  ] as const)('after a review that decided %s is limited to %j', (quality, change) => {
    expect(settleByReview(run({ quality }))).toEqual(change);
  });
});

describe('a plan', () => {
  it.each(intentModes)('of %s begins with nothing done, where something is executed', (mode) => {
    const done = mode === 'report_only' || mode === 'plan_only' ? null : false;
    const gate = run().gate;
    expect(planned(run({ mode }))).toEqual({ gate, nodesCompleted: done });
    expect(packed(run({ mode }))).toEqual({ gate, nodesCompleted: done, contractVersion: 1 });
  });

  it('after proceed_to_fix unlocks the fix', () => {
    expect(planned(run({ gate: 'issued' })).gate).toBe('unlocked');
    expect(planned(run({ gate: 'unlocked' })).gate).toBe('unlocked');
  });
});
