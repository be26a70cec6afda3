import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { microPack } from '../../machines/companions/microPack.ts';
import { emptyPermissions } from '../../machines/permissions/permissionSet.ts';
import { subset } from '../../machines/permissions/subset.ts';
import type { Artifact } from '../../machines/record.ts';
import { effectiveFor } from '../../machines/rules/derived.ts';
import { digest } from '../../schemas/canonical.ts';
import { checkBody } from '../../schemas/issues.ts';
import { artifact, begun, requestRef, type Stand, uri, withArtifacts } from '../projection/records.ts';

const at = '2026-03-02T09:05:00.000Z';

const fixRun = (): Stand =>
  begun({
    mode: 'fix_only',
    originalRequest: 'Correct src/args.ts.',
    granted: ['repository.read', 'repository.write'],
  });
const reportRun = (): Stand => begun({ mode: 'report_only', granted: ['repository.read'] });

const criterion = {
  id: 'AC-1',
  stage: 'completion',
  requirement: 'The word is right.',
  evidenceRequired: ['diff'],
} as const;

const frame = (mode: 'fix_only' | 'report_only', id = 'frame-01'): Artifact<'ProblemFrame'> =>
  artifact('ProblemFrame', id, {
    intentMode: mode,
    draftAcceptanceCriteria: [{ ...criterion, evidenceRequired: ['diff'] }],
    knownFacts: [
      { id: 'KF-1', claim: 'Said.', provenance: 'user', sourceRef: requestRef },
      { id: 'KF-2', claim: 'Read.', provenance: 'repository', sourceRef: 'repo://src/args.ts' },
    ],
    inferences: [
      { id: 'INF-1', claim: 'So.', sourceRefs: ['repo://src/args.ts', 'repo://src/b.ts', requestRef], confidence: 0.5 },
    ],
  });

const packOf = ({ run, record }: Stand, submitted: Artifact<'ProblemFrame'>) => {
  const grounded = withArtifacts(record, artifact('ContextManifest', 'context-01'));
  return { ...microPack(run, grounded, submitted, at), record: grounded };
};

