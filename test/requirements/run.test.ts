import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { checkBody } from '../../schemas/issues.ts';
import type { Answer, Author, CallTool, Work } from '../../src/sdk/index.ts';
import { clarificationRequest } from '../../src/sdk/scriptedAuthor/clarificationRequest.ts';
import { startServer } from '../mcp/rawServer.ts';
import { analysis, analysisArguments, authorFor, drive, driveUpTo, must, sample, serve, tokenOf } from './bed.ts';

/** Whole runs over a server process. */

const Action = z.looseObject({ kind: z.string(), phase: z.string(), id: z.string() });
const nextActionOf = async (call: CallTool, run_id: string) =>
  Action.parse((await must(call, 'telic_get_next_action', { run_id })).nextAction);

/** Notes the actions that each answer holds. */
const noting =
  (call: CallTool, seen: unknown[]): CallTool =>
  async (tool, args) => {
    const answer: Answer = await call(tool, args);
    if (answer.nextAction !== undefined) seen.push(answer.nextAction);
    return answer;
  };

const standOf = async ({ run, reader }: Work) => ({ run, record: await reader.record() });

describe('the next action', () => {
  it('is in every phase one valid NextAction that says all that the phase needs [API-022] [API-101] [API-106]', async () => {
    const world = sample();
    const { call } = await serve(world);
    const seen: unknown[] = [];
    const question = { phase: 'agent_1_frame', reason: 'user_owned_materially_divergent' } as const;
    const { runId, terminal, report } = await drive(
      noting(call, seen),
      authorFor(world, { question }),
      analysis,
      () => 'go-on',
    );
    const kinds = new Set<string>();
    const phases = new Set<string>();
    for (const action of seen) {
      expect(checkBody('NextAction', action)).toMatchObject({ ok: true });
      const { kind, phase } = Action.parse(action);
      kinds.add(kind);
      phases.add(phase);
    }
    expect([...kinds].sort()).toEqual(['clarification', 'phase', 'terminal']);
    expect(phases.size).toBe(11);
    expect(terminal).toMatchObject({ status: 'completed', reportRef: `artifact://${runId}/${report?.id}` });
  });

  it('is the same, byte for byte, while the run is unchanged [API-102]', async () => {
    const { call } = await serve(sample());
    const { run_id } = tokenOf(await must(call, 'telic_start_run', analysisArguments));
    const first = JSON.stringify(await must(call, 'telic_get_next_action', { run_id }));
    await must(call, 'telic_list_runs', {});
    expect(JSON.stringify(await must(call, 'telic_get_next_action', { run_id }))).toBe(first);
  });

  it('lists inputs to read, and locks none of the others away [API-103]', async () => {
    const world = sample();
    const { call } = await serve(world);
    const run_id = await driveUpTo(call, authorFor(world), 'WorkPlan');
    const { inputRefs } = z.object({ inputRefs: z.array(z.string()) }).parse(await nextActionOf(call, run_id));
    const { artifacts } = z
      .object({ artifacts: z.array(z.object({ id: z.string() })) })
      .parse(await must(call, 'telic_get_run', { run_id }));
    const others = artifacts.filter(({ id }) => !inputRefs.includes(`artifact://${run_id}/${id}`));
    expect(others.length).toBeGreaterThan(0);
    for (const { id } of artifacts) await must(call, 'telic_get_artifact', { run_id, artifact_id: id });
  });

  it('names no ScenarioSpec among the inputs of the compiler [API-129] [API-196]', async () => {
    const world = sample();
    const { call } = await serve(world);
    let inputs: readonly string[] | null = null;
    const author = authorFor(world, { scenario: true });
    const compile = author.TaskContract;
    if (!compile) throw new Error('The author writes no contract.');
    const TaskContract: Author['TaskContract'] = async (work) => {
      const product = await compile(work);
      const { inputRefs } = z
        .object({ inputRefs: z.array(z.string()) })
        .parse(await nextActionOf(call, work.run.runId));
      inputs = inputRefs;
      return product;
    };
    const { reader, runId } = await drive(call, { ...author, TaskContract });
    const scenario = (await reader.record()).latest('ScenarioSpec');
    expect(scenario).toBeDefined();
    expect(inputs).not.toBeNull();
    expect(inputs).not.toContain(`artifact://${runId}/${scenario?.id}`);
  });
});

