import { describe, expect, it } from 'vitest';
import type { Draft } from '../../machines/brief/draft.ts';
import { uriOf } from '../../machines/record.ts';
import { pendingNode } from '../../machines/rules/derived.ts';
import { kindsFor } from '../../machines/rules/evidenceKinds.ts';
import { EvidenceKind } from '../../schemas/artifacts/evidence.ts';
import { ReleaseAudit, UserReport } from '../../schemas/artifacts/release.ts';
import { Variant } from '../../schemas/brief.ts';
import { phaseTable, type RecordPhase, type SubmittedType } from '../../schemas/vocabulary.ts';
import { bodyByRule } from './fill.ts';
import { handInDraft } from './handIn.ts';
import { draftAt } from './tour.ts';
import { accepted, type Beginning, begun, ground, type Walk } from './walk.ts';

const fill = (walk: Walk, type: SubmittedType, draft: Draft, name?: string): Walk => {
  const variant =
    name === undefined ? draft.variants[0] : Variant.parse(draft.variants.find((one) => one.name === name));
  return accepted(handInDraft(walk, type, draft, bodyByRule(draft, variant)));
};

const capture = (walk: Walk, kind: EvidenceKind): Walk => {
  const draft = draftAt(walk, 'Evidence');
  const blanks = draft.blanks.map((blank) => (blank.path === 'kind' ? { ...blank, choices: [kind] } : blank));
  return accepted(handInDraft(walk, 'Evidence', draft, bodyByRule({ ...draft, blanks })));
};

/** Evidence for everything that the node requires. */
const captureAll = (from: Walk): Walk =>
  (pendingNode(from.record)?.requiredCapabilities ?? []).reduce(
    (walk, capability) => capture(walk, kindsFor(capability)[0] ?? 'log'),
    from,
  );

interface Way {
  /** Variants by type, the first for the first of that type; the strongest where none is named. */
  readonly choose?: Readonly<Partial<Record<SubmittedType, readonly string[]>>>;
  readonly bare?: boolean;
}

/** Walks on, at least one step, until the run comes to a phase for the `times`-th time, or ends. */
const reach = (from: Walk, phase: RecordPhase | 'end', { choose = {}, bare = false }: Way = {}): Walk => {
  let walk = from;
  const seen = new Map<string, number>();
  do {
    const now = walk.snapshot.context.phase;
    if (now === 'context_grounding') walk = ground(walk, [{ path: 'AGENTS.md', instruction: true }]);
    else {
      if (now === 'agent_4_execute' && !bare) walk = captureAll(walk);
      const [type] = phaseTable[now].accepts;
      if (type === undefined || type === 'ContextManifest') throw new Error(`${now} takes nothing.`);
      const count = seen.get(type) ?? 0;
      seen.set(type, count + 1);
      walk = fill(walk, type, draftAt(walk, type), choose[type]?.[count]);
    }
  } while (walk.snapshot.context.status === 'running' && walk.snapshot.context.phase !== phase);
  return walk;
};

const forensic = (mode: Beginning['mode']): Walk => begun({ mode, topologyOverride: 'forensic' });
const micro = (): Walk =>
  begun({
    mode: 'fix_only',
    originalRequest: 'Fix the typo in README.md.',
    granted: ['repository.read', 'repository.write'],
  });

const names = (walk: Walk, type: SubmittedType): readonly string[] =>
  draftAt(walk, type).variants.map(({ name }) => name);

const blankAt = (draft: Draft, path: string, name?: string) => {
  const variant = draft.variants.find((one) => one.name === name);
  return [...(variant?.blanks ?? []), ...draft.blanks].find((blank) => blank.path === path);
};

describe('the draft of a WorkResult', () => {
  it('offers completed when each capability has Evidence that fits, and says before what to capture', () => {
    const walk = reach(forensic('fix_only'), 'agent_4_execute');
    expect(pendingNode(walk.record)?.requiredCapabilities).toEqual(['repository.write', 'repository.read']);
    expect(names(walk, 'WorkResult')).toEqual(['partial', 'blocked', 'failed']);
    const [partial] = draftAt(walk, 'WorkResult').variants;
    expect(partial?.when).toContain('Evidence of repository.write (kind diff), repository.read');

    const half = capture(walk, 'repository');
    expect(names(half, 'WorkResult')).toEqual(['partial', 'blocked', 'failed']);
    expect(names(capture(half, 'diff'), 'WorkResult')).toEqual(['completed', 'partial', 'blocked', 'failed']);
  });

  it('puts what changes before what verifies, and tells skipped what nothing shows', () => {
    const walk = capture(reach(forensic('fix_only'), 'agent_4_execute'), 'repository');
    expect(draftAt(walk, 'WorkResult').body).toMatchObject({
      actions: [
        { capability: 'repository.write', mutating: true, status: 'skipped' },
        { capability: 'repository.read', mutating: false, status: 'completed' },
      ],
      filesChanged: [],
    });
    expect(draftAt(capture(walk, 'diff'), 'WorkResult').body).toMatchObject({
      actions: [{ status: 'completed' }, { status: 'completed' }],
      filesChanged: [{ path: '', changeType: null }],
    });
  });

  it('cites Evidence of this node alone', () => {
    const first = reach(forensic('analyze_and_fix'), 'agent_3_review');
    const fixing = reach(first, 'agent_4_execute');
    expect(fixing.record.all('Evidence').length).toBeGreaterThan(0);
    expect(draftAt(fixing, 'WorkResult').body).toMatchObject({ evidenceRefs: [], observations: [] });
  });
});

