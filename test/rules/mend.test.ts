import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ruleBook } from '../../machines/rules/index.ts';
import { qualityReviewRules } from '../../machines/rules/qualityReview.ts';
import { releaseAuditRules } from '../../machines/rules/releaseAudit.ts';
import { reviewDecisionRules } from '../../machines/rules/reviewDecision.ts';
import { notAccepted, paused, staleAction, staleVersion, unknownChoice } from '../../machines/rules/token.ts';
import { Instruction } from '../../schemas/expected.ts';
import type { Finding } from '../../schemas/failure.ts';
import { type CheckableType, checkBody, type Issue } from '../../schemas/issues.ts';
import { bodyIn, invalid } from '../schemas/bodies.ts';
import { type Call, forAuthor } from './expectTaught.ts';
import { run } from './fixtures.ts';
import { mend } from './mend.ts';

/** What `expected` means can be followed without knowing the rules (guidance section 2). */

const finding = (path: string, expected: unknown): Finding => ({ path, code: 'X-1', message: 'Wrong.', expected });
const mended = (body: unknown, ...findings: readonly Finding[]): unknown => mend({ body }, findings).call.body;

describe('what expected says', () => {
  it('is the value for its place, null included', () => {
    expect(mended({ a: { b: 1 } }, finding('a.b', 2))).toEqual({ a: { b: 2 } });
    expect(mended({ a: { b: 1 } }, finding('a', null))).toEqual({ a: null });
    expect(mended({ a: [1] }, finding('a', [2, 3]))).toEqual({ a: [2, 3] });
    expect(mended({ a: {} }, finding('a', { required: false, reason: null }))).toEqual({
      a: { required: false, reason: null },
    });
  });

  it('is a choice where a list is expected and one value stands', () => {
    expect(mended({ decision: 'pass' }, finding('decision', ['partial', 'block']))).toEqual({ decision: 'partial' });
  });

  it('adds, removes and keeps members', () => {
    expect(mended({ a: [1] }, finding('a', { add: [1, 2] }))).toEqual({ a: [1, 2] });
    expect(mended({ a: [1, 2, 3] }, finding('a', { maxItems: 2 }))).toEqual({ a: [1, 2] });
    const gone = { absent: true };
    expect(mended({ a: ['x', 'y', 'x', 'x'] }, finding('a.2', gone), finding('a.3', gone))).toEqual({ a: ['x', 'y'] });
    expect(mended({ a: 1, b: 2 }, finding('b', gone))).toEqual({ a: 1 });
  });

  it('has one entry for each value of a key', () => {
    const body = {
      list: [
        { id: 'a', n: 1 },
        { id: 'x', n: 2 },
        { id: 'a', n: 3 },
      ],
    };
    expect(mended(body, finding('list', { entries: { by: 'id', of: ['a', 'b'] } }))).toEqual({
      list: [
        { id: 'a', n: 1 },
        { id: 'b', n: 3 },
      ],
    });
  });

  it('takes out keys that are not known, and gives a mistyped one its name', () => {
    expect(mended({ run_id: 'r', other: 1 }, finding('', { keys: ['runId', 'id'] }))).toEqual({ runId: 'r' });
  });

  it('bounds numbers and texts', () => {
    expect(mended({ n: 9 }, finding('n', { maximum: 5 }))).toEqual({ n: 5 });
    expect(mended({ n: 0 }, finding('n', { minimum: 1 }))).toEqual({ n: 1 });
    expect(mended({ s: 'abc' }, finding('s', { maxLength: 2 }))).toEqual({ s: 'ab' });
  });

  it('reaches the arguments of the call by their names', () => {
    expect(mend({ body: {}, source_refs: ['a'] }, [finding('source_refs', { add: ['b'] })]).call.source_refs).toEqual([
      'a',
      'b',
    ]);
  });

  it.each([{ minItems: 1 }, { minLength: 1 }, { type: 'array' }, { key: 'a', type: 'string' }, { maxBytes: 9 }])(
    'leaves %j to who writes the body',
    (expected) => {
      const call = { body: { a: [] } };
      const told = finding('a', expected);
      expect(mend(call, [told])).toEqual({ call, left: [told] });
    },
  );

  it('is no instruction when it holds any other key', () => {
    expect(Instruction.safeParse({ add: [1], more: 1 }).success).toBe(false);
    expect(Instruction.safeParse({}).success).toBe(false);
  });
});

