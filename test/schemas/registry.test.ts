import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { artifactRows, bodySchemas, isPublic, isStoredType } from '../../schemas/artifacts/index.ts';
import { schemaRules } from '../../schemas/ruleBook.ts';
import { artifactTypes, storedTypes, submittedTypes } from '../../schemas/vocabulary.ts';

describe('the registry', () => {
  it('has a body for each artifact type and for the two types of the ledger alone', () => {
    expect(Object.keys(bodySchemas).sort()).toEqual([...artifactTypes, 'UserMessage', 'ContextDocument'].sort());
    expect(Object.keys(artifactRows).sort()).toEqual([...storedTypes].sort());
  });

  it('says which types move the run, in which phases, and who produces them', () => {
    const rows = Object.values(artifactRows).map(({ type, producer, submittedBy, kind, phases }) => [
      type,
      producer,
      submittedBy,
      kind,
      phases.join(' '),
    ]);
    expect(rows).toEqual([
      ['UserMessage', 'user', 'server', 'record', ''],
      ['RunEnvelope', 'controller', 'server', 'record', ''],
      ['ContextDocument', 'controller', 'server', 'supporting', 'context_grounding'],
      ['ContextManifest', 'controller', 'server', 'phase', 'context_grounding'],
      ['ReceiptAudit', 'controller', 'server', 'supporting', 'agent_3_review'],
      [
        'ClarificationRequest',
        null,
        'host',
        'phase',
        'context_grounding agent_1_frame agent_2_compile agent_2_revise agent_1_review agent_3_plan agent_4_execute agent_3_review agent_3_evidence_reverify',
      ],
      ['ProblemFrame', 'scenario_author', 'host', 'phase', 'agent_1_frame'],
      ['ScenarioSpec', 'scenario_author', 'host', 'supporting', 'agent_2_compile'],
      ['TaskContract', 'task_compiler', 'host', 'phase', 'agent_2_compile agent_2_revise'],
      ['PromptReview', 'scenario_author', 'host', 'phase', 'agent_1_review'],
      ['WorkPlan', 'quality_controller', 'host', 'phase', 'agent_3_plan'],
      ['WorkResult', 'executor', 'host', 'phase', 'agent_4_execute'],
      ['QualityReview', 'quality_controller', 'host', 'phase', 'agent_3_review agent_3_evidence_reverify'],
      ['ReleaseAudit', 'release_auditor', 'host', 'phase', 'agent_5_audit'],
      ['UserReport', 'release_auditor', 'host', 'phase', 'agent_5_report'],
      ['Evidence', 'executor', 'host', 'supporting', 'agent_4_execute'],
    ]);
  });

  it('lets the host submit eleven types', () => {
    const host = Object.values(artifactRows).filter(({ submittedBy }) => submittedBy === 'host');
    expect(host.map(({ type }) => type).sort()).toEqual([...submittedTypes].sort());
  });

  it('knows the views and the types of the ledger alone', () => {
    expect(isStoredType('NextAction')).toBe(false);
    expect(isStoredType('Evidence')).toBe(true);
    expect(isPublic('UserMessage')).toBe(false);
    expect(isPublic('TraceEvent')).toBe(true);
  });
});

describe('the rule book of the schemas', () => {
  const codes = schemaRules.map(({ code }) => code);

  it('has one entry for each code', () => {
    expect(new Set(codes).size).toBe(codes.length);
  });

  it('has every code that the conformance data names', () => {
    const index = readFileSync(new URL('../conformance/artifacts/index.json', import.meta.url), 'utf8');
    const named = new Set(index.match(/SCH-[A-Z]+-\d\d(?=")/g));
    expect(named.size).toBeGreaterThan(90);
    expect([...named].filter((code) => !codes.some((known) => known === code))).toEqual([]);
  });

  it('says of each what is demanded and what would mend a breach, in a sentence', () => {
    for (const { code, text, fix } of schemaRules) {
      expect(text, code).toMatch(/^\S.*\.$/);
      expect(fix, code).toMatch(/^\S.*\.$/);
    }
  });
});
