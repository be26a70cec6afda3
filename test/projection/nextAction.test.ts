import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RunContext } from '../../machines/context.ts';
import { emptyPermissions, keepCapabilities } from '../../machines/permissions/permissionSet.ts';
import { subset } from '../../machines/permissions/subset.ts';
import {
  type PartialAction,
  type PartialPhaseAction,
  projectNextAction,
} from '../../machines/projection/nextAction.ts';
import { emptyRecord, type RunRecord } from '../../machines/record.ts';
import { effectiveFor } from '../../machines/rules/derived.ts';
import { type BodyOf, bodySchemas } from '../../schemas/artifacts/index.ts';
import { Brief } from '../../schemas/brief.ts';
import { hostSchema } from '../../schemas/jsonSchema.ts';
import {
  type ActionPart,
  actionCapabilities,
  intentModes,
  phaseTable,
  type RecordPhase,
  recordPhases,
  topologies,
} from '../../schemas/vocabulary.ts';
import { facts } from '../start/starts.ts';
import { artifact, begun, runId, type Stand, sample, uri, withArtifacts } from './records.ts';

type Node = BodyOf<'WorkPlan'>['nodes'][number];

const node = (id: string, over: Partial<Node> = {}): Node => {
  const first = sample('WorkPlan', 'WorkPlan/valid-one-node').nodes[0];
  if (!first) throw new Error('the sample has a node');
  return { ...first, id, dependsOn: [], permissions: emptyPermissions(), ...over };
};

const readOnly = (read: string[] = ['**']): Node['permissions'] => ({
  ...emptyPermissions(),
  repository: { read, write: [], delete: [] },
});

const planned = (record: RunRecord, nodes: Node[], id = 'plan-01'): RunRecord =>
  withArtifacts(record, artifact('TaskContract', 'contract-01'), artifact('WorkPlan', id, { nodes }));

const done = (id: string, nodeId: string, over: Partial<BodyOf<'WorkResult'>> = {}) =>
  artifact('WorkResult', id, { workPlanRef: uri('plan-01'), nodeId, ...over });

const phaseOf = (run: RunContext, record: RunRecord) => {
  const action = projectNextAction(run, record);
  if (action.kind !== 'phase') throw new Error(`an action of kind ${action.kind}`);
  return action;
};

const at = ({ run, record }: Stand, phase: RecordPhase, over: Partial<RunContext> = {}) =>
  phaseOf({ ...run, phase, ...over }, record);