describe('the token and the answer', () => {
  const here = run({ phase: 'agent_3_plan', version: 4 });
  const waiting = run({
    status: 'awaiting_clarification',
    resumePhase: 'agent_1_frame',
    choices: [{ id: 'go-on', effect: 'resume' }],
  });
  const argument = (call: Call, key: string): string => String(call[key]);

  it('are right once the expected value stands in the argument', () => {
    const stale: Call = { body: {}, expected_run_version: 3, action_id: 'action:other:3' };
    const token = (call: Call) => ({
      expectedVersion: Number(call.expected_run_version),
      actionId: argument(call, 'action_id'),
    });
    const judge = (call: Call): readonly Finding[] => [
      ...staleVersion(here, token(call)),
      ...staleAction(here, token(call)),
    ];
    expect(judge(stale)).toHaveLength(2);
    expect(judge(mend(stale, judge(stale)).call)).toEqual([]);
  });

  it('are one of the choices, one of the types', () => {
    const asked: Call = { body: {}, clarification_response: 'yes' };
    const answer = (call: Call): readonly Finding[] => unknownChoice(waiting, argument(call, 'clarification_response'));
    expect(answer(mend(asked, answer(asked)).call)).toEqual([]);
    const sent: Call = { body: {}, artifact_type: 'UserReport' };
    const type = (call: Call): readonly Finding[] => notAccepted(here, argument(call, 'artifact_type'));
    expect(type(sent)).not.toEqual([]);
    expect(type(mend(sent, type(sent)).call)).toEqual([]);
  });

  it('tell the choices when an artifact comes while a question is open', () => {
    expect(paused(waiting)).toMatchObject([{ code: 'ADM-TR-12', expected: ['go-on'] }]);
  });

  it.each([
    ['ADM-MCH-02', reviewDecisionRules],
    ['ADM-MCH-04', qualityReviewRules],
    ['ADM-MCH-08', releaseAuditRules],
  ] as const)('%s accepts each decision that it expects', (code, book) => {
    const control = book.find((one) => one.code === code)?.control;
    const told = control?.says(run(), { decision: 'other' }).expected;
    const decisions: readonly unknown[] = Array.isArray(told) ? told : [];
    expect(decisions.length).toBeGreaterThan(0);
    for (const decision of decisions) expect(control?.holds(run(), { decision: String(decision) })).toBe(true);
  });
});

describe('a body that breaks its schema', () => {
  const issuesOf = (type: CheckableType, body: unknown): readonly Issue[] => {
    const checked = checkBody(type, body);
    return checked.ok ? [] : checked.issues;
  };
  const refused = invalid.flatMap(({ file, type, rule }) => {
    const issues = issuesOf(type, bodyIn(file));
    return issues.some(({ expected }) => expected !== undefined) ? [{ file, type, rule, issues }] : [];
  });

  it('tells what is expected in most cases', () => {
    expect(refused.length).toBeGreaterThan(100);
  });

  it.each(refused)('$file is mended where it is told how', ({ file, type, issues }) => {
    const { call, left } = mend({ body: bodyIn(file) }, issues);
    const followed = issues.filter((one) => one.expected !== undefined && !left.includes(one));
    const again = issuesOf(type, call.body);
    const same = (a: Issue, b: Issue): boolean => a.code === b.code && a.path === b.path;
    expect(followed.filter((one) => again.some((other) => same(one, other)))).toEqual([]);
  });

  it('tells nothing but values, choices and instructions', () => {
    const odd = refused.flatMap(({ issues }) =>
      issues.filter(({ expected, path, code }) => {
        const isObject = typeof expected === 'object' && expected !== null && !Array.isArray(expected);
        return (
          isObject &&
          !Instruction.safeParse(expected).success &&
          !(code === 'SCH-CONTRACT-07' && path === 'permissions')
        );
      }),
    );
    expect(odd).toEqual([]);
  });
});

