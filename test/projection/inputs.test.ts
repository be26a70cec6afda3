import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eligibleTypes, inputRefsOf } from '../../machines/projection/inputs.ts';
import { ProjectionError } from '../../machines/projection/projectionError.ts';
import { type AnyArtifact, parseArtifactUri, type RunRecord } from '../../machines/record.ts';
import { bodyReferences } from '../../machines/rules/bodyReferences.ts';
import { type RecordPhase, recordPhases, type StoredType } from '../../schemas/vocabulary.ts';
import { facts } from '../start/starts.ts';
import { artifact, begun, idsOf, requestRef, runId, uri, withArtifacts } from './records.ts';

const start = (): RunRecord => begun({ mode: 'analyze_only' }).record;
const inputs = (record: RunRecord, phase: RecordPhase): readonly string[] => idsOf(inputRefsOf(record, phase));

/** A run that went from the frame to its report over one revision, one remediation and one question. */
const whole = (): RunRecord =>
  withArtifacts(
    start(),
    artifact('ContextDocument', 'document-01'),
    artifact('ContextManifest', 'context-01', { derivedRefs: [uri('document-01')] }),
    artifact('ProblemFrame', 'frame-01'),
    artifact('ScenarioSpec', 'scenario-01'),
    artifact('ClarificationRequest', 'question-01'),
    artifact('UserMessage', 'answer-01', { content: 'keep' }, { sourceRefs: [uri('question-01')] }),
    artifact(
      'TaskContract',
      'contract-01',
      { contextRefs: [] },
      { sourceRefs: [uri('question-01'), uri('answer-01')] },
    ),
    artifact('PromptReview', 'review-01', {}, { sourceRefs: [uri('contract-01')] }),
    artifact('TaskContract', 'contract-02', { version: 2, contextRefs: [] }),
    artifact('PromptReview', 'review-02', { targetRef: uri('contract-02') }),
    artifact('WorkPlan', 'plan-01'),
    artifact('Evidence', 'evidence-01'),
    artifact('WorkResult', 'result-01', { workPlanRef: uri('plan-01'), evidenceRefs: [uri('evidence-01')] }),
    artifact('QualityReview', 'quality-01', { workResultRefs: [uri('result-01')] }),
    artifact('ReceiptAudit', 'receipt-01', {}),
    artifact('WorkPlan', 'plan-02'),
    artifact('Evidence', 'evidence-02'),
    artifact('WorkResult', 'result-02', { workPlanRef: uri('plan-02') }),
    artifact('QualityReview', 'quality-02', { workResultRefs: [uri('result-02')] }),
    artifact('ReleaseAudit', 'audit-01', { qualityReviewRef: uri('quality-02'), userReportRef: uri('report-01') }),
  );