describe('an action of a phase', () => {
  const questions = ['ClarificationRequest'];
  it.each([
    ['context_grounding', 'context_discovery', 'controller', 'ContextManifest', questions],
    ['agent_1_frame', 'agent_1_frame', 'scenario_author', 'ProblemFrame', questions],
    ['agent_2_compile', 'agent_2_compile', 'task_compiler', 'TaskContract', [...questions, 'ScenarioSpec']],
    ['agent_2_revise', 'agent_2_revision', 'task_compiler', 'TaskContract', questions],
    ['agent_1_review', 'agent_1_review', 'scenario_author', 'PromptReview', questions],
    ['agent_3_plan', 'agent_3_plan', 'quality_controller', 'WorkPlan', questions],
    ['agent_4_execute', 'agent_4_execute', 'executor', 'WorkResult', [...questions, 'Evidence']],
    ['agent_3_review', 'agent_3_quality_review', 'quality_controller', 'QualityReview', questions],
    ['agent_3_evidence_reverify', 'agent_3_evidence_reverify', 'quality_controller', 'QualityReview', questions],
    ['agent_5_audit', 'agent_5_release_audit', 'release_auditor', 'ReleaseAudit', []],
    ['agent_5_report', 'user_report', 'release_auditor', 'UserReport', []],
  ] as const)('%s is told as %s, owed by %s', (phase, wire, role, type, others) => {
    const action = at(begun({ mode: 'analyze_only' }), phase, { version: 7, updatedAt: '2026-03-02T10:00:00.000Z' });
    expect(action).toMatchObject({
      schemaVersion: '1.0',
      id: `action:${runId}:7`,
      runId,
      createdAt: '2026-03-02T10:00:00.000Z',
      phase: wire,
      logicalRole: role,
      instructionRef: `artifact://system/roles/${role}-v1`,
      requiredOutputType: type,
    });
    expect(action.requiredOutputSchema).toEqual(hostSchema(type));
    expect(Object.keys(action.additionalOutputSchemas)).toEqual(others);
    expect(action.rationaleSummary).toContain(wire);
    expect(action.rationaleSummary).toContain('standard');
    expect(action.stopConditions).toHaveLength(3);
    expect(bodySchemas.NextAction.parse(action)).toEqual(action);
  });

  it.each([
    ['micro', 'agent_1_frame', 'scenario_author-micro-v1'],
    ['micro', 'agent_3_review', 'quality_controller-spot-v1'],
    ['micro', 'agent_4_execute', 'executor-v1'],
    ['forensic', 'agent_3_review', 'quality_controller-v1'],
    ['forensic', 'agent_3_evidence_reverify', 'quality_controller-reverify-v1'],
    ['forensic', 'agent_1_frame', 'scenario_author-v1'],
  ] as const)('in a %s run, %s has the instruction %s', (topology, phase, name) => {
    expect(at(begun({ mode: 'fix_only' }), phase, { topology }).instructionRef).toBe(`artifact://system/roles/${name}`);
  });

  it('has the identity first, then what to do, the schemas last', () => {
    const keys = Object.keys(at(begun({ mode: 'analyze_only' }), 'agent_1_frame'));
    expect(keys.slice(0, 6)).toEqual(['schemaVersion', 'id', 'runId', 'createdAt', 'kind', 'phase']);
    expect(keys.slice(-2)).toEqual(['requiredOutputSchema', 'additionalOutputSchemas']);
    expect(keys.at(-3)).toBe('brief');
  });

  it('leaves out the parts that were not asked for', () => {
    const { run, record } = begun({ mode: 'analyze_only' }, { phase: 'agent_1_frame' });
    const whole = projectNextAction(run, record);
    const has = (action: PartialAction): readonly [boolean, boolean] => [
      'requiredOutputSchema' in action,
      'additionalOutputSchemas' in action,
    ];
    expect(has(projectNextAction(run, record, ['brief']))).toEqual([false, false]);
    expect(has(projectNextAction(run, record, ['schemas']))).toEqual([true, false]);
    expect(has(projectNextAction(run, record, ['alternatives']))).toEqual([false, true]);
    expect(projectNextAction(run, record, ['brief', 'schemas', 'alternatives'])).toEqual(whole);
    const brief = (...parts: ActionPart[]): readonly string[] => {
      const action = projectNextAction(run, record, parts);
      return action.kind === 'phase' ? Object.keys(action.brief ?? {}) : [];
    };
    expect(brief()).toEqual([]);
    expect(brief('schemas')).toEqual([]);
    expect(brief('alternatives')).toEqual(['alternatives']);
    expect(brief('sources', 'variants')).toEqual(['variants', 'sources']);
    // That there is another way, and when to take it, stands in the brief alone, too.
    const ways = Brief.parse(Object(whole).brief).alternatives.map(({ type, when }) => ({ type, when }));
    expect(projectNextAction(run, record, ['brief'])).toMatchObject({ brief: { alternatives: ways } });
    expect(JSON.stringify(projectNextAction(run, record, ['brief']))).not.toContain('responseChoices');
    expect(brief('brief', 'alternatives').toSorted()).toEqual(Object.keys(Brief.shape).toSorted());
  });

  it('names the latest manifest, or none', () => {
    const { run, record } = begun({ mode: 'analyze_only' });
    expect(at({ run, record }, 'context_grounding').contextManifestRef).toBeNull();
    const grounded = withArtifacts(record, artifact('ContextManifest', 'context-01'));
    expect(at({ run, record: grounded }, 'agent_5_report').contextManifestRef).toBe(uri('context-01'));
  });

  it('cannot be told without the envelope', () => {
    const { run } = begun({ mode: 'analyze_only' });
    expect(() => projectNextAction(run, emptyRecord(runId))).toThrow(
      expect.objectContaining({ code: 'ADM-INT-02', refusal: 'integrity_failed' }),
    );
  });
});

