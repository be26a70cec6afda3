import { describe, expect, it } from 'vitest';
import { brokerDecision } from '../../machines/permissions/brokerDecision.ts';
import { effectivePermissions, modeCeiling } from '../../machines/permissions/modes.ts';
import { emptyPermissions } from '../../machines/permissions/permissionSet.ts';
import { actionCapabilities, intentModes } from '../../schemas/vocabulary.ts';
import { judge } from '../../src/gate/judge.ts';
import type { Asked } from '../../src/gate/verdict.ts';
import { sampleFiles, type World } from '../sdk/world.ts';
import { driveTo, fixRun, gateWorld, permissions, serverOf } from './bed.ts';

/** The law of the gate: what a run permits now, and nothing that another one permitted (traps T28 to T30). */

const ask = async (world: World, requests: Asked['requests'], strict = true): Promise<boolean> => {
  const { root, env } = world;
  const { allowed } = await judge({ requests, strict, cwd: root, hostDirectory: null, repo: null, env, host: 'plain' });
  return allowed;
};

const writing = [{ capability: 'repository.write', target: 'src/parser.ts' }] as const;
const reading = [{ capability: 'repository.read', target: 'src/parser.ts' }] as const;
const testing = [{ capability: 'shell.execute', target: 'npm test' }] as const;