describe('the micro pack', () => {
  it('of a fix holds a contract that repeats the frame and checks by reading again', () => {
    const { contract, record } = packOf(fixRun(), frame('fix_only'));
    const { body } = contract;
    expect(contract).toMatchObject({
      id: 'contract-01',
      producer: 'task_compiler',
      sourceRefs: [uri('frame-01'), uri('context-01')],
      createdAt: at,
      sha256: digest(body),
    });
    expect(body).toMatchObject({
      version: 1,
      originalRequestRef: requestRef,
      problemFrameRef: uri('frame-01'),
      intentMode: 'fix_only',
      objective: 'Make the --timeout flag of fetchr take effect.',
      scope: { include: ['src/args.ts', 'test/timeout.test.ts'], exclude: ['docs/**'] },
      constraints: ['Keep the public flag names.'],
      nonGoals: ['No new dependency.'],
      contextRefs: ['repo://src/args.ts', 'repo://src/b.ts', requestRef, uri('context-01')],
      ruleRefs: ['repo://AGENTS.md'],
      permissions: effectiveFor(record, 'fix_only'),
      acceptanceCriteria: [criterion],
      assumptions: [],
      unresolvedQuestions: [],
    });
    expect(body.requiredOutputs).toHaveLength(1);
    expect(body.stopConditions).toHaveLength(1);
    expect(body.verificationRequirements).toMatchObject([
      { id: 'VR-MICRO', stage: 'completion', required: true, capability: 'repository.read' },
    ]);
    expect(body.verificationRequirements[0]?.fallback).toMatch(/stop/i);
    expect(body.rationaleSummary).toMatch(/controller/);
  });

  it('of a fix holds a plan of one node that may read and write', () => {
    const { contract, plan } = packOf(fixRun(), frame('fix_only'));
    expect(plan).toMatchObject({
      id: 'plan-01',
      producer: 'quality_controller',
      sourceRefs: [uri('contract-01')],
      sha256: digest(plan.body),
    });
    expect(plan.body).toMatchObject({
      taskContractRef: uri('contract-01'),
      executionMode: 'serial',
      planValidation: 'valid',
      joinRules: [],
      globalBudgets: { maximumToolCalls: 8, maximumParallelWorkers: 1, maximumSubagentDepth: 0 },
      nodes: [
        {
          id: 'micro-execute',
          logicalRole: 'executor',
          objective: contract.body.objective,
          dependsOn: [],
          inputRefs: [uri('contract-01')],
          contextRefs: contract.body.contextRefs,
          allowedTools: ['repository.read', 'repository.write'],
          requiredCapabilities: ['repository.read', 'repository.write'],
          permissions: contract.body.permissions,
          outputType: 'WorkResult',
          acceptanceCriteria: ['AC-1'],
          stopConditions: contract.body.stopConditions,
          budgets: { maximumToolCalls: 8, maximumChildren: 0 },
        },
      ],
    });
    expect(plan.body.nodes).toHaveLength(1);
  });

  it('of a report may do nothing: no permission, no tool, no call, no check (D5)', () => {
    const { contract, plan } = packOf(reportRun(), frame('report_only'));
    expect(contract.body.permissions).toEqual(emptyPermissions());
    expect(contract.body.verificationRequirements).toEqual([]);
    expect(plan.body.nodes).toMatchObject([
      {
        allowedTools: [],
        requiredCapabilities: [],
        permissions: emptyPermissions(),
        budgets: { maximumToolCalls: 0, maximumChildren: 0 },
      },
    ]);
    expect(plan.body.globalBudgets.maximumToolCalls).toBe(0);
  });

  it.each(['fix_only', 'report_only'] as const)('satisfies the schemas of both bodies in %s', (mode) => {
    const { contract, plan } = packOf(mode === 'fix_only' ? fixRun() : reportRun(), frame(mode));
    expect(checkBody('TaskContract', contract.body)).toEqual({ ok: true, body: contract.body });
    expect(checkBody('WorkPlan', plan.body)).toEqual({ ok: true, body: plan.body });
  });

  it('takes the next free ids, also beside a frame that took the first (D6)', () => {
    const { run, record } = fixRun();
    const crowded = withArtifacts(
      record,
      artifact('ContextManifest', 'plan-01'),
      artifact('ClarificationRequest', 'plan-02'),
    );
    const { contract, plan } = microPack(run, crowded, frame('fix_only', 'contract-01'), at);
    expect([contract.id, plan.id]).toEqual(['contract-02', 'plan-03']);
    expect(plan.body.taskContractRef).toBe(uri('contract-02'));
    expect(plan.body.nodes[0]?.inputRefs).toEqual([uri('contract-02')]);
  });

  it('leaves the manifest out where the frame cites all that a list takes', () => {
    const refs = Array.from({ length: 256 }, (_, number) => `repo://src/${number}.ts`);
    const full = frame('report_only');
    const crowded = artifact('ProblemFrame', 'frame-01', {
      ...full.body,
      inferences: [{ id: 'INF-1', claim: 'So.', sourceRefs: refs, confidence: 0.5 }],
      knownFacts: [],
    });
    const { contract } = packOf(reportRun(), crowded);
    expect(contract.body.contextRefs).toEqual(refs);
    expect(checkBody('TaskContract', contract.body).ok).toBe(true);
  });

  it('stays inside EFF and inside its contract for every grant and denial of a fix', () => {
    const some = fc.subarray([
      'repository.read',
      'repository.write',
      'shell.inspect',
      'subagent.spawn',
      'external.write',
    ]);
    fc.assert(
      fc.property(some, some, (granted, denied) => {
        const { run, record } = begun({ mode: 'fix_only', granted, denied });
        const { contract, plan } = microPack(run, record, frame('fix_only'), at);
        expect(subset(contract.body.permissions, effectiveFor(record, 'fix_only'))).toBe(true);
        for (const node of plan.body.nodes) expect(subset(node.permissions, contract.body.permissions)).toBe(true);
      }),
    );
  });
});