describe('the one question', () => {
  it('that resumes leaves the authority of the run as it was [API-125]', async () => {
    const world = sample();
    const { call } = await serve(world);
    const question = { phase: 'agent_1_frame', reason: 'permission_expanding' } as const;
    const run_id = await driveUpTo(call, authorFor(world, { question }), 'TaskContract', analysis, () => 'go-on');
    const token = tokenOf({ ...(await must(call, 'telic_get_run', { run_id })) });
    const write = await must(call, 'telic_check_tool_action', {
      ...token,
      capability: 'repository.write',
      target: 'README.md',
    });
    expect(write).toMatchObject({ decision: { allowed: false } });
    const { artifact } = z
      .object({ artifact: z.looseObject({ body: z.looseObject({ authorization: z.unknown() }) }) })
      .parse(await must(call, 'telic_get_artifact', { run_id, artifact_id: run_id }));
    const other = tokenOf(await must(call, 'telic_start_run', analysisArguments));
    const twin = await must(call, 'telic_get_artifact', { run_id: other.run_id, artifact_id: other.run_id });
    expect(twin).toMatchObject({ artifact: { body: { authorization: artifact.body.authorization } } });
  });

  it.each(['stop', 'start-over'])('ends the run without a report by the choice %s [API-126]', async (choice) => {
    const world = sample();
    const { call } = await serve(world);
    const question = { phase: 'agent_1_frame', reason: 'permission_expanding' } as const;
    const { terminal, report } = await drive(call, authorFor(world, { question }), analysis, () => choice);
    expect(terminal).toMatchObject({ kind: 'terminal', status: 'cancelled', reportRef: null });
    expect(report).toBeNull();
  });

  it('is the only one: a second boundary is stored and leads to a blocked report, unasked [API-122] [API-128]', async () => {
    const world = sample();
    const { call } = await serve(world);
    const question = { phase: 'agent_1_frame', reason: 'user_owned_materially_divergent' } as const;
    const author: Author = {
      ...authorFor(world, { question }),
      PromptReview: async (work) => ({
        type: 'ClarificationRequest',
        body: clarificationRequest(await standOf(work), 'permission_expanding'),
      }),
    };
    let asked = 0;
    const { terminal, report, reader, steps } = await drive(call, author, analysis, () => {
      asked += 1;
      return 'go-on';
    });
    expect(asked).toBe(1);
    expect(terminal.status).toBe('blocked');
    expect(report?.terminalStatus).toBe('blocked');
    expect((await reader.record()).all('ClarificationRequest')).toHaveLength(2);
    const after = steps.findLastIndex(({ artifactType }) => artifactType === 'ClarificationRequest');
    expect(steps.slice(after + 1).map(({ artifactType }) => artifactType)).toEqual(['UserReport', null]);
  });
});

describe('a cancelled run', () => {
  it('ends at once, changes nothing in the repository and leaves no report [API-140] [API-141] [API-142]', async () => {
    const world = sample();
    const { call } = await serve(world);
    const run_id = await driveUpTo(call, authorFor(world), 'WorkPlan');
    const now = tokenOf(await must(call, 'telic_get_run', { run_id }));
    const stale = await call('telic_cancel_run', { ...now, expected_run_version: now.expected_run_version - 1 });
    expect(stale).toMatchObject({ ok: false, kind: 'stale' });
    expect(await call('telic_cancel_run', { run_id })).toMatchObject({ ok: false, kind: 'bad_input' });
    const ended = await must(call, 'telic_cancel_run', now);
    expect(ended).toMatchObject({ nextAction: { kind: 'terminal', status: 'cancelled', reportRef: null } });
    const { artifacts } = z
      .object({ artifacts: z.array(z.looseObject({ type: z.string() })) })
      .parse(await must(call, 'telic_get_run', { run_id }));
    expect(artifacts.map(({ type }) => type)).not.toContain('UserReport');
    expect(execFileSync('git', ['-C', world.root, 'status', '--porcelain'], { encoding: 'utf8' })).toBe('');
  });
});

describe('the prompt', () => {
  it('starts no run, grants nothing and leaves nothing on the disk [API-044]', async () => {
    const { root, env } = sample();
    const state = env.TELIC_STATE_DIR ?? '';
    const server = startServer({ root, state });
    await server.initialize();
    const given = { name: 'telic_workflow', arguments: { original_request: 'Fix it.', mode: 'fix_only' } };
    expect((await server.request('prompts/get', given)).result).toMatchObject({ messages: [{ role: 'user' }] });
    expect(existsSync(state)).toBe(false);
    expect(await server.call('telic_list_runs', {})).toMatchObject({ ok: true, runs: [] });
  });
});
