import { describe, expect, it } from 'vitest';
import { evidenceKindRules, kindsFor } from '../../machines/rules/evidenceKinds.ts';
import { actionCapabilities } from '../../schemas/vocabulary.ts';
import {
  action,
  ask,
  bodies,
  change,
  check,
  foreign,
  house,
  own,
  pair,
  plus,
  priorId,
  priorRun,
  query,
  recordUpTo,
  run,
  stored,
} from './fixtures.ts';

const result = (more: object = {}, given: object = {}) =>
  query(
    'WorkResult',
    { ...bodies.result(), ...more },
    { run: run({ phase: 'agent_4_execute' }), record: recordUpTo('Evidence'), ...given },
  );
const quality = (more: object = {}, given: object = {}) =>
  query(
    'QualityReview',
    { ...bodies.quality(), ...more },
    { run: run({ phase: 'agent_3_review' }), record: recordUpTo('WorkResult'), ...given },
  );
const test = (more: object) => ({ testResults: [{ ...bodies.result().testResults[0], ...more }] });
const verified = (capability: string, ref: string) => ({
  verificationResults: [
    { requirementId: 'VR-1', capability, status: 'pass', evidenceRefs: [ref], rationaleSummary: 'So.' },
  ],
});

describe('what kind of Evidence proves what', () => {
  pair(
    evidenceKindRules,
    'ADM-KIND-01',
    [
      'a context document as proof of an action',
      {
        of: result({ actions: [action('repository.read', 'a', own('doc-01'))] }),
        path: 'actions.0.evidenceRefs.0',
        says: /doc-01/,
      },
    ],
    ['a context document behind an observation', result()],
  );
  it('ADM-KIND-01 refuses a context document in a review', () => {
    expect(
      ask(evidenceKindRules, 'ADM-KIND-01', quality({ ruleCompliance: [check(house, own('doc-01'))] })),
    ).toHaveLength(1);
  });
  it('ADM-KIND-02 refuses stored Evidence without a kind, and ends the judgement', () => {
    const broken = { ...stored('Evidence', bodies.evidence('ev-bad', 'test')), body: JSON.parse('{"id":"ev-bad"}') };
    const given = { record: plus(recordUpTo('Evidence'), broken) };
    expect(ask(evidenceKindRules, 'ADM-KIND-02', result({ evidenceRefs: [own('ev-bad')] }, given))).toHaveLength(1);
    expect(evidenceKindRules[1]).toMatchObject({ ends: true, refusal: 'integrity_failed' });
  });
  it('ADM-KIND-02 accepts Evidence with a kind', () =>
    expect(ask(evidenceKindRules, 'ADM-KIND-02', result())).toEqual([]));
  pair(
    evidenceKindRules,
    'ADM-KIND-03',
    [
      'a test as the diff of a file',
      {
        of: result({ filesChanged: [change('a', own('ev-test'))] }),
        path: 'filesChanged.0.diffRef',
        says: /kind test/,
      },
    ],
    ['a diff', result({ filesChanged: [change('a', own('ev-diff'))] })],
  );
  pair(
    evidenceKindRules,
    'ADM-KIND-04',
    [
      'a diff as the output of a test',
      {
        of: result(test({ outputRef: own('ev-diff') })),
        path: 'testResults.0.outputRef',
        says: /test, tool_output, log/,
      },
    ],
    ['the output of a test', result()],
  );
  pair(
    evidenceKindRules,
    'ADM-KIND-05',
    [
      'a diff as the command of a test',
      { of: result(test({ commandRef: own('ev-diff') })), path: 'testResults.0.commandRef' },
    ],
    ['Evidence of kind test as its command', result(test({ commandRef: own('ev-test') }))],
  );
  pair(
    evidenceKindRules,
    'ADM-KIND-06',
    [
      'a test as proof of reading',
      {
        of: result({ actions: [action('repository.read', 'a', own('ev-test'))] }),
        path: 'actions.0.evidenceRefs.0',
        says: /repository, diff, tool_output/,
      },
    ],
    ['a diff as proof of reading', result({ actions: [action('repository.read', 'a', own('ev-diff'))] })],
  );
  pair(
    evidenceKindRules,
    'ADM-KIND-07',
    [
      'a test as verification by reading',
      { of: quality(verified('repository.read', own('ev-test'))), path: 'verificationResults.0.evidenceRefs.0' },
    ],
    ['a log as verification by a command', quality(verified('shell.execute', own('ev-log')))],
  );
  it('ADM-KIND-07 passes over a plan that stands for a verification', () => {
    const planning = { run: run({ mode: 'plan_only', phase: 'agent_3_review' }) };
    expect(
      ask(evidenceKindRules, 'ADM-KIND-07', quality(verified('repository.read', own('plan-01')), planning)),
    ).toEqual([]);
  });
  it('judges Evidence of the linked run by its own kind, not by an equal id of this run', () => {
    const prior = priorRun();
    const same = plus(recordUpTo('WorkResult', prior), stored('Evidence', bodies.evidence('ev-old', 'repository')));
    const given = { run: run({ phase: 'agent_3_review', priorRunId: priorId }), record: same };
    const of = quality(verified('repository.read', foreign('ev-old')), given);
    expect(ask(evidenceKindRules, 'ADM-KIND-07', of)[0]?.message).toMatch(/kind runtime/);
  });
  it('ADM-KIND-08 accepts any kind in every other field', () => {
    const of = quality({ ruleCompliance: [check(house, own('ev-diff'))] });
    for (const { code } of evidenceKindRules) expect(ask(evidenceKindRules, code, of)).toEqual([]);
  });
  it('knows kinds for each capability, never the word of the user, and none for another word', () => {
    for (const capability of actionCapabilities) {
      expect(kindsFor(capability).length).toBeGreaterThan(0);
      expect(kindsFor(capability)).not.toContain('user_confirmation');
    }
    expect(kindsFor('time.travel')).toEqual([]);
  });
});