describe('the draft of Evidence', () => {
  it('names the kinds first that the node still lacks', () => {
    const walk = reach(forensic('fix_only'), 'agent_4_execute');
    const first = (at: Walk): unknown => blankAt(draftAt(at, 'Evidence'), 'kind')?.choices?.[0];
    expect(first(walk)).toBe('diff');
    expect(first(capture(walk, 'repository'))).toBe('diff');
    expect(first(reach(forensic('analyze_only'), 'agent_4_execute'))).toBe('repository');
    expect(new Set(blankAt(draftAt(walk, 'Evidence'), 'kind')?.choices)).toEqual(new Set(EvidenceKind.options));
  });
});

describe('the draft of a QualityReview', () => {
  it('lets nothing pass after a result without Evidence, and cites that result', () => {
    const walk = reach(forensic('analyze_only'), 'agent_3_review', { bare: true });
    const draft = draftAt(walk, 'QualityReview');
    expect(walk.record.latest('Evidence')).toBeUndefined();
    expect(names(walk, 'QualityReview')).toEqual(['remediate', 'partial', 'block']);
    expect(blankAt(draft, 'hardGates[*].passed')?.choices).toEqual([false]);
    expect(blankAt(draft, 'acceptanceResults[*].status')?.choices).toEqual(['unverified']);
    const refs = walk.record.all('WorkResult').map(uriOf);
    expect(draft.body).toMatchObject({
      hardGates: expect.arrayContaining([expect.objectContaining({ evidenceRefs: refs })]),
    });
  });

  it('goes on to the fix from a shown diagnosis, and passes only once the fix is unlocked', () => {
    const diagnosed = reach(forensic('analyze_and_fix'), 'agent_3_review');
    expect(names(diagnosed, 'QualityReview')).toEqual(['proceed_to_fix', 'remediate', 'partial', 'block']);
    const fixed = reach(diagnosed, 'agent_3_review');
    expect(names(fixed, 'QualityReview')).toEqual(['pass', 'remediate', 'partial', 'block']);
  });

  it('orders completion criteria alone once the fix is unlocked, and diagnosis criteria alone before', () => {
    const stagesIn = (walk: Walk): ReadonlySet<string | undefined> => {
      const at = 'remediationWorkOrder.failedCriterionIds';
      const choices = blankAt(draftAt(walk, 'QualityReview'), at, 'remediate')?.choices;
      const criteria = walk.record.latest('TaskContract')?.body.acceptanceCriteria;
      return new Set(choices?.map((id) => criteria?.find((criterion) => criterion.id === id)?.stage));
    };
    const diagnosed = reach(forensic('analyze_and_fix'), 'agent_3_review');
    expect(stagesIn(diagnosed)).toEqual(new Set(['diagnosis']));
    expect(stagesIn(reach(diagnosed, 'agent_3_review'))).toEqual(new Set(['completion']));
  });

  it('decides a second look by pass, partial or block', () => {
    const walk = reach(forensic('analyze_only'), 'agent_3_evidence_reverify');
    expect(names(walk, 'QualityReview')).toEqual(['pass', 'partial', 'block']);
    expect(draftAt(walk, 'QualityReview').body).toMatchObject({ reviewKind: 'evidence_reverify' });
  });

  it('orders nothing more when the remediation is spent', () => {
    const walk = reach(forensic('analyze_only'), 'agent_3_review');
    const again = reach(walk, 'agent_3_review', { choose: { QualityReview: ['remediate'] } });
    expect(names(again, 'QualityReview')).toEqual(['pass', 'partial', 'block']);
    expect(draftAt(again, 'QualityReview').body).toMatchObject({ remainingRemediations: 0 });
  });

  it('never passes a fix that changed nothing', () => {
    // Without authority to write, a fix can be looked into only.
    const start = begun({ mode: 'fix_only', granted: ['repository.read'], topologyOverride: 'forensic' });
    const walk = reach(start, 'agent_3_review');
    expect(walk.snapshot.context.nodesCompleted).toBe(true);
    expect(names(walk, 'QualityReview')).toEqual(['remediate', 'partial', 'block']);
  });

  it('has no fix stage in a micro run', () => {
    expect(names(reach(micro(), 'agent_3_review'), 'QualityReview')).toEqual(['pass', 'remediate', 'partial', 'block']);
  });
});