describe('permissions', () => {
  it('of grounding are reading alone, and nothing in report_only', () => {
    expect(at(begun({ mode: 'analyze_only' }), 'context_grounding').effectivePermissions).toEqual(readOnly());
    expect(
      at(begun({ mode: 'report_only', granted: ['repository.read'] }), 'context_grounding').effectivePermissions,
    ).toEqual(emptyPermissions());
    expect(
      at(begun({ mode: 'analyze_only', denied: ['repository.read'] }), 'context_grounding').effectivePermissions,
    ).toEqual(emptyPermissions());
  });
  it('of execution are those of the pending node', () => {
    const { run, record } = begun({ mode: 'analyze_only' });
    const action = at(
      { run, record: planned(record, [node('look', { permissions: readOnly(['src/**']) })]) },
      'agent_4_execute',
    );
    expect(action.effectivePermissions).toEqual(readOnly(['src/**']));
    expect(action.workNodeId).toBe('look');
  });
  it('are refused when the pending node exceeds the run', () => {
    const { run, record } = begun({ mode: 'analyze_only', denied: ['repository.read'] }, { phase: 'agent_4_execute' });
    const beyond = planned(record, [node('look', { permissions: readOnly() })]);
    expect(() => projectNextAction(run, beyond)).toThrow(
      expect.objectContaining({ code: 'ADM-INT-06', refusal: 'integrity_failed' }),
    );
    expect(() => projectNextAction(run, beyond)).toThrow('look');
  });
  it('are empty outside grounding and execution and never exceed EFF, for every mode, grant and denial (I26)', () => {
    const some = fc.subarray([...actionCapabilities]);
    fc.assert(
      fc.property(
        fc.constantFrom(...intentModes),
        some,
        some,
        fc.constantFrom(...recordPhases),
        (mode, granted, denied, phase) => {
          const { run, record } = begun({ mode, granted, denied });
          const eff = effectiveFor(record, mode);
          const inside = planned(record, [
            node('only', { permissions: keepCapabilities(eff, (one) => one !== 'repository.write') }),
          ]);
          const { effectivePermissions } = at({ run, record: inside }, phase);
          expect(subset(effectivePermissions, eff)).toBe(true);
          if (phase === 'agent_4_execute')
            expect(effectivePermissions).toEqual(inside.latest('WorkPlan')?.body.nodes[0]?.permissions);
          else if (phase !== 'context_grounding' || mode === 'report_only')
            expect(effectivePermissions).toEqual(emptyPermissions());
          else expect(effectivePermissions).toEqual(keepCapabilities(eff, (one) => one === 'repository.read'));
        },
      ),
    );
  });
});

describe('the work node', () => {
  const { run, record } = begun({ mode: 'analyze_only' });
  const nodes = [node('b', { dependsOn: ['a'] }), node('c'), node('a')];
  const nextAfter = (...results: ReturnType<typeof done>[]): string | null =>
    at({ run, record: withArtifacts(planned(record, nodes), ...results) }, 'agent_4_execute').workNodeId;

  it('is the first in plan order whose dependencies completed', () => {
    expect(nextAfter()).toBe('c');
    expect(nextAfter(done('result-1', 'c'))).toBe('a');
    expect(nextAfter(done('result-1', 'c'), done('result-2', 'a'))).toBe('b');
    expect(nextAfter(done('result-1', 'c'), done('result-2', 'a', { status: 'partial' }))).toBeNull();
  });
  it('is told in execution alone', () => {
    expect(at({ run, record: planned(record, nodes) }, 'agent_3_review').workNodeId).toBeNull();
  });
});

describe('budgets', () => {
  const calls = (maximumToolCalls: number): Partial<Node> => ({ budgets: { maximumToolCalls, maximumChildren: 0 } });
  it('are those of the run, the envelope and what the plans leave of the calls', () => {
    const { run, record } = begun({ mode: 'analyze_only', nativeSubagents: 'available' });
    const twice = planned(
      planned(record, [node('a', calls(1000)), node('b', calls(500))]),
      [node('c', calls(900))],
      'plan-02',
    );
    expect(
      at({ run, record: twice }, 'agent_3_review', { budgets: { revisions: 0, remediations: 1 } }).remainingBudgets,
    ).toEqual({
      promptRevisions: 0,
      postExecutionRemediations: 1,
      remainingPlanToolCalls: 1600,
      maximumParallelWorkers: 3,
      maximumSubagentDepth: 1,
    });
  });
  it('never fall below zero', () => {
    const { run, record } = begun({ mode: 'analyze_only' });
    const greedy = planned(
      record,
      Array.from({ length: 5 }, (_, number) => node(`n${number}`, calls(1000))),
    );
    expect(at({ run, record: greedy }, 'agent_3_review').remainingBudgets.remainingPlanToolCalls).toBe(0);
  });
  it('of execution are also bounded by the plan and the node', () => {
    const { run, record } = begun({ mode: 'analyze_only', nativeSubagents: 'available', granted: ['subagent.spawn'] });
    const { remainingBudgets } = at({ run, record: planned(record, [node('a')]) }, 'agent_4_execute');
    expect([remainingBudgets.maximumParallelWorkers, remainingBudgets.maximumSubagentDepth]).toEqual([1, 0]);
    const spawning = { ...emptyPermissions(), subagents: { spawn: true, maximumChildren: 2, maximumDepth: 1 } };
    const deep = at({ run, record: planned(record, [node('a', { permissions: spawning })]) }, 'agent_4_execute');
    expect(deep.remainingBudgets.maximumSubagentDepth).toBe(1);
  });
});

