import { describe, expect, it } from 'vitest';
import type { RunRecord } from '../../machines/record.ts';
import { checkQuota, evidenceLeft, ledgerRules, supportingReplay } from '../../machines/rules/ledgerRules.ts';
import { limits } from '../../schemas/vocabulary.ts';
import { action, ask, bodies, own, pair, plus, query, recordUpTo, run, source, stored } from './fixtures.ts';

const captured = (id: string, more: object = {}) => ({ ...bodies.evidence(id, 'test'), ...more });
const executing = run({ phase: 'agent_4_execute' });
const planned = recordUpTo('WorkPlan');
const evidence = (body: object, record: RunRecord = planned, sourceRefs: readonly string[] = []) =>
  query('Evidence', body, { run: executing, record, sourceRefs });
const compiling = run({ phase: 'agent_2_compile' });
const framed = recordUpTo('ProblemFrame');
const scenario = (more: object, record: RunRecord) =>
  query('ScenarioSpec', { ...bodies.scenario(), ...more }, { run: compiling, record });
const frame = (record: RunRecord, more: object = {}) =>
  query('ProblemFrame', { ...bodies.frame(), ...more }, { record });
const result = (record: RunRecord, more: object = {}) =>
  query('WorkResult', { ...bodies.result(), ...more }, { run: executing, record });

/** A record of a given number of artifacts and trace events. */
const grown = (record: RunRecord, size: number, trace = record.traceLength): RunRecord =>
  record.extend(
    Array.from({ length: size - record.size }, (_, index) =>
      stored('UserMessage', { ...bodies.request(), id: `filler-${index}` }),
    ),
    { added: trace - record.traceLength, denials: 0 },
  );
const traced = (record: RunRecord, trace: number): RunRecord => grown(record, record.size, trace);
const many = (count: number) =>
  Array.from({ length: count }, (_, index) => stored('Evidence', captured(`ev-${index}`)));

const repeated = plus(planned, stored('Evidence', captured('ev-01')));
const presented = plus(
  framed,
  stored('ScenarioSpec', bodies.scenario(), { sourceRefs: scenario({}, framed).sourceRefs }),
);

describe('ids', () => {
  pair(
    ledgerRules,
    'ADM-COM-11',
    ['an id that is taken, and says by what', { of: frame(planned), path: 'id', says: /frame-01.*ProblemFrame/ }],
    ['a new id', frame(planned, { id: 'frame-02' })],
  );
  pair(
    ledgerRules,
    'ADM-EVID-08',
    [
      'another content under a stored id',
      { of: evidence(captured('ev-01', { content: 'other' }), repeated), path: 'id' },
    ],
    ['exactly what is stored', evidence(captured('ev-01'), repeated)],
  );
  it('ADM-EVID-08 refuses other sources and the id of another type', () => {
    expect(ask(ledgerRules, 'ADM-EVID-08', evidence(captured('ev-01'), repeated, [source]))).toHaveLength(1);
    expect(ask(ledgerRules, 'ADM-EVID-08', evidence(captured('plan-01'), repeated))).toHaveLength(1);
  });
  pair(
    ledgerRules,
    'ADM-SCEN-05',
    ['another content under a stored id', { of: scenario({ title: 'Other' }, presented), path: 'id' }],
    ['exactly what is stored', scenario({}, presented)],
  );
  it('tells a repeat from what is new and from what differs', () => {
    const artifact = stored('Evidence', captured('ev-01'));
    expect(supportingReplay(planned, artifact)).toBe('new');
    expect(supportingReplay(repeated, artifact)).toBe('same');
    expect(supportingReplay(repeated, { ...artifact, redaction: 'full' })).toBe('different');
  });
});