describe('a strict gate', () => {
  // T28: read, write and command in each phase; the run itself permits all three throughout.
  it.each([
    ['beforeGrounding', 'context_discovery', [true, false, false]],
    ['ProblemFrame', 'agent_1_frame', [false, false, false]],
    ['TaskContract', 'agent_2_compile', [false, false, false]],
    ['PromptReview', 'agent_1_review', [false, false, false]],
    ['WorkPlan', 'agent_3_plan', [false, false, false]],
    ['WorkResult', 'agent_4_execute', [true, true, true]],
  ] as const)('obeys the phase: before %s', async (before, phase, expected) => {
    const world = gateWorld(sampleFiles, 'commit');
    const { nextAction } = await driveTo(world, serverOf(world), before);
    expect(nextAction.phase).toBe(phase);
    const now = [await ask(world, reading), await ask(world, writing), await ask(world, testing)];
    expect(now).toEqual(expected);
    // Another gate judges by the run alone.
    const ever = [await ask(world, reading, false), await ask(world, writing, false), await ask(world, testing, false)];
    expect(ever).toEqual([true, true, true]);
  });

  // T28: the same table as the tool's, for every word of the vocabulary.
  it.each(intentModes)('permits in %s what the ceiling reaches and the node has, and nothing else', (mode) => {
    const everything = {
      repository: { read: ['**'], write: ['**'], delete: ['**'] },
      shell: { inspect: true, executeAllowlist: ['npm test'] },
      runtime: { inspect: ['local'], restart: ['local'] },
      browser: { inspect: true, mutateState: true },
      network: { readDomains: ['api.example.com'], externalWrite: true },
      subagents: { spawn: true, maximumChildren: 3, maximumDepth: 1 },
    };
    const targets: Readonly<Record<string, string>> = {
      'shell.inspect': 'git.status',
      'shell.execute': 'npm test',
      'runtime.inspect': 'local',
      'runtime.restart': 'local',
      'subagent.spawn': 'reviewer',
    };
    const allowed = actionCapabilities.filter((capability) => {
      const isPath = capability.startsWith('repository.');
      const target = isPath ? 'src/a.ts' : (targets[capability] ?? 'https://api.example.com/');
      return brokerDecision(
        { capability, target, resolved: isPath ? { ok: true, lexical: target, real: target } : null },
        {
          mode,
          status: 'running',
          authority: { granted: everything, denied: emptyPermissions() },
          envelopeRef: null,
          phasePermissions: effectivePermissions(mode, everything, emptyPermissions()),
          scope: 'action',
        },
      ).allowed;
    });
    expect([...allowed].sort()).toEqual([...modeCeiling(mode)].sort());
  });

  // T29.
  it('permits nothing of an earlier plan, until the next one is accepted', async () => {
    const world = gateWorld(sampleFiles, 'commit');
    const server = serverOf(world);
    const script = { quality: ['remediate', 'pass'] as const };
    const first = await driveTo(world, server, 'WorkResult', fixRun, { script });
    expect(await ask(world, writing)).toBe(true);
    const { runId } = first;
    const again = await driveTo(world, server, 'WorkPlan', fixRun, { runId, script });
    expect(again.nextAction.phase).toBe('agent_3_plan');
    expect(await ask(world, writing)).toBe(false);
    await driveTo(world, server, 'WorkResult', fixRun, { runId, script });
    expect(await ask(world, writing)).toBe(true);
  });

  // T29.
  it('carries nothing to another run: the newest one decides, and its end leaves nobody', async () => {
    const world = gateWorld(sampleFiles, 'commit');
    const server = serverOf(world);
    const older = await driveTo(world, server, 'WorkResult');
    expect(await ask(world, writing)).toBe(true);
    const { run, nextAction } = await server.start({ originalRequest: 'Look.', mode: 'analyze_only' });
    expect(await ask(world, writing)).toBe(false);
    expect(await ask(world, writing, false)).toBe(false);
    await server.cancel({ runId: run.runId, actionId: nextAction.id, expectedVersion: run.version });
    expect(await ask(world, writing)).toBe(false);
    // The older run is asked again as soon as it moves.
    const { runId } = older;
    await server.cancel({ runId, actionId: older.nextAction.id, expectedVersion: older.run.version });
    expect(await ask(world, writing)).toBe(false);
    expect(await ask(world, writing, false)).toBe(true);
  });

  it('permits nothing while the run waits for its user', async () => {
    const world = gateWorld(sampleFiles, 'commit');
    const server = serverOf(world);
    const question = { phase: 'agent_2_compile', reason: 'user_owned_materially_divergent' } as const;
    await expect(driveTo(world, server, 'UserReport', fixRun, { script: { question } })).rejects.toThrow(
      /waits for an answer/,
    );
    expect(await ask(world, reading)).toBe(false);
  });

  // T30.
  it('permits byte-equal commands alone', async () => {
    const others = [
      ...['npm test; id', 'npm test && id', 'npm test || id', 'npm test | id', 'npm test |& id', 'npm test & id'],
      ...['npm test\nid', 'npm test\rid', 'npm test $(id)', 'npm test `id`', 'npm test <(id)', 'npm test > out'],
      ...['npm test \\; id', "npm test '", 'npm\u00a0test', 'npm\u200b test', 'npm  test', ' npm test', 'npm test '],
      ...['VAR=x npm test', 'bash -c "npm test"', 'NPM TEST', 'npm tes', 'npm test x', ''],
    ];
    const world = gateWorld(sampleFiles, 'commit');
    await driveTo(world, serverOf(world), 'WorkResult');
    expect(await ask(world, testing)).toBe(true);
    for (const target of others)
      expect([target, await ask(world, [{ capability: 'shell.execute', target }])]).toEqual([target, false]);
  });

  it('permits a call only where all of it is permitted, and records each request that was judged', async () => {
    const world = gateWorld(sampleFiles, 'commit');
    const server = serverOf(world);
    const { runId } = await driveTo(world, server, 'WorkResult');
    const before = (await server.trace(runId, 0, 500)).events.length;
    expect(await ask(world, [...writing, { capability: 'repository.delete', target: 'README.md' }])).toBe(false);
    expect(await ask(world, [...writing, ...reading])).toBe(true);
    const { events } = await server.trace(runId, before, 500);
    expect(events.map(({ permissionDecision }) => permissionDecision?.decision)).toEqual([
      'allow',
      'deny',
      'allow',
      'allow',
    ]);
    expect(permissions().repository.delete).toEqual([]);
  });
});