const words = (text: string): readonly string[] =>
  text
    .split(/\s+/)
    .filter((word) => word !== '')
    .map((word) => `ADM-${word}`);

/** What only the author can mend: a judgement, a fact, words. Their `fix` says what to do. */
const byJudgement = words(`
  AUDIT-07 AUDIT-11 FRAME-08 FRAME-11 EVID-03 EVID-05 PACK-01 REPORT-03 REPORT-11 REVISE-04 REVISE-06
  RESULT-03 RESULT-08 RESULT-11 RESULT-12 RESULT-13 RESULT-16 RESULT-17 RESULT-18 RESULT-20 RESULT-21 RESULT-22
  ORDER-01 LIN-05 LIN-07 LIN-08 LIN-09 LIN-10 LIN-11`);
/** Nothing of the call would be right: another step is. */
const noStep = words(`CLR-03 CLR-04 CLR-08 COM-01 COM-10 COM-12 COM-15 EVID-07 SCEN-04`);
/** A damaged ledger, which no call mends. */
const forOperator = words(`
  CLR-09 CLR-11 CLR-12 COM-04 FRAME-10 GROUND-02 GROUND-03 KIND-02 MCH-01 PLAN-07 RESULT-01 RESULT-25 RESULT-27
  REVISE-01`);
/** Assured by schema or server, or told under the codes of other entries. */
const neverSaid = words(`CLR-02 COM-16 COM-17 EVID-02 SCEN-02 KIND-08 PLAN-27 AUDIT-10 QUALITY-14 QUALITY-15`);
/** Told and followed in tests of their own, here and beside the rule. */
const elsewhere = words(`
  TR-02 TR-03 TR-12 COM-09 CLR-01 CLR-06 CLR-07 CLR-10 GROUND-01 EVID-01 SCEN-01 MCH-02 MCH-04 MCH-08
  ORDER-02 ORDER-03 ORDER-04 COM-13 EVID-04 COM-07 PLAN-03 RESULT-04 AUDIT-08`);

const folder = new URL('./__snapshots__/', import.meta.url);

/** The codes whose refusals, as the tests of the rules keep them, tell what is expected. */
const toldCodes = (): ReadonlySet<string> => {
  const told = new Set<string>();
  for (const file of readdirSync(folder)) {
    const text = readFileSync(new URL(file, folder), 'utf8');
    for (const [, title = '', said = ''] of text.matchAll(/^exports\[`(.*)`\] = `\n([\s\S]*?)\n`;$/gm)) {
      const [of = ''] = /ADM-[A-Z]+-\d+/.exec(title) ?? [];
      for (const entry of said.split(/\n {2}\},\n/))
        if (/^ {4}"expected": (?!undefined)/m.test(entry)) told.add(/"code": "([^"]+)"/.exec(entry)?.[1] ?? of);
    }
  }
  return told;
};

describe('every rule of the book', () => {
  const apart = [...byJudgement, ...noStep, ...forOperator, ...neverSaid, ...elsewhere];

  it('tells what is expected and is followed, or is named here as one that cannot', () => {
    const told = toldCodes();
    const expected = ruleBook.map(({ code }) => code).filter((code) => !apart.includes(code));
    expect([...told].sort()).toEqual(expected.sort());
  });

  it('is named once, and exists', () => {
    expect(new Set(apart).size).toBe(apart.length);
    const codes = ruleBook.map(({ code }): string => code);
    expect([...apart, ...forAuthor.keys()].filter((code) => !codes.includes(code))).toEqual([]);
  });
});