describe('the reading list of a phase', () => {
  const request = facts.requestId;
  const talk = ['question-01', 'answer-01'];
  it.each([
    ['context_grounding', [request, runId, ...talk]],
    ['agent_1_frame', [request, runId, 'context-01', ...talk]],
    ['agent_2_compile', [request, runId, 'context-01', 'frame-01', ...talk]],
    ['agent_1_review', [request, 'frame-01', ...talk, 'contract-02']],
    ['agent_2_revise', [request, 'frame-01', ...talk, 'contract-01', 'contract-02', 'review-02']],
    [
      'agent_3_plan',
      [request, 'context-01', ...talk, 'contract-01', 'contract-02', 'review-02', 'quality-02', 'audit-01'],
    ],
    [
      'agent_4_execute',
      [request, 'context-01', ...talk, 'contract-01', 'contract-02', 'plan-01', 'plan-02', 'quality-02', 'audit-01'],
    ],
    [
      'agent_3_review',
      [
        request,
        ...talk,
        'contract-01',
        'contract-02',
        'plan-01',
        'evidence-01',
        'result-01',
        'plan-02',
        'evidence-02',
        'result-02',
        'quality-02',
        'audit-01',
      ],
    ],
    [
      'agent_3_evidence_reverify',
      [
        request,
        ...talk,
        'contract-01',
        'contract-02',
        'plan-01',
        'evidence-01',
        'result-01',
        'plan-02',
        'evidence-02',
        'result-02',
        'quality-02',
        'audit-01',
      ],
    ],
    [
      'agent_5_audit',
      [
        request,
        ...talk,
        'contract-01',
        'contract-02',
        'plan-01',
        'evidence-01',
        'result-01',
        'plan-02',
        'evidence-02',
        'result-02',
        'quality-02',
      ],
    ],
    [
      'agent_5_report',
      [
        request,
        'frame-01',
        ...talk,
        'contract-01',
        'contract-02',
        'review-02',
        'plan-01',
        'evidence-01',
        'result-01',
        'plan-02',
        'evidence-02',
        'result-02',
        'quality-02',
        'audit-01',
      ],
    ],
  ] as const)('%s: what is current and what it rests on, in the order of storing', (phase, expected) => {
    expect(inputs(whole(), phase)).toEqual(expected);
  });

  it('holds an older artifact that a current one cites, in its body or beside it', () => {
    const record = withArtifacts(
      start(),
      artifact('ProblemFrame', 'frame-01'),
      artifact('TaskContract', 'contract-01', { contextRefs: [] }),
      artifact('TaskContract', 'contract-02', { version: 2, contextRefs: [] }, { sourceRefs: [uri('contract-01')] }),
      artifact('PromptReview', 'review-01', { targetRef: uri('contract-02') }),
    );
    expect(inputs(record, 'agent_1_review')).toEqual([facts.requestId, 'frame-01', 'contract-01', 'contract-02']);
  });

  it('keeps the request when an answer is the latest message', () => {
    const record = withArtifacts(start(), artifact('UserMessage', 'answer-01', { content: 'keep' }));
    expect(inputs(record, 'agent_1_frame')).toContain(facts.requestId);
  });

  it('fills up to 256 with the newest Evidence', () => {
    const record = withArtifacts(
      start(),
      ...Array.from({ length: 300 }, (_, number) => artifact('Evidence', `ev-${number}`)),
    );
    const ids = inputs(record, 'agent_3_review');
    expect(ids).toHaveLength(256);
    expect(ids).toEqual([facts.requestId, ...Array.from({ length: 255 }, (_, number) => `ev-${number + 45}`)]);
  });

  const results = (count: number): AnyArtifact[] =>
    Array.from({ length: count }, (_, number) =>
      artifact('WorkResult', `result-${number}`, { workPlanRef: uri('plan-01') }),
    );
  it('takes 256 mandatory artifacts and leaves no room for Evidence then', () => {
    const record = withArtifacts(
      start(),
      artifact('WorkPlan', 'plan-01'),
      ...results(254),
      artifact('Evidence', 'ev-1'),
    );
    expect(inputs(record, 'agent_3_review')).toHaveLength(256);
    expect(inputs(record, 'agent_3_review')).not.toContain('ev-1');
  });
  it('fails rather than drop one of 257', () => {
    const record = withArtifacts(start(), artifact('WorkPlan', 'plan-01'), ...results(255));
    const list = (): unknown => inputRefsOf(record, 'agent_3_review');
    expect(list).toThrow(ProjectionError);
    expect(list).toThrow(expect.objectContaining({ code: 'ADM-INT-05', refusal: 'quota_exceeded' }));
    expect(() => inputRefsOf(record, 'agent_4_execute')).not.toThrow();
  });
});