describe('a paused run', () => {
  const paused = {
    status: 'awaiting_clarification',
    phase: 'agent_3_plan',
    resumePhase: 'agent_3_plan',
    version: 4,
  } as const;
  it('shows its question and permits nothing', () => {
    const { run, record } = begun({ mode: 'analyze_only', nativeSubagents: 'available' }, paused);
    const asked = withArtifacts(record, artifact('ClarificationRequest', 'question-01'));
    const action = projectNextAction(run, asked);
    expect(action).toEqual({
      schemaVersion: '1.0',
      id: `action:${runId}:4`,
      runId,
      createdAt: facts.at,
      kind: 'clarification',
      phase: 'awaiting_clarification',
      rationaleSummary: expect.stringContaining('paused'),
      clarificationRequestRef: uri('question-01'),
      effectivePermissions: emptyPermissions(),
      remainingBudgets: {
        promptRevisions: 1,
        postExecutionRemediations: 1,
        remainingPlanToolCalls: 4000,
        maximumParallelWorkers: 1,
        maximumSubagentDepth: 0,
      },
    });
    expect(bodySchemas.NextAction.parse(action)).toEqual(action);
  });
  it('cannot be told without its question', () => {
    const { run, record } = begun({ mode: 'analyze_only' }, paused);
    expect(() => projectNextAction(run, record)).toThrow(
      expect.objectContaining({ code: 'ADM-INT-07', refusal: 'integrity_failed' }),
    );
  });
});

describe('an ended run', () => {
  it.each([
    ['completed', 'completed', 'completed'],
    ['partial', 'partial', 'partial'],
    ['partial', 'failed_verification', 'failed_verification'],
    ['blocked', 'blocked', 'blocked'],
  ] as const)('that is %s by a report of %s has the status %s', (phase, terminalStatus, status) => {
    const { run, record } = begun({ mode: 'analyze_only' }, { status: phase, phase: 'agent_5_report' });
    const reported = withArtifacts(record, artifact('UserReport', 'report-01', { terminalStatus }));
    const action = projectNextAction(run, reported);
    expect(action).toMatchObject({
      kind: 'terminal',
      phase,
      status,
      reportRef: uri('report-01'),
      rationaleSummary: expect.stringContaining(status),
    });
    expect(bodySchemas.NextAction.parse(action)).toEqual(action);
  });
  it('that was cancelled has no report', () => {
    const { run, record } = begun({ mode: 'analyze_only' }, { status: 'cancelled' });
    expect(projectNextAction(run, record)).toMatchObject({
      kind: 'terminal',
      phase: 'cancelled',
      status: 'cancelled',
      reportRef: null,
    });
  });
});

describe('for every phase and topology', () => {
  const stand = fc.record({
    mode: fc.constantFrom(...intentModes),
    topology: fc.constantFrom(...topologies),
    phase: fc.constantFrom(...recordPhases),
    version: fc.integer({ min: 1, max: 30 }),
  });
  it('the required type is accepted, each additional one too, and no other type is (I30)', () => {
    fc.assert(
      fc.property(stand, ({ mode, ...over }) => {
        const { run, record } = begun({ mode });
        const action = at({ run, record: planned(record, [node('only')]) }, over.phase, over);
        const { accepts, supports } = phaseTable[over.phase];
        expect([action.requiredOutputType, ...Object.keys(action.additionalOutputSchemas)]).toEqual([
          ...accepts,
          ...supports,
        ]);
      }),
    );
  });
  it('two reads are byte-identical, also with Evidence or a ScenarioSpec stored in between (I5)', () => {
    fc.assert(
      fc.property(stand, ({ mode, ...over }) => {
        const { run, record } = begun({ mode });
        const now: RunContext = { ...run, ...over };
        const one = planned(record, [node('only')]);
        const before = JSON.stringify(projectNextAction(now, one));
        expect(JSON.stringify(projectNextAction(now, one))).toBe(before);
        const { supports } = phaseTable[over.phase];
        const grown = supports.reduce(
          (later, type) =>
            withArtifacts(
              later,
              type === 'Evidence' ? artifact('Evidence', 'ev-late') : artifact('ScenarioSpec', 'scenario-late'),
            ),
          one,
        );
        // The brief follows what was captured; the rest of the action does not.
        const core = ({ brief: _, ...rest }: PartialPhaseAction): unknown => rest;
        const [early, late] = [projectNextAction(now, one), projectNextAction(now, grown)];
        if (early.kind !== 'phase' || late.kind !== 'phase') return;
        expect(JSON.stringify(core(late))).toBe(JSON.stringify(core(early)));
      }),
    );
  });
  it('the schema of a NextAction holds', () => {
    fc.assert(
      fc.property(stand, ({ mode, ...over }) => {
        const { run, record } = begun({ mode });
        const action = at({ run, record: planned(record, [node('only')]) }, over.phase, over);
        expect(bodySchemas.NextAction.parse(action)).toEqual(action);
      }),
    );
  });
});