describe('quotas', () => {
  pair(
    ledgerRules,
    'ADM-SCEN-04',
    [
      'a second presentation of a frame',
      { of: scenario({ id: 'scenario-02' }, presented), path: 'problemFrameRef', says: /scenario-01/ },
    ],
    ['the first presentation', scenario({}, framed)],
  );
  it('ADM-SCEN-04 accepts an exact repeat', () => {
    expect(ask(ledgerRules, 'ADM-SCEN-04', scenario({}, presented))).toEqual([]);
  });
  pair(
    ledgerRules,
    'ADM-EVID-07',
    ['the 129th Evidence for a plan', { of: evidence(captured('ev-new'), plus(planned, ...many(128))), says: /128/ }],
    ['the 128th Evidence for a plan', evidence(captured('ev-new'), plus(planned, ...many(127)))],
  );
  it('ADM-EVID-07 refuses Evidence without a plan and accepts an exact repeat when the quota is used up', () => {
    expect(ask(ledgerRules, 'ADM-EVID-07', evidence(captured('ev-new'), framed))).toHaveLength(1);
    expect(ask(ledgerRules, 'ADM-EVID-07', evidence(captured('ev-5'), plus(planned, ...many(128))))).toEqual([]);
  });
  it('counts Evidence since the latest plan', () => {
    const used = plus(planned, ...many(100));
    expect(evidenceLeft(used)).toBe(28);
    expect(evidenceLeft(plus(used, stored('WorkPlan', { ...bodies.plan(), id: 'plan-02' })))).toBe(128);
    expect(evidenceLeft(framed)).toBe(0);
  });
  pair(
    ledgerRules,
    'ADM-COM-12',
    ['an artifact in a full run', { of: frame(grown(planned, 2048), { id: 'new' }), says: /2048/ }],
    ['the last artifact that fits', frame(grown(planned, 2047), { id: 'new' })],
  );
  it('ADM-COM-12 refuses Evidence once only the reserve is left, and accepts a repeat', () => {
    const reserve = limits.artifacts - limits.reservedArtifacts;
    expect(ask(ledgerRules, 'ADM-COM-12', evidence(captured('ev-new'), grown(planned, reserve)))).toHaveLength(1);
    expect(ask(ledgerRules, 'ADM-COM-12', evidence(captured('ev-new'), grown(planned, reserve - 1)))).toEqual([]);
    expect(ask(ledgerRules, 'ADM-COM-12', evidence(captured('ev-01'), grown(repeated, reserve)))).toEqual([]);
  });
  it('ADM-COM-12 counts the documents of a grounding and the companions of a micro frame', () => {
    const started = recordUpTo('RunEnvelope');
    const manifest = query('ContextManifest', bodies.manifest(), { record: grown(started, 2047) });
    expect(ask(ledgerRules, 'ADM-COM-12', manifest)).toHaveLength(1);
    const stands = plus(started, stored('ContextDocument', bodies.document()));
    const counted = query('ContextManifest', bodies.manifest(), { record: grown(stands, 2047) });
    expect(ask(ledgerRules, 'ADM-COM-12', counted)).toEqual([]);
    const micro = { run: run({ topology: 'micro' }), record: grown(started, 2046) };
    expect(ask(ledgerRules, 'ADM-COM-12', query('ProblemFrame', bodies.frame(), micro))).toHaveLength(1);
  });
  it('ADM-COM-12 counts a receipt with a review and nothing with a report, in a micro run, too', () => {
    const about = (topology: 'micro' | 'standard', size: number) => ({
      run: run({ topology, phase: 'agent_3_review' }),
      record: grown(recordUpTo('WorkResult'), size),
    });
    for (const topology of ['micro', 'standard'] as const) {
      const review = (size: number) => query('QualityReview', bodies.quality(), about(topology, size));
      expect(ask(ledgerRules, 'ADM-COM-12', review(2046))).toEqual([]);
      expect(ask(ledgerRules, 'ADM-COM-12', review(2047))).toHaveLength(1);
      const audit = query('ReleaseAudit', bodies.audit(), about(topology, 2047));
      expect(ask(ledgerRules, 'ADM-COM-12', audit)).toEqual([]);
    }
  });
  it('ADM-COM-15 counts the four events of a review and its receipt', () => {
    const review = (trace: number) =>
      query('QualityReview', bodies.quality(), {
        run: run({ phase: 'agent_3_review' }),
        record: traced(recordUpTo('WorkResult'), trace),
      });
    expect(ask(ledgerRules, 'ADM-COM-15', review(9995))).toEqual([]);
    expect(ask(ledgerRules, 'ADM-COM-15', review(9996))).toHaveLength(1);
  });
  it('ADM-COM-15 counts the two events of a report, and no check of a skipped action', () => {
    const about = (trace: number) => ({ run: run({ phase: 'agent_5_report' }), record: traced(planned, trace) });
    const told = (trace: number) =>
      ask(ledgerRules, 'ADM-COM-15', query('UserReport', bodies.report(), about(trace))).length;
    expect([told(9997), told(9998)]).toEqual([0, 1]);
    const skipped = { ...action('repository.read', 'a', own('ev-repo')), status: 'skipped', evidenceRefs: [] };
    const actions = [skipped, { ...action('repository.read', 'a', own('ev-repo')), id: 'ACT-2' }];
    const checked = (trace: number) =>
      ask(ledgerRules, 'ADM-COM-15', result(traced(planned, trace), { status: 'partial', actions })).length;
    expect([checked(9898), checked(9899)]).toEqual([0, 1]);
  });
  it('ADM-COM-13 refuses a body of more than two MiB, counted in bytes of UTF-8', () => {
    const claim = 'é'.repeat(16_000);
    const facts = (count: number) =>
      Array.from({ length: count }, (_, index) => ({
        id: `KF-${index}`,
        claim,
        provenance: 'user',
        sourceRef: own('msg-01'),
      }));
    expect(ask(ledgerRules, 'ADM-COM-13', frame(planned, { knownFacts: facts(66) }))[0]?.message).toMatch(/2097152/);
    expect(ask(ledgerRules, 'ADM-COM-13', frame(planned, { knownFacts: facts(64) }))).toEqual([]);
  });
  it('ADM-COM-13 accepts an ordinary body', () => expect(ask(ledgerRules, 'ADM-COM-13', frame(planned))).toEqual([]));
  pair(
    ledgerRules,
    'ADM-COM-15',
    [
      'Evidence once only the reserve of the trace is left',
      { of: evidence(captured('ev-new'), traced(planned, 9500)), says: /9500/ },
    ],
    ['the last Evidence before the reserve', evidence(captured('ev-new'), traced(planned, 9499))],
  );
  it('ADM-COM-15 lets what moves the run use the reserve, and always leaves an event to cancel with', () => {
    expect(ask(ledgerRules, 'ADM-COM-15', frame(traced(planned, 9998)))).toEqual([]);
    expect(ask(ledgerRules, 'ADM-COM-15', frame(traced(planned, 9999)))).toHaveLength(1);
  });
  it('ADM-COM-15 keeps the last events from results with many checks, so that the run can be closed', () => {
    const actions = Array.from({ length: 100 }, (_, index) => ({
      ...action('repository.read', 'a', own('ev-repo')),
      id: `ACT-${index}`,
    }));
    expect(ask(ledgerRules, 'ADM-COM-15', result(traced(planned, 9800), { actions }))).toHaveLength(1);
    expect(ask(ledgerRules, 'ADM-COM-15', result(traced(planned, 9799), { actions }))).toEqual([]);
  });
  it('ADM-COM-15 refuses a tool check once only the reserve is left', () => {
    expect(checkQuota(traced(planned, 9500))).toMatchObject([{ code: 'ADM-COM-15' }]);
    expect(checkQuota(traced(planned, 9499))).toEqual([]);
  });
  it('ADM-COM-16 accepts every summary: it is cut, not refused', () => {
    expect(ask(ledgerRules, 'ADM-COM-16', frame(planned))).toEqual([]);
  });
  it('end the judgement at the first that fails, ids before quotas', () => {
    const judged = ledgerRules.filter(({ code }) => code !== 'ADM-COM-16');
    expect(judged.every(({ ends, part }) => ends && part === 'ledger')).toBe(true);
    expect(judged.slice(0, 3).map(({ refusal }) => refusal)).toEqual(['id_taken', 'id_taken', 'id_taken']);
  });
});
