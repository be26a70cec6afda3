import { describe, expect, it } from 'vitest';
import { brokerEntries } from '../../machines/broker.ts';
import type { RunRecord } from '../../machines/record.ts';
import { artifact, begun, sample, withArtifacts } from '../projection/records.ts';

const subagents = { spawn: true, maximumChildren: 2, maximumDepth: 1 };

/** A run whose pending node may start two sub-agents. */
const stand = () => {
  const { run, record } = begun(
    { mode: 'analyze_only', granted: ['repository.read', 'subagent.spawn'] },
    { phase: 'agent_4_execute' },
  );
  const [node] = sample('WorkPlan').nodes;
  if (!node) throw new Error('The sample plan has a node.');
  const permissions = { ...node.permissions, shell: { inspect: false, executeAllowlist: [] }, subagents };
  return { run, record: withArtifacts(record, artifact('WorkPlan', 'plan-01', { nodes: [{ ...node, permissions }] })) };
};

const check = (run: ReturnType<typeof stand>['run'], record: RunRecord) =>
  brokerEntries(run, {
    type: 'host.check',
    token: { actionId: `action:${run.runId}:${run.version}`, expectedVersion: run.version },
    at: run.updatedAt,
    capability: 'subagent.spawn',
    target: null,
    resolved: null,
    scope: 'action',
    record,
  }).decision;

describe('a check of subagent.spawn', () => {
  it('allows as many sub-agents as the pending node has, and no more', () => {
    const { run, record } = stand();
    const spawned = (count: number): RunRecord => record.extend([], { added: count, denials: 0, spawned: count });
    expect(check(run, record)).toMatchObject({ allowed: true, phaseAllowed: true });
    expect(check(run, spawned(1))).toMatchObject({ allowed: true, phaseAllowed: true });
    expect(check(run, spawned(2))).toMatchObject({ allowed: false, phaseAllowed: false });
  });
});
