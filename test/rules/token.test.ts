import { describe, expect, it } from 'vitest';
import { actionIdOf } from '../../machines/context.ts';
import { emptyRecord } from '../../machines/record.ts';
import {
  astrayFindings,
  controllerOwned,
  ended,
  lostQuestion,
  notAccepted,
  notAwaiting,
  nothingToResume,
  paused,
  staleAction,
  staleVersion,
  tokenRules,
  unknownChoice,
} from '../../machines/rules/token.ts';
import { phaseTable, type RecordPhase, recordPhases } from '../../schemas/vocabulary.ts';
import { bodies, pinned, plus, recordUpTo, run, runId, stored } from './fixtures.ts';

const here = run({ version: 7 });
const token = { actionId: actionIdOf(here), expectedVersion: 7 };
const waiting = run({
  status: 'awaiting_clarification',
  resumePhase: 'agent_3_plan',
  phase: 'agent_3_plan',
  choices: [
    { id: 'seconds', effect: 'resume' },
    { id: 'stop', effect: 'cancel' },
  ],
});
const over = run({ status: 'partial' });
const codes = (findings: readonly { code: string }[]) => findings.map(({ code }) => code);
const at = (phase: RecordPhase) => run({ phase });

describe('the token', () => {
  it('ADM-TR-02 refuses another version, and names both', () => {
    const [finding] = staleVersion(here, { ...token, expectedVersion: 6 });
    expect(finding).toMatchObject({ code: 'ADM-TR-02', path: 'expected_run_version', expected: 7 });
    expect(finding?.message).toMatch(/is 6.*version 7/);
  });
  it('ADM-TR-02 accepts the current version', () => expect(staleVersion(here, token)).toEqual([]));
  it('ADM-TR-03 refuses a foreign action id, and tells the right one', () => {
    expect(staleAction(here, { ...token, actionId: 'action:run-1:6' })).toMatchObject([
      { code: 'ADM-TR-03', path: 'action_id', expected: 'action:run-1:7' },
    ]);
  });
  it('ADM-TR-03 accepts the action id of the version', () => expect(staleAction(here, token)).toEqual([]));
});

describe('whether the run takes anything', () => {
  it('ADM-TR-12 refuses an artifact while a question is open, and tells the choices', () => {
    expect(paused(waiting)).toMatchObject([{ code: 'ADM-TR-12', expected: ['seconds', 'stop'] }]);
  });
  it('ADM-TR-12 accepts what a running run is sent', () => expect(paused(here)).toEqual([]));
  it('ADM-COM-10 refuses everything after the end, and says how it ended', () => {
    for (const status of ['completed', 'partial', 'blocked', 'cancelled'] as const) {
      const [finding] = ended(run({ status }));
      expect(finding?.code).toBe('ADM-COM-10');
      expect(finding?.message).toContain(status);
    }
  });
  it('ADM-COM-10 accepts what a running or paused run is sent', () => {
    expect([...ended(here), ...ended(waiting)]).toEqual([]);
  });
  it('ADM-COM-01 refuses every type that the controller writes', () => {
    for (const type of [
      'RunEnvelope',
      'ContextManifest',
      'NextAction',
      'TraceEvent',
      'ReceiptAudit',
      'UserMessage',
      'ContextDocument',
    ])
      expect(codes(controllerOwned(type))).toEqual(['ADM-COM-01']);
  });
  it('ADM-COM-01 accepts what a host may write', () => expect(controllerOwned('ProblemFrame')).toEqual([]));
});

