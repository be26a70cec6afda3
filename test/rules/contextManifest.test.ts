import { describe, expect, it } from 'vitest';
import { emptyRecord } from '../../machines/record.ts';
import { contextManifestRules } from '../../machines/rules/contextManifest.ts';
import { ask, bodies, plus, query, recordUpTo, run, runId, stored } from './fixtures.ts';

const grounding = (record = recordUpTo('RunEnvelope')) =>
  query('ContextManifest', bodies.manifest(), { run: run({ phase: 'context_grounding' }), record });

describe('rules of the ContextManifest', () => {
  it('ADM-GROUND-02 refuses a grounding of a run without its request, and ends the judgement', () => {
    const lost = plus(emptyRecord(runId), stored('RunEnvelope', bodies.envelope()));
    expect(ask(contextManifestRules, 'ADM-GROUND-02', grounding(lost))[0]?.message).toMatch(/msg-01/);
    expect(contextManifestRules[0]).toMatchObject({ ends: true, refusal: 'integrity_failed' });
  });
  it('ADM-GROUND-02 accepts a grounding of a whole run', () => {
    expect(ask(contextManifestRules, 'ADM-GROUND-02', grounding())).toEqual([]);
  });
  it('ADM-GROUND-03 refuses a grounding whose request has no text', () => {
    const request = { ...stored('UserMessage', bodies.request()), body: JSON.parse('{"id":"msg-01"}') };
    const damaged = plus(emptyRecord(runId), request, stored('RunEnvelope', bodies.envelope()));
    expect(ask(contextManifestRules, 'ADM-GROUND-03', grounding(damaged))).toHaveLength(1);
  });
  it('ADM-GROUND-03 accepts a grounding whose request can be read', () => {
    expect(ask(contextManifestRules, 'ADM-GROUND-03', grounding())).toEqual([]);
  });
});
