import { describe, expect, it } from 'vitest';
import { evidenceRules, secretsIn } from '../../machines/rules/evidence.ts';
import { ask, bodies, foreign, own, pair, priorId, priorRun, query, recordUpTo, run, source } from './fixtures.ts';

const prior = priorRun();
const given = (sourceRefs: readonly string[] = []) => ({
  run: run({ phase: 'agent_4_execute', priorRunId: priorId }),
  record: recordUpTo('WorkPlan', prior),
  sourceRefs,
});
const evidence = (more: object = {}, sourceRefs: readonly string[] = []) =>
  query('Evidence', { ...bodies.evidence('ev-01', 'test'), ...more }, given(sourceRefs));
const coded = (content: string) => ({ encoding: 'base64', content });
const encode = (text: string) => coded(Buffer.from(text).toString('base64'));
/** Built of parts, so that no scanner takes this file for a leak. */
const token = ['ghp', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4'].join('_');

describe('rules of Evidence', () => {
  pair(
    evidenceRules,
    'ADM-EVID-03',
    ['base64 with bits left over', { of: evidence(coded('QUJ=')), path: 'content' }],
    ['canonical base64', evidence(encode('AB'))],
  );
  it('ADM-EVID-03 refuses line breaks, missing padding and the other alphabet', () => {
    for (const content of ['QUJD\nQUJD', 'QUI', 'QU-_', '===='])
      expect(ask(evidenceRules, 'ADM-EVID-03', evidence(coded(content)))).toHaveLength(1);
  });
  it('ADM-EVID-03 accepts any text that is not base64', () => {
    expect(ask(evidenceRules, 'ADM-EVID-03', evidence({ content: '====' }))).toEqual([]);
  });
  it('ADM-EVID-04 refuses content of more than two MiB, which the schema cannot let pass', () => {
    const whole = evidence();
    const large = { ...whole, body: { ...whole.body, content: 'x'.repeat(2_097_153) } };
    expect(ask(evidenceRules, 'ADM-EVID-04', large)[0]).toMatchObject({
      path: 'content',
      expected: { maxBytes: 2_097_152 },
    });
  });
  it('ADM-EVID-04 accepts content of two MiB to the byte, counted after decoding', () => {
    const whole = evidence();
    const content = 'x'.repeat(2_097_152);
    for (const body of [
      { ...whole.body, content },
      { ...whole.body, ...encode(content), encoding: 'base64' as const },
    ])
      expect(ask(evidenceRules, 'ADM-EVID-04', { ...whole, body })).toEqual([]);
  });
  it('ADM-EVID-04 accepts the largest content of the schema', () => {
    expect(ask(evidenceRules, 'ADM-EVID-04', evidence({ content: 'x'.repeat(32_768) }))).toEqual([]);
  });
  pair(
    evidenceRules,
    'ADM-EVID-05',
    [
      'a credential in the content',
      { of: evidence({ content: `key ${token}` }), path: 'content', says: /github_token/ },
    ],
    ['a mark in its place', evidence({ content: 'key [redacted]', redactions: ['A token.'] })],
  );
  it('ADM-EVID-05 refuses a credential in any field, in decoded content and in source_refs, without telling it', () => {
    const everywhere = evidence({ ...encode(`key ${token}`), summary: token, redactions: [token] }, [
      `repo://${token}`,
    ]);
    const said = ask(evidenceRules, 'ADM-EVID-05', everywhere);
    expect(said.map(({ path }) => path)).toEqual(['summary', 'redactions.0', 'content', 'source_refs.0']);
    expect(JSON.stringify(said)).not.toContain(token);
  });
  it('finds credentials in any body, so that others can be warned of', () => {
    expect(secretsIn({ a: [{ b: token }] })).toEqual([{ path: 'a.0.b', pattern: 'github_token' }]);
  });
  pair(
    evidenceRules,
    'ADM-EVID-06',
    ['a source of the linked run', { of: evidence({ sourceRefs: [source, foreign('ev-old')] }), path: 'sourceRefs.1' }],
    ['sources of this run', evidence({ sourceRefs: [source, own('contract-01')] })],
  );
});