describe('what a phase takes', () => {
  it('ADM-COM-09 refuses a type of another phase, and tells those that are taken', () => {
    expect(notAccepted(at('agent_1_frame'), 'WorkPlan')).toMatchObject([
      { code: 'ADM-COM-09', expected: ['ProblemFrame', 'ClarificationRequest'] },
    ]);
  });
  it('ADM-COM-09 accepts in every phase exactly the types of its row', () => {
    for (const phase of recordPhases)
      for (const type of [
        'ProblemFrame',
        'TaskContract',
        'PromptReview',
        'WorkPlan',
        'WorkResult',
        'QualityReview',
        'ReleaseAudit',
        'UserReport',
      ] as const)
        expect(notAccepted(at(phase), type).length === 0).toBe(phaseTable[phase].accepts.includes(type));
  });
  it('ADM-CLR-01 refuses a question in audit and report', () => {
    for (const phase of ['agent_5_audit', 'agent_5_report'] as const)
      expect(codes(notAccepted(at(phase), 'ClarificationRequest'))).toEqual(['ADM-CLR-01']);
  });
  it('ADM-CLR-01 accepts a question in every phase before them', () => {
    for (const phase of recordPhases.slice(0, -2)) expect(notAccepted(at(phase), 'ClarificationRequest')).toEqual([]);
  });
  it('ADM-EVID-01 refuses Evidence outside execution', () => {
    expect(codes(notAccepted(at('agent_3_review'), 'Evidence'))).toEqual(['ADM-EVID-01']);
  });
  it('ADM-EVID-01 accepts Evidence while a node executes', () => {
    expect(notAccepted(at('agent_4_execute'), 'Evidence')).toEqual([]);
  });
  it('ADM-SCEN-01 refuses a ScenarioSpec outside the compilation', () => {
    for (const phase of ['agent_1_frame', 'agent_2_revise'] as const)
      expect(codes(notAccepted(at(phase), 'ScenarioSpec'))).toEqual(['ADM-SCEN-01']);
  });
  it('ADM-SCEN-01 accepts a ScenarioSpec before the first contract', () => {
    expect(notAccepted(at('agent_2_compile'), 'ScenarioSpec')).toEqual([]);
  });
  it('ADM-GROUND-01 refuses a second grounding', () => {
    expect(codes(notAccepted(at('agent_1_frame'), 'ContextManifest'))).toEqual(['ADM-GROUND-01']);
  });
  it('ADM-GROUND-01 accepts the first grounding', () => {
    expect(notAccepted(at('context_grounding'), 'ContextManifest')).toEqual([]);
  });
});

describe('the answer', () => {
  it('ADM-CLR-06 refuses a blank answer', () => {
    expect(unknownChoice(waiting, ' \n')).toMatchObject([{ code: 'ADM-CLR-06', expected: ['seconds', 'stop'] }]);
  });
  it('ADM-CLR-06 accepts an answer that says something', () => expect(unknownChoice(waiting, 'stop')).toEqual([]));
  it('ADM-CLR-07 refuses an answer that no message could hold', () => {
    expect(codes(unknownChoice(waiting, `stop${' '.repeat(32_768)}`))).toEqual(['ADM-CLR-07']);
  });
  it('ADM-CLR-07 accepts an answer of the greatest length', () => {
    expect(codes(unknownChoice(waiting, 'stop'.padEnd(32_768)))).toEqual(['ADM-CLR-10']);
  });
  it('ADM-CLR-10 refuses a choice with blanks around it: the identifier is exact', () => {
    expect(codes(unknownChoice(waiting, ' stop\n'))).toEqual(['ADM-CLR-10']);
  });
  it('ADM-CLR-08 refuses an answer that nobody waits for', () =>
    expect(codes(notAwaiting(here))).toEqual(['ADM-CLR-08']));
  it('ADM-CLR-08 accepts an answer to an open question', () => expect(notAwaiting(waiting)).toEqual([]));
  it('ADM-CLR-09 refuses to go on when the question is lost', () => {
    expect(codes(lostQuestion(waiting, emptyRecord(runId)))).toEqual(['ADM-CLR-09']);
  });
  it('ADM-CLR-09 accepts a stored question', () => {
    const record = plus(recordUpTo('RunEnvelope'), stored('ClarificationRequest', bodies.question()));
    expect(lostQuestion(waiting, record)).toEqual([]);
  });
  it('ADM-CLR-10 refuses every text that is no choice, and shows it', () => {
    for (const answer of ['Seconds', 'yes', 'seconds or stop']) {
      const [finding] = unknownChoice(waiting, answer);
      expect(finding).toMatchObject({ code: 'ADM-CLR-10', path: 'clarification_response' });
      expect(finding?.message).toContain(answer);
    }
  });
  it('ADM-CLR-10 accepts the id of a choice', () => expect(unknownChoice(waiting, 'seconds')).toEqual([]));
  it('ADM-CLR-11 refuses a choice whose effect nobody knows', () => {
    const damaged = { ...waiting, choices: JSON.parse('[{"id":"seconds","effect":"explode"}]') };
    expect(codes(unknownChoice(damaged, 'seconds'))).toEqual(['ADM-CLR-11']);
  });
  it('ADM-CLR-11 accepts each of the three effects', () => {
    for (const effect of ['resume', 'cancel', 'new_run'] as const)
      expect(unknownChoice({ ...waiting, choices: [{ id: 'a', effect }] }, 'a')).toEqual([]);
  });
  it('ADM-CLR-12 refuses to resume what is not paused', () => {
    expect(codes(nothingToResume({ ...waiting, resumePhase: null }))).toEqual(['ADM-CLR-12']);
    expect(codes(nothingToResume(here))).toEqual(['ADM-CLR-12']);
  });
  it('ADM-CLR-12 accepts a pause that remembers its phase', () => expect(nothingToResume(waiting)).toEqual([]));
});

