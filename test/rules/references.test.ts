import { describe, expect, it } from 'vitest';
import type { Query } from '../../machines/rules/book.ts';
import { inReferenceOrder, mergeRules, referenceRules } from '../../machines/rules/references.ts';
import {
  action,
  ask,
  bodies,
  change,
  check,
  claim,
  foreign,
  gate,
  house,
  own,
  pair,
  plus,
  priorId,
  priorRun,
  query,
  recordUpTo,
  run,
  source,
  stored,
} from './fixtures.ts';

const book = [...mergeRules, ...referenceRules];

const frame = (more: object = {}, given: Parameters<typeof query>[2] = {}) =>
  query('ProblemFrame', { ...bodies.frame(), ...more }, given);
const cites = (...sourceRefs: string[]) => frame({}, { sourceRefs });
const rules = (...applicableRuleRefs: string[]) => frame({ applicableRuleRefs });

const executing = { run: run({ phase: 'agent_4_execute' }), record: recordUpTo('Evidence') };
const result = (more: object = {}, given: object = {}) =>
  query('WorkResult', { ...bodies.result(), ...more }, { ...executing, ...given });
const quality = (more: object = {}, given: object = {}) =>
  query(
    'QualityReview',
    { ...bodies.quality(), ...more },
    { run: run({ phase: 'agent_3_review' }), record: recordUpTo('WorkResult'), ...given },
  );
const audit = (more: object = {}, given: object = {}) =>
  query(
    'ReleaseAudit',
    { ...bodies.audit(), ...more },
    { run: run({ phase: 'agent_5_audit' }), record: recordUpTo('QualityReview'), ...given },
  );
const report = (more: object = {}, given: object = {}) =>
  query(
    'UserReport',
    { ...bodies.report(), ...more },
    { run: run({ phase: 'agent_5_report' }), record: recordUpTo('ReleaseAudit'), ...given },
  );

const byUser = (ref: string) => audit({ claimEvidenceMatrix: [claim('user_reported', ref)] });
const shows = (...refs: string[]) => ({ evidenceRefs: refs });

const prior = priorRun();
const linked = (more: Parameters<typeof priorRun>[0] = {}) => ({
  run: run({ phase: 'agent_4_execute', priorRunId: priorId }),
  record: recordUpTo('Evidence', { ...prior, ...more }),
});
const old = (ref: string, given: object = linked()) => result(shows(own('ev-test'), ref), given);

const everyFault = (of: Query) => book.flatMap(({ code }) => ask(book, code, of).map((said) => ({ ...said, code })));

describe('the clean run', () => {
  it('breaks no reference rule with any of its artifacts', () => {
    const given = { run: run({ phase: 'agent_2_compile' }), record: recordUpTo('ProblemFrame') };
    const compiled = { run: run({ phase: 'agent_1_review' }), record: recordUpTo('TaskContract') };
    for (const of of [
      query('ContextManifest', bodies.manifest(), { record: recordUpTo('RunEnvelope') }),
      query('ClarificationRequest', bodies.question()),
      frame(),
      query('ScenarioSpec', bodies.scenario(), given),
      query('TaskContract', bodies.contract(), given),
      query('PromptReview', bodies.review(), compiled),
      query('WorkPlan', bodies.plan(), compiled),
      query('Evidence', { ...bodies.evidence('ev-01', 'test'), sourceRefs: [source, own('contract-01')] }, executing),
      result(),
      quality(),
      audit(),
      report(),
    ])
      expect(everyFault(of)).toEqual([]);
  });
});

describe('source_refs', () => {
  const many = (count: number) => Array.from({ length: count }, (_, index) => `trace://run-1/event-${index}`);
  pair(
    book,
    'ADM-REF-01',
    ['an entry of another form', { of: cites(source, 'file:///etc'), path: 'source_refs.1', says: /file:/ }],
    ['references of all three schemes', cites(source, own('msg-01'), 'trace://run-1')],
  );
  it('ADM-REF-01 says why: too long, blank inside, query', () => {
    const said = ask(book, 'ADM-REF-01', cites(`repo://${'a'.repeat(2042)}`, 'repo://a b', 'repo://a?b'));
    expect(said.map(({ path }) => path)).toEqual(['source_refs.0', 'source_refs.1', 'source_refs.2']);
    expect(said[0]?.message).toMatch(/2049 characters/);
  });
  // The frame cites the request, a source and a rule: three references of its own.
  pair(
    book,
    'ADM-REF-02',
    ['257 references, those of the body included', { of: cites(...many(254)), path: 'source_refs', says: /257/ }],
    ['256 references', cites(...many(253))],
  );
  pair(
    book,
    'ADM-REF-03',
    ['a reference named twice', { of: cites(source, house, source), path: 'source_refs.2', says: /src\/args/ }],
    ['a reference that the body cites, too', cites(source)],
  );
});

