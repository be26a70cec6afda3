import { describe, expect, it } from 'vitest';
import { clarificationRequestRules } from '../../machines/rules/clarificationRequest.ts';
import { commonPart, commonRules } from '../../machines/rules/common.ts';
import { evidenceRules } from '../../machines/rules/evidence.ts';
import { scenarioSpecRules } from '../../machines/rules/scenarioSpec.ts';
import { ask, bodies, own, pair, query, recordUpTo, run } from './fixtures.ts';

const frame = (more: object = {}, given: Parameters<typeof query>[2] = {}) =>
  query('ProblemFrame', { ...bodies.frame(), ...more }, given);
const question = (more: Parameters<typeof run>[0]) =>
  query('ClarificationRequest', bodies.question(), { run: run(more) });

describe('rules of every submission', () => {
  it('ADM-COM-04 refuses a body that is no object, and ends the judgement', () => {
    for (const body of ['[]', 'null', '"text"'])
      expect(ask(commonRules, 'ADM-COM-04', { ...frame(), body: JSON.parse(body) })).toHaveLength(1);
    expect(commonRules[0]).toMatchObject({ code: 'ADM-COM-04', ends: true });
  });
  it('ADM-COM-04 accepts an object', () => expect(ask(commonRules, 'ADM-COM-04', frame())).toEqual([]));
  pair(
    commonRules,
    'ADM-COM-05',
    [
      'two ids',
      { of: frame({}, { sent: { ...bodies.frame(), id: 'frame-09' } }), path: 'id', says: /frame-01.*frame-09/ },
    ],
    ['one id', frame()],
  );
  pair(
    commonRules,
    'ADM-COM-06',
    ['a body of another run', { of: frame({ runId: 'run-9' }), path: 'runId', says: /run-9.*run-1/, mends: true }],
    ['a body of this run', frame()],
  );
  it('ADM-COM-07 refuses another schema version', () => {
    const whole = frame();
    const later = { ...whole, body: { ...whole.body, schemaVersion: JSON.parse('"2.0"') } };
    expect(ask(commonRules, 'ADM-COM-07', later)).toMatchObject([{ path: 'schemaVersion', expected: '1.0' }]);
  });
  it('ADM-COM-07 accepts version 1.0', () => expect(ask(commonRules, 'ADM-COM-07', frame())).toEqual([]));
  pair(
    commonRules,
    'ADM-COM-08',
    [
      'a type whose role is not that of the phase',
      {
        of: frame({}, { run: run({ phase: 'agent_3_plan' }) }),
        path: 'artifact_type',
        says: /scenario_author.*quality_controller/,
      },
    ],
    ['a type of the role of the phase', frame()],
  );
  it('ADM-COM-08 accepts a question from the role of any phase', () => {
    expect(ask(commonRules, 'ADM-COM-08', question({ phase: 'agent_3_plan' }))).toEqual([]);
  });
  pair(
    commonRules,
    'ADM-CLR-03',
    [
      'a further question while the first is open',
      { of: question({ questions: 1, status: 'awaiting_clarification' }), says: /awaiting_clarification/ },
    ],
    ['a further question of a running run', question({ questions: 1 })],
  );
  it('ADM-CLR-03 accepts a first question whatever the status', () => {
    expect(ask(commonRules, 'ADM-CLR-03', question({ status: 'awaiting_clarification' }))).toEqual([]);
  });
  pair(
    commonRules,
    'ADM-CLR-04',
    [
      'a further question in the audit',
      { of: question({ questions: 1, phase: 'agent_5_audit' }), says: /agent_5_release_audit/ },
    ],
    ['a further question in a phase that asks', question({ questions: 1, phase: 'agent_4_execute' })],
  );
  const resumed = run({ lineage: [own('clarify-01'), own('msg-02')] });
  pair(
    commonRules,
    'ADM-CLR-05',
    [
      'what resumes without citing the answer',
      { of: frame({}, { run: resumed, sourceRefs: [own('clarify-01')] }), path: 'source_refs', says: /msg-02/ },
    ],
    ['what cites question and answer', frame({}, { run: resumed, sourceRefs: [own('clarify-01'), own('msg-02')] })],
  );
  it('ADM-CLR-05 accepts without them a further question, Evidence and a ScenarioSpec', () => {
    const given = { run: resumed, record: recordUpTo('WorkPlan') };
    for (const of of [
      query('ClarificationRequest', bodies.question(), given),
      query('Evidence', bodies.evidence('ev-01', 'test'), given),
      query('ScenarioSpec', bodies.scenario(), given),
    ])
      expect(ask(commonRules, 'ADM-CLR-05', of)).toEqual([]);
  });
  it('ADM-CLR-05 refuses a UserReport that leaves an answer uncited', () => {
    const report = query('UserReport', bodies.report(), { run: resumed, record: recordUpTo('ReleaseAudit') });
    expect(ask(commonRules, 'ADM-CLR-05', report)).toMatchObject([
      { expected: { add: [own('clarify-01'), own('msg-02')] } },
    ]);
  });
});

describe('the book', () => {
  it('keeps an entry for what the server or the schema already assures, and never refuses by it', () => {
    const assured = [
      ['ADM-COM-17', commonRules, frame()],
      ['ADM-CLR-02', clarificationRequestRules, question({})],
      ['ADM-EVID-02', evidenceRules, query('Evidence', bodies.evidence('ev-01', 'test'))],
      ['ADM-SCEN-02', scenarioSpecRules, query('ScenarioSpec', bodies.scenario())],
    ] as const;
    for (const [code, book, of] of assured) expect(ask(book, code, of)).toEqual([]);
  });
  it('judges the number and the repetition of references before everything else', () => {
    expect(commonPart.slice(0, 3).map(({ code }) => code)).toEqual(['ADM-REF-02', 'ADM-REF-03', 'ADM-COM-04']);
    expect(commonPart.every(({ part }) => part === 'common')).toBe(true);
  });
});