describe('an event that no row takes', () => {
  it.each([
    ['submit.WorkPlan', over, 'ADM-COM-10'],
    ['user.answer', over, 'ADM-COM-10'],
    ['submit.WorkPlan', waiting, 'ADM-TR-12'],
    ['submit.RunEnvelope', waiting, 'ADM-TR-12'],
    ['submit.RunEnvelope', here, 'ADM-COM-01'],
    ['submit.ContextManifest', here, 'ADM-GROUND-01'],
    ['submit.WorkPlan', here, 'ADM-COM-09'],
    ['user.answer', here, 'ADM-CLR-08'],
    ['submit.Evidence', here, 'ADM-EVID-01'],
  ] as const)('is told why: %s', (event, state, code) => expect(codes(astrayFindings(state, event))).toEqual([code]));

  it('has an entry for every code, and each entry ends the judgement', () => {
    expect(new Set(codes(tokenRules)).size).toBe(tokenRules.length);
    expect(tokenRules.every(({ ends }) => ends)).toBe(true);
  });
});

describe('what is not taken now', () => {
  it('is told at the argument that is wrong', () => {
    const said = [
      staleVersion(here, { ...token, expectedVersion: 6 }),
      staleAction(here, { ...token, actionId: 'action:run-1:6' }),
      ended(over),
      paused(waiting),
      controllerOwned('UserMessage'),
      ...recordPhases.flatMap((phase) =>
        ['ContextManifest', 'ClarificationRequest', 'ScenarioSpec', 'Evidence', 'WorkPlan'].map((type) =>
          notAccepted(at(phase), type),
        ),
      ),
      notAwaiting(here),
      lostQuestion(waiting, emptyRecord(runId)),
      unknownChoice(waiting, ' '),
      unknownChoice(waiting, 'x'.repeat(32_769)),
      unknownChoice(waiting, 'other'),
      nothingToResume(here),
      astrayFindings(over, 'submit.WorkPlan'),
      astrayFindings(over, 'user.answer'),
      astrayFindings(waiting, 'submit.WorkPlan'),
      astrayFindings(here, 'user.answer'),
    ];
    const lines = said.flatMap((findings) => pinned(findings).map((one) => JSON.stringify(one)));
    expect([...new Set(lines)]).toMatchSnapshot();
  });
});