describe('system artifacts', () => {
  pair(
    book,
    'ADM-REF-04',
    [
      'one that does not exist',
      { of: rules('artifact://system/roles/king-v1'), path: 'applicableRuleRefs.0', says: /king/ },
    ],
    ['a role with hyphens', rules('artifact://system/roles/scenario-author-micro-v1')],
  );
  it('ADM-REF-04 refuses a known one in another field', () => {
    const role = 'artifact://system/roles/executor-v1';
    expect(ask(book, 'ADM-REF-04', cites(role))).toMatchObject([{ path: 'source_refs.0' }]);
    expect(ask(book, 'ADM-REF-04', quality({ regressionChecks: [check(role, own('ev-test'))] }))).toHaveLength(1);
  });
  it('ADM-REF-04 accepts the rubrics, the reverify role, and a system rule that a review judges', () => {
    const known = [
      'rubrics/contract-readiness-v1',
      'rubrics/execution-quality-v1',
      'roles/quality_controller-reverify-v1',
    ];
    expect(ask(book, 'ADM-REF-04', rules(...known.map((name) => `artifact://system/${name}`)))).toEqual([]);
    const judged = check('artifact://system/rubrics/execution-quality-v1', own('ev-test'));
    expect(ask(book, 'ADM-REF-04', quality({ ruleCompliance: [judged] }))).toEqual([]);
  });
});

describe('repository references', () => {
  pair(
    book,
    'ADM-REF-05',
    ['a file for the word of the user', { of: byUser(source), path: 'claimEvidenceMatrix.0.evidenceRefs.0' }],
    ['the message of the user', byUser(own('msg-01'))],
  );
  pair(
    book,
    'ADM-REF-06',
    [
      'a file that was not selected, and names the nearest',
      { of: rules('repo://lib/args.ts'), path: 'applicableRuleRefs.0', says: /src\/args\.ts/ },
    ],
    ['pinned and selected files', rules(house, source)],
  );
  it('ADM-REF-06 refuses every file before the context is grounded, and none in the manifest itself', () => {
    const record = recordUpTo('RunEnvelope');
    const asked = query('ClarificationRequest', { ...bodies.question(), evidenceInspected: [source] }, { record });
    expect(ask(book, 'ADM-REF-06', asked)).toHaveLength(1);
    expect(ask(book, 'ADM-REF-06', query('ContextManifest', bodies.manifest(), { record }))).toEqual([]);
  });
  pair(
    book,
    'ADM-REF-07',
    ['a file as evidence of what happened', { of: result(shows(source)), path: 'evidenceRefs.0', says: /src\/args/ }],
    ['captured Evidence', result()],
  );
});