describe('the draft of a ReleaseAudit', () => {
  it('releases what passed, and ends partial where an earlier verdict was partial', () => {
    expect(names(reach(forensic('analyze_only'), 'agent_5_audit'), 'ReleaseAudit')).toEqual([
      'release',
      'remediate',
      'partial',
      'block',
    ]);
    const doubted = reach(forensic('analyze_only'), 'agent_5_audit', {
      choose: { QualityReview: ['partial', 'pass'] },
    });
    expect(names(doubted, 'ReleaseAudit')).toEqual(['remediate', 'partial', 'block']);
    const blocked = reach(forensic('analyze_only'), 'agent_5_audit', { choose: { QualityReview: ['pass', 'block'] } });
    expect(names(blocked, 'ReleaseAudit')).toEqual(['block']);
  });

  it('claims nothing for a criterion without reviewed evidence', () => {
    const walk = reach(forensic('analyze_and_fix'), 'agent_5_audit', { choose: { QualityReview: ['partial'] } });
    const draft = draftAt(walk, 'ReleaseAudit');
    const claims = ReleaseAudit.parse(bodyByRule(draft, draft.variants.at(-1))).claimEvidenceMatrix;
    const criteria = walk.record.latest('TaskContract')?.body.acceptanceCriteria ?? [];
    expect(claims.map(({ criterionIds: [id], evidenceRefs, status }) => [id, evidenceRefs.length > 0, status])).toEqual(
      criteria.map(({ id, stage }) => [id, stage === 'diagnosis', stage === 'diagnosis' ? 'supported' : 'unverified']),
    );
  });

  it('fails the mode only where it ends partial or blocked', () => {
    const draft = draftAt(reach(forensic('plan_only'), 'agent_5_audit'), 'ReleaseAudit');
    const answers = (name: string) => blankAt(draft, 'modeCompliance', name)?.choices;
    expect(['release', 'remediate', 'partial', 'block'].map(answers)).toEqual([
      ['pass'],
      ['pass'],
      ['pass', 'fail'],
      ['pass', 'fail'],
    ]);
  });
});

describe('the draft of a UserReport', () => {
  it('repeats the audited claims word for word under the reserved id', () => {
    const walk = reach(forensic('fix_only'), 'agent_5_report');
    const audit = walk.record.latest('ReleaseAudit');
    const draft = draftAt(walk, 'UserReport');
    const report = UserReport.parse(bodyByRule(draft, draft.variants[0]));
    expect(names(walk, 'UserReport')).toEqual(['completed']);
    expect(`artifact://${walk.snapshot.context.runId}/${report.id}`).toBe(audit?.body.userReportRef);
    expect(report.completionClaims.map(({ text }) => text)).toEqual(
      audit?.body.claimEvidenceMatrix.map(({ claim }) => claim),
    );
    expect(report.changeRefs).toHaveLength(1);
    expect(report.verificationRefs.length).toBeGreaterThan(0);
  });

  it('repeats what the receipt of a micro run certifies', () => {
    const walk = reach(micro(), 'agent_5_report');
    expect(names(walk, 'UserReport')[0]).toBe('completed');
    expect(draftAt(walk, 'UserReport').body).toMatchObject({ completionClaims: [{ status: 'observed' }] });
  });

  it('says blocked and claims nothing when the contract was blocked', () => {
    const walk = reach(forensic('fix_only'), 'agent_5_report', { choose: { PromptReview: ['block'] } });
    const review = walk.record.latest('PromptReview');
    expect(names(walk, 'UserReport')).toEqual(['blocked']);
    expect(draftAt(walk, 'UserReport').body).toMatchObject({
      completionClaims: [],
      findingRefs: review ? [uriOf(review)] : [],
    });
  });

  it('offers failed_verification only where a required verification did not pass', () => {
    const partial = { QualityReview: ['partial', 'partial'], ReleaseAudit: ['partial'] };
    const shown = reach(forensic('analyze_only'), 'agent_5_report', { choose: partial });
    expect(names(shown, 'UserReport')).toEqual(['partial']);
    const unshown = reach(forensic('analyze_only'), 'agent_5_report', { choose: partial, bare: true });
    expect(names(unshown, 'UserReport')).toEqual(['partial', 'failed_verification']);
  });
});

describe('the draft of a WorkPlan', () => {
  it('is taken as it stands, and again under the order of a correction', () => {
    const planning = reach(forensic('analyze_and_fix'), 'agent_3_plan');
    const draft = draftAt(planning, 'WorkPlan');
    expect(draft.blanks.every(({ optional }) => optional)).toBe(true);
    const unlocked = reach(planning, 'agent_3_plan');
    const fix = draftAt(unlocked, 'WorkPlan');
    for (const [walk, plan] of [
      [planning, draft],
      [unlocked, fix],
    ] as const)
      expect(accepted(handInDraft(walk, 'WorkPlan', plan, plan.body)).snapshot.context.phase).toBe('agent_4_execute');
  });
});
