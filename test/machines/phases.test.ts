import { describe, expect, it } from 'vitest';
import { type AnyStateMachine, initialTransition, transition } from 'xstate';
import { newRun } from '../../machines/context.ts';
import type { Facts, NamedType, RunEvent } from '../../machines/events.ts';
import { auditMachine } from '../../machines/phases/audit.ts';
import { clarificationMachine } from '../../machines/phases/clarification.ts';
import { contractMachine } from '../../machines/phases/contract.ts';
import { executeMachine } from '../../machines/phases/execute.ts';
import { frameMachine } from '../../machines/phases/frame.ts';
import { groundMachine } from '../../machines/phases/ground.ts';
import { planMachine } from '../../machines/phases/plan.ts';
import { qualityMachine } from '../../machines/phases/quality.ts';
import { reportMachine } from '../../machines/phases/report.ts';
import { reviewMachine } from '../../machines/phases/review.ts';
import { terminalMachine } from '../../machines/phases/terminal.ts';

const at = '2026-01-01T00:00:00.000Z';

const submit = (type: NamedType, facts: Facts = {}, expectedVersion = 1): RunEvent => ({
  type: `submit.${type}`,
  token: { actionId: `action:run-1:${expectedVersion}`, expectedVersion },
  at,
  case: { facts, shape: [], dossier: null },
});

const input = {
  runId: 'run-1',
  repositoryRoot: '/repository',
  mode: 'report_only',
  topology: 'standard',
  priorRunId: null,
  createdAt: at,
} as const;

const start = (machine: AnyStateMachine) => initialTransition(machine, input)[0];

/** A step of a phase alone: the exit that it took, and whether it refused. */
const take = (machine: AnyStateMachine, event: RunEvent) => {
  const before = start(machine);
  const [after, effects] = transition(machine, before, event);
  return { before, after, output: after.output, refused: effects.map(({ type }): string => type).includes('refuse') };
};

const cases: readonly (readonly [name: string, machine: AnyStateMachine, event: RunEvent, output: string])[] = [
  ['ground', groundMachine, submit('ContextManifest'), 'grounded'],
  ['frame', frameMachine, submit('ProblemFrame'), 'framed'],
  ['contract', contractMachine, submit('TaskContract', { contractVersion: 1 }), 'contracted'],
  ['review', reviewMachine, submit('PromptReview', { decision: 'block' }), 'block'],
  ['plan', planMachine, submit('WorkPlan'), 'planned'],
  ['execute', executeMachine, submit('WorkResult', { decision: 'failed' }), 'unsuccessful'],
  ['quality', qualityMachine, submit('QualityReview', { decision: 'partial' }), 'partial'],
  ['audit', auditMachine, submit('ReleaseAudit', { decision: 'block' }), 'block'],
  ['audit', auditMachine, submit('ReleaseAudit', { decision: 'release', userReported: true }), 'user_reported'],
  ['report', reportMachine, submit('UserReport', { decision: 'blocked' }), 'blocked'],
];

/** What stands in the definition of each phase: its first state, and whether each state is an end. */
const shapes: readonly (readonly [
  machine: AnyStateMachine,
  id: string,
  first: string,
  states: string,
  ends: string,
])[] = [
  [groundMachine, 'ground', 'open', 'open', 'grounded'],
  [frameMachine, 'frame', 'open', 'open', 'framed'],
  [contractMachine, 'contract', 'compile', 'compile revise', 'contracted'],
  [reviewMachine, 'review', 'open', 'open', 'pass revise block'],
  [planMachine, 'plan', 'open', 'open', 'planned'],
  [executeMachine, 'execute', 'open', 'open', 'done unsuccessful'],
  [qualityMachine, 'quality', 'review', 'review reverify', 'pass partial block remediate proceed_to_fix'],
  [auditMachine, 'audit', 'open', 'open', 'release partial block remediate user_reported'],
  [reportMachine, 'report', 'open', 'open', 'completed partial failed_verification blocked user_reported'],
  [clarificationMachine, 'clarification', 'open', 'open', 'resume cancel new_run'],
  [terminalMachine, 'terminal', 'cancelled', '', 'completed partial failed_verification blocked cancelled'],
];

describe('the definition of a phase', () => {
  it.each(shapes)('%# has its states and its ends', (machine, id, first, states, ends) => {
    const nodes = Object.values(machine.root.states);
    const keysOf = (final: boolean): string =>
      nodes.flatMap(({ key, type }) => ((type === 'final') === final ? [key] : [])).join(' ');
    expect({ id: machine.id, first: machine.config.initial, states: keysOf(false), ends: keysOf(true) }).toEqual({
      id,
      first,
      states,
      ends,
    });
  });
});

describe('a phase machine alone', () => {
  for (const [name, machine, event, output] of cases) {
    it(`${name} takes its artifact and ends with the exit ${output}`, () => {
      const { after, output: exit, refused } = take(machine, event);
      expect({ refused, status: after.status, exit }).toEqual({ refused: false, status: 'done', exit: output });
      expect(after.context.version).toBe(2);
    });

    it(`${name} refuses a stale token and stays the same object`, () => {
      const stale = { ...event, token: { actionId: 'action:run-1:7', expectedVersion: 7 } };
      const { before, after, refused } = take(machine, stale);
      expect({ refused, same: after === before }).toEqual({ refused: true, same: true });
    });
  }

  for (const [name, machine] of cases) {
    it(`${name} refuses an artifact of another phase and stays the same object`, () => {
      const other = name === 'frame' ? submit('WorkPlan') : submit('ProblemFrame');
      const { before, after, refused } = take(machine, other);
      expect({ refused, same: after === before }).toEqual({ refused: true, same: true });
    });
  }

  it('clarification takes one of its choices and refuses any other answer', () => {
    const context = {
      ...newRun({ input }),
      status: 'awaiting_clarification' as const,
      resumePhase: 'agent_1_frame' as const,
      choices: [{ id: 'stop', effect: 'cancel' as const }],
    };
    const before = clarificationMachine.resolveState({ value: 'open', context });
    const answer = (choice: string): RunEvent => ({
      type: 'user.answer',
      token: { actionId: 'action:run-1:1', expectedVersion: 1 },
      at,
      answer: choice,
      messageId: 'message-2',
      via: 'host',
      record: null,
    });
    const [same, [effect]] = transition(clarificationMachine, before, answer('go'));
    expect(same).toBe(before);
    expect(effect).toMatchObject({ type: 'refuse', params: { findings: [{ code: 'ADM-CLR-10' }] } });
    for (const effect of ['resume', 'cancel', 'new_run'] as const) {
      const asked = clarificationMachine.resolveState({
        value: 'open',
        context: { ...context, choices: [{ id: 'stop', effect }] },
      });
      expect(transition(clarificationMachine, asked, answer('stop'))[0].output).toBe(effect);
    }
  });

  it('terminal answers a cancel with success and nothing to write, and refuses everything else', () => {
    const cancel: RunEvent = { type: 'user.cancel', token: { actionId: 'action:run-1:1', expectedVersion: 1 }, at };
    const before = start(terminalMachine);
    const [after, effects] = transition(terminalMachine, before, cancel);
    expect({ same: after === before, effects: effects.map(({ type }) => type) }).toEqual({
      same: true,
      effects: ['ended'],
    });
    expect(take(terminalMachine, submit('UserReport', { decision: 'completed' })).refused).toBe(true);
  });
});