describe('trace references', () => {
  const traced = (ref: string) => query('ClarificationRequest', { ...bodies.question(), evidenceInspected: [ref] });
  const length = recordUpTo('ContextManifest').traceLength;
  pair(
    book,
    'ADM-REF-08',
    ['the trace for the word of the user', { of: byUser('trace://run-1/event-0001') }],
    ['the message of the user', byUser(own('msg-01'))],
  );
  pair(
    book,
    'ADM-REF-09',
    ['the trace of another run', { of: traced('trace://run-9/event-0001'), path: 'evidenceInspected.0', mends: true }],
    ['the trace of this run', traced('trace://run-1')],
  );
  it('ADM-REF-09 refuses a trace reference of another form', () => {
    for (const ref of ['trace://run-1/', 'trace://run-1/a/b', 'trace:///event-0001'])
      expect(ask(book, 'ADM-REF-09', traced(ref))).toHaveLength(1);
  });
  pair(
    book,
    'ADM-REF-10',
    ['the whole trace as evidence', { of: result(shows('trace://run-1')), path: 'evidenceRefs.0' }],
    ['the whole trace elsewhere', report()],
  );
  pair(
    book,
    'ADM-REF-11',
    [
      'an event that does not exist, and tells which do',
      { of: traced(`trace://run-1/event-000${length + 1}`), says: new RegExp(`event-000${length}\\.`) },
    ],
    ['the last event', traced(`trace://run-1/event-000${length}`)],
  );
  it('ADM-REF-11 refuses every other way to write a number', () => {
    for (const event of ['event-0000', 'event-1', 'event-001', 'event-00001', 'event-0001x', '1'])
      expect(ask(book, 'ADM-REF-11', traced(`trace://run-1/${event}`))).toHaveLength(1);
  });
  pair(
    book,
    'ADM-REF-12',
    ['an event as evidence', { of: result({ toolEventRefs: ['trace://run-1/event-0001'] }), path: 'toolEventRefs.0' }],
    ['an event elsewhere', traced('trace://run-1/event-0001')],
  );
  it('ADM-REF-12 tells the same of the whole trace and of an event that is missing, once each', () => {
    const all = result({ toolEventRefs: ['trace://run-1', 'trace://run-1/event-0001', 'trace://run-1/event-9999'] });
    const said = everyFault(all);
    expect(said.map(({ code }) => code)).toEqual(['ADM-REF-10', 'ADM-REF-11', 'ADM-REF-12']);
    expect(new Set(said.map(({ message }) => message.replace(/"[^"]*"/, ''))).size).toBe(1);
  });
});

describe('artifact references', () => {
  pair(
    book,
    'ADM-REF-13',
    [
      'more than one segment after the run',
      { of: frame({ applicableRuleRefs: [own('a/b')] }), path: 'applicableRuleRefs.0' },
    ],
    ['run and id', frame({ applicableRuleRefs: [own('doc-01')] })],
  );
  pair(
    book,
    'ADM-REF-13',
    [
      'more than one segment, and tells the artifact that the last one names',
      { of: frame({ applicableRuleRefs: [own('a/doc-01')] }), path: 'applicableRuleRefs.0', mends: true },
    ],
    ['that artifact', frame({ applicableRuleRefs: [own('doc-01')] })],
  );
  pair(
    book,
    'ADM-REF-14',
    ['another run where none is linked', { of: cites(foreign('ev-old')), path: 'source_refs.0', says: /no prior run/ }],
    ['Evidence of the linked run', old(foreign('ev-old'))],
  );
  pair(
    book,
    'ADM-REF-14',
    [
      'another run, and tells the artifact of this one that has the id',
      { of: cites(foreign('doc-01')), path: 'source_refs.0', mends: true },
    ],
    ['that artifact', cites(own('doc-01'))],
  );
  it('ADM-REF-14 refuses a coming report of another run, linked or not', () => {
    const given = {
      run: run({ phase: 'agent_5_audit', priorRunId: priorId }),
      record: recordUpTo('QualityReview', prior),
    };
    expect(ask(book, 'ADM-REF-14', audit({ userReportRef: foreign('ev-old') }, given))).toHaveLength(1);
  });
  pair(
    book,
    'ADM-REF-15',
    [
      'an id that is taken',
      { of: audit({ userReportRef: own('result-01') }), path: 'userReportRef', says: /WorkResult/ },
    ],
    ['an id that is free', audit()],
  );
  it('ADM-REF-15 refuses the id of the audit itself, and one that no report can have', () => {
    for (const ref of [own('audit-01'), own('a%2Fb'), own('x'.repeat(129))])
      expect(ask(book, 'ADM-REF-15', audit({ userReportRef: ref }))).toHaveLength(1);
  });
  pair(
    book,
    'ADM-REF-16',
    [
      'an artifact that is not stored',
      { of: frame({ applicableRuleRefs: [own('ghost')] }), path: 'applicableRuleRefs.0', says: /ghost/ },
    ],
    ['one that is', frame({ applicableRuleRefs: [own('doc-01')] })],
  );
  pair(
    book,
    'ADM-REF-16',
    [
      'Evidence that is not stored, and tells what is',
      { of: result(shows(own('ghost'))), path: 'evidenceRefs.0', mends: true },
    ],
    ['Evidence that is', result(shows(own('ev-test')))],
  );
  it('ADM-REF-16 tells the artifact that a typed field wants, and mending by it holds', () => {
    const [said] = ask(book, 'ADM-REF-16', result({ workPlanRef: own('plan-09') }));
    expect(said).toMatchObject({ path: 'workPlanRef', expected: own('plan-01') });
  });
  pair(
    book,
    'ADM-REF-17',
    [
      'another type in a typed field',
      {
        of: result({ workPlanRef: own('contract-01') }),
        path: 'workPlanRef',
        says: /WorkPlan.*TaskContract/,
        mends: true,
      },
    ],
    ['the type that the field is named after', result()],
  );
  it('ADM-REF-17 refuses Evidence of the linked run in a typed field', () => {
    expect(ask(book, 'ADM-REF-17', result({ workPlanRef: foreign('ev-old') }, linked()))).toHaveLength(1);
  });
  it('ADM-REF-17 judges each field that is named after a type', () => {
    const wrong = own('doc-01');
    const all = audit({
      originalRequestRef: wrong,
      taskContractRef: wrong,
      workPlanRefs: [wrong],
      workResultRefs: [wrong],
      qualityReviewRef: wrong,
    });
    expect(ask(book, 'ADM-REF-17', all).map(({ path }) => path)).toEqual([
      'originalRequestRef',
      'taskContractRef',
      'workPlanRefs.0',
      'workResultRefs.0',
      'qualityReviewRef',
    ]);
  });
  pair(
    book,
    'ADM-REF-18',
    [
      'Evidence for the word of the user',
      { of: byUser(own('ev-test')), path: 'claimEvidenceMatrix.0.evidenceRefs.0', says: /Evidence/ },
    ],
    ['the message of the user', byUser(own('msg-01'))],
  );
  it('ADM-REF-18 refuses a message that the user did not write, in a report, too', () => {
    const message = stored('UserMessage', { ...bodies.request(), id: 'msg-02' }, { producer: 'controller' });
    const completionClaims = [
      { id: 'CC-1', text: 'So.', status: 'user_reported', evidenceRefs: [own('msg-02')], confidence: 1 },
    ];
    const said = ask(
      book,
      'ADM-REF-18',
      report({ completionClaims }, { record: plus(recordUpTo('ReleaseAudit'), message) }),
    );
    expect(said).toMatchObject([{ path: 'completionClaims.0.evidenceRefs.0', expected: [own('msg-01')] }]);
  });
});

describe('direct evidence', () => {
  const direct = [
    ['WorkResult', result({ actions: [action('repository.read', 'a', own('msg-01'))] }), 'actions.0.evidenceRefs.0'],
    ['WorkResult', result({ filesChanged: [change('a', own('msg-01'))] }), 'filesChanged.0.diffRef'],
    ['WorkResult', result({ toolEventRefs: [own('msg-01')] }), 'toolEventRefs.0'],
    ['QualityReview', quality({ hardGates: [gate(own('msg-01'))] }), 'hardGates.0.evidenceRefs.0'],
    ['QualityReview', quality({ ruleCompliance: [check(house, own('msg-01'))] }), 'ruleCompliance.0.evidenceRefs.0'],
    ['ReleaseAudit', audit({ userFidelity: [check(own('msg-01'), own('msg-01'))] }), 'userFidelity.0.evidenceRefs.0'],
    [
      'ReleaseAudit',
      audit({ claimEvidenceMatrix: [claim('direct', own('msg-01'))] }),
      'claimEvidenceMatrix.0.evidenceRefs.0',
    ],
    ['UserReport', report({ verificationRefs: [own('msg-01')] }), 'verificationRefs.0'],
  ] as const;
  it.each(direct)('ADM-REF-19 refuses a message as evidence in a %s', (_type, of, path) => {
    expect(ask(book, 'ADM-REF-19', of).map((said) => said.path)).toEqual([path]);
  });
  pair(
    book,
    'ADM-REF-19',
    [
      'a result as evidence, and tells what would do',
      { of: quality({ hardGates: [gate(own('result-01'))] }), says: /WorkResult/ },
    ],
    ['Evidence and context documents', result()],
  );
  it('ADM-REF-19 accepts any reference at a gate of a PromptReview', () => {
    const review = query('PromptReview', bodies.review(), { record: recordUpTo('TaskContract') });
    expect(ask(book, 'ADM-REF-19', review)).toEqual([]);
  });

  const planning = { run: run({ phase: 'agent_3_review', mode: 'plan_only' }), record: recordUpTo('WorkPlan') };
  const accepted = (criterionId: string, ref: string) => ({
    acceptanceResults: [{ criterionId, status: 'pass', evidenceRefs: [own(ref)], rationaleSummary: 'So.' }],
    ruleCompliance: [],
    verificationResults: [],
    hardGates: [gate(own(ref))],
  });
  it('ADM-REF-19 accepts the current plan in the modes that execute nothing, and refuses it in the others', () => {
    expect(ask(book, 'ADM-REF-19', quality(accepted('AC-1', 'plan-01'), planning))).toEqual([]);
    expect(ask(book, 'ADM-REF-19', quality(accepted('AC-1', 'plan-01')))).toHaveLength(2);
  });
  it('ADM-REF-19 accepts an earlier plan for a criterion that the remediation plan left alone, and for no other', () => {
    const first = { ...bodies.plan().nodes[0], acceptanceCriteria: ['AC-1', 'AC-2'] };
    const record = plus(
      recordUpTo('TaskContract'),
      stored('WorkPlan', { ...bodies.plan(), nodes: [first] }),
      stored('WorkPlan', { ...bodies.plan(), id: 'plan-02' }),
    );
    const given = { ...planning, record };
    expect(ask(book, 'ADM-REF-19', quality(accepted('AC-2', 'plan-01'), given))).toEqual([]);
    const said = ask(book, 'ADM-REF-19', quality(accepted('AC-1', 'plan-01'), given));
    expect(said.map(({ path }) => path)).toEqual(['acceptanceResults.0.evidenceRefs.0']);
  });
  it('ADM-REF-19 accepts a result at a failed gate while the run holds no Evidence, and only then', () => {
    const bare = plus(recordUpTo('WorkPlan'), stored('WorkResult', { ...bodies.result(), ...{ status: 'blocked' } }));
    const gated = (passed: boolean) => ({
      hardGates: [gate(own('result-01'), passed)],
      ...{
        acceptanceResults: [{ criterionId: 'AC-1', status: 'unverified', evidenceRefs: [], rationaleSummary: 'So.' }],
        ruleCompliance: [],
        verificationResults: [],
      },
    });
    expect(ask(book, 'ADM-REF-19', quality(gated(false), { record: bare }))).toEqual([]);
    expect(ask(book, 'ADM-REF-19', quality(gated(true), { record: bare }))).toHaveLength(1);
    expect(ask(book, 'ADM-REF-19', quality(gated(false)))).toHaveLength(1);
    const replanned = plus(bare, stored('WorkPlan', { ...bodies.plan(), id: 'plan-02' }));
    expect(ask(book, 'ADM-REF-19', quality(gated(false), { record: replanned }))).toHaveLength(1);
  });
});

describe('the linked run', () => {
  pair(
    book,
    'ADM-LIN-05',
    ['an id of other characters', { of: old(foreign('a%2Fb')), path: 'evidenceRefs.1' }],
    ['an id with a colon', old(foreign('ev:old'), linked({ get: () => prior.get('ev-old') }))],
  );
  pair(
    book,
    'ADM-LIN-06',
    ['a third run', { of: old('artifact://run-7/ev-old'), path: 'evidenceRefs.1', says: /run-7.*run-0/ }],
    ['the linked run', old(foreign('ev-old'))],
  );
  pair(
    book,
    'ADM-LIN-07',
    ['a run that is gone', { of: old(foreign('ev-old'), linked({ exists: false })) }],
    ['a run that is there', old(foreign('ev-old'))],
  );
  pair(
    book,
    'ADM-LIN-08',
    ['a run of another repository', { of: old(foreign('ev-old'), linked({ repositoryRoot: '/srv/other' })) }],
    ['a run of the same repository', old(foreign('ev-old'))],
  );
  pair(
    book,
    'ADM-LIN-09',
    ['an artifact that it does not hold', { of: old(foreign('ghost')), says: /ghost/ }],
    ['one that it holds', old(foreign('ev-old'))],
  );
  pair(
    book,
    'ADM-LIN-10',
    ['an artifact of another type', { of: old(foreign('plan-old')), says: /WorkPlan/ }],
    ['Evidence', old(foreign('ev-old'))],
  );
  pair(
    book,
    'ADM-LIN-11',
    [
      'free text that starts as a reference to another artifact',
      { of: result({ deviations: [foreign('plan-old')] }, linked()), path: 'deviations.0' },
    ],
    [
      'free text that names Evidence of the linked run, or an artifact of this one',
      result({ deviations: [foreign('ev-old'), own('anything')] }, linked()),
    ],
  );
  it('ADM-LIN-11 accepts any text in a run without a link', () => {
    expect(ask(book, 'ADM-LIN-11', result({ deviations: [foreign('plan-old')] }))).toEqual([]);
  });
  it('reports a bad reference by one rule of the link', () => {
    expect(everyFault(old(foreign('ghost'))).map(({ code }) => code)).toEqual(['ADM-LIN-09']);
  });
});

describe('the order of findings', () => {
  it('is reference by reference: the body in document order, then source_refs', () => {
    const of = query(
      'ClarificationRequest',
      { ...bodies.question(), evidenceInspected: [own('ghost'), 'repo://nowhere', 'trace://run-9'] },
      { sourceRefs: [own('a/b'), 'bad'] },
    );
    const faults = [{ code: 'ADM-COM-06', path: 'runId' }, ...everyFault(of)];
    expect(inReferenceOrder(of, faults.toReversed()).map(({ code }) => code)).toEqual([
      'ADM-COM-06',
      'ADM-REF-16',
      'ADM-REF-06',
      'ADM-REF-09',
      'ADM-REF-13',
      'ADM-REF-01',
    ]);
  });
});