describe('for every record (I29)', () => {
  type Make = (id: string, sourceRefs: readonly string[]) => AnyArtifact;
  const makers: readonly Make[] = [
    (id, sourceRefs) => artifact('ContextManifest', id, {}, { sourceRefs }),
    (id, sourceRefs) => artifact('ClarificationRequest', id, {}, { sourceRefs }),
    (id, sourceRefs) => artifact('UserMessage', id, {}, { sourceRefs }),
    (id, sourceRefs) => artifact('ProblemFrame', id, {}, { sourceRefs }),
    (id, sourceRefs) => artifact('ScenarioSpec', id, {}, { sourceRefs }),
    (id, sourceRefs) => artifact('TaskContract', id, {}, { sourceRefs }),
    (id, sourceRefs) => artifact('TaskContract', id, { contextRefs: [...sourceRefs] }),
    (id, sourceRefs) => artifact('PromptReview', id, {}, { sourceRefs }),
    (id, sourceRefs) => artifact('WorkPlan', id, {}, { sourceRefs }),
    (id, sourceRefs) => artifact('WorkResult', id, {}, { sourceRefs }),
    (id, sourceRefs) => artifact('QualityReview', id, {}, { sourceRefs }),
    (id, sourceRefs) => artifact('ReleaseAudit', id, {}, { sourceRefs }),
    (id, sourceRefs) => artifact('ContextDocument', id, {}, { sourceRefs }),
    (id, sourceRefs) => artifact('Evidence', id, {}, { sourceRefs }),
    (id, sourceRefs) => artifact('Evidence', id, {}, { sourceRefs }),
  ];
  interface Step {
    readonly make: Make;
    /** Picks among the earlier artifacts. */
    readonly cites: readonly number[];
  }
  const step: fc.Arbitrary<Step> = fc.record({
    make: fc.constantFrom(...makers),
    cites: fc.array(fc.nat(), { maxLength: 4 }),
  });

  const grow = (record: RunRecord, { make, cites }: Step, number: number): RunRecord => {
    const earlier = record.entries();
    const refs = new Set(cites.flatMap((pick) => earlier[pick % earlier.length]?.id ?? []));
    return withArtifacts(record, make(`a-${number}`, [...refs].map(uri)));
  };
  const anyRecord = fc.array(step, { maxLength: 40 }).map((steps) => steps.reduce(grow, start()));
  const anyPhase = fc.constantFrom(...recordPhases);

  const cited = (one: AnyArtifact): readonly string[] => [
    ...bodyReferences(one.body).map(({ ref }) => ref),
    ...one.sourceRefs,
  ];

  it('no duplicate, only eligible types, the request in it, insertion order', () => {
    fc.assert(
      fc.property(anyRecord, anyPhase, (record, phase) => {
        const refs = inputRefsOf(record, phase);
        expect(new Set(refs).size).toBe(refs.length);
        expect(refs.length).toBeLessThanOrEqual(256);
        expect(refs).toContain(requestRef);
        const positions = idsOf(refs).map((id) => record.indexOf(id));
        expect(positions).toEqual([...positions].sort((one, other) => one - other));
        const eligible: readonly StoredType[] = eligibleTypes[phase];
        for (const id of idsOf(refs)) expect(eligible).toContain(record.get(id)?.type);
      }),
    );
  });
  it('closed under the references among eligible artifacts other than Evidence', () => {
    fc.assert(
      fc.property(anyRecord, anyPhase, (record, phase) => {
        const refs = new Set(inputRefsOf(record, phase));
        const eligible: readonly StoredType[] = eligibleTypes[phase];
        for (const id of idsOf([...refs])) {
          const one = record.get(id);
          if (!one || one.type === 'Evidence') continue;
          for (const ref of cited(one)) {
            const target = record.get(parseArtifactUri(ref)?.id ?? '');
            if (
              target &&
              ref.startsWith(`artifact://${runId}/`) &&
              target.type !== 'Evidence' &&
              eligible.includes(target.type)
            )
              expect(refs).toContain(ref);
          }
        }
      }),
    );
  });
  it('the latest of each eligible type, every plan and result, and Evidence at least as new as what is left out', () => {
    fc.assert(
      fc.property(anyRecord, anyPhase, fc.integer({ min: 0, max: 260 }), (small, phase, evidence) => {
        const record = withArtifacts(
          small,
          ...Array.from({ length: evidence }, (_, number) => artifact('Evidence', `late-${number}`)),
        );
        const ids = new Set(idsOf(inputRefsOf(record, phase)));
        for (const type of eligibleTypes[phase]) {
          const all = record.all(type);
          const latest = all.at(-1);
          if (latest && type !== 'Evidence') expect(ids).toContain(latest.id);
          if (type === 'WorkPlan' || type === 'WorkResult') for (const { id } of all) expect(ids).toContain(id);
          if (type !== 'Evidence') continue;
          const shown = all.map(({ id }) => ids.has(id));
          expect(shown.lastIndexOf(false)).toBeLessThan(shown.includes(true) ? shown.indexOf(true) : shown.length);
          if (shown.includes(false)) expect(ids.size).toBe(256);
        }
      }),
      { numRuns: 40 },
    );
  });
  it('the same for an older view of a record that has grown since', () => {
    fc.assert(
      fc.property(anyRecord, anyPhase, step, (record, phase, next) => {
        const before = inputRefsOf(record, phase);
        const after = grow(record, next, 1000);
        inputRefsOf(after, phase);
        expect(inputRefsOf(record, phase)).toEqual(before);
      }),
    );
  });
});
