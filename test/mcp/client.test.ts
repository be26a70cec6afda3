import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { request, startServer, ToolResult, tokenOf } from './rawServer.ts';
import { call, connected } from './sdkClient.ts';

describe('through the client of the SDK', () => {
  test('a run starts, is grounded, read, listed, checked, replayed and cancelled', async () => {
    const client = await connected();
    expect(client.getServerVersion()).toMatchObject({ name: 'telic', version: '0.0.0-test' });
    expect(client.getInstructions()).toContain('telic_start_run');
    expect((await client.listTools()).tools).toHaveLength(11);

    const started = await call(client, 'telic_start_run', { ...request, prior_run_id: null });
    expect(Object.keys(started)).toEqual(['ok', 'next', 'run', 'droppedGrants', 'nextAction']);
    const first = tokenOf(started);
    expect(started.next).toContain('telic_ground_context');

    const grounded = await call(client, 'telic_ground_context', { ...first, expected_run_version: '1' });
    expect(Object.keys(grounded)).toEqual(['ok', 'next', 'run', 'manifest', 'nextAction']);
    const { run_id } = first;

    const next = await call(client, 'telic_get_next_action', { run_id });
    expect(Object.keys(next)).toEqual(['ok', 'next', 'nextAction']);
    expect(next.nextAction).toEqual(grounded.nextAction);
    const parts = await call(client, 'telic_get_next_action', { run_id, parts: [] });
    expect(parts.nextAction).not.toHaveProperty('requiredOutputSchema');

    const run = await call(client, 'telic_get_run', { run_id });
    expect(Object.keys(run)).toEqual([
      'ok',
      'next',
      'run',
      'artifacts',
      'artifactCount',
      'nextAfterIndex',
      'nextAction',
    ]);
    const page = await call(client, 'telic_get_run', { run_id, after_index: 1, limit: 1 });
    expect(page).toMatchObject({ artifacts: [{ type: 'RunEnvelope' }], nextAfterIndex: 2 });

    const Meta = z.array(z.looseObject({ id: z.string(), type: z.string() }));
    const [message] = Meta.parse(run.artifacts);
    const artifact = await call(client, 'telic_get_artifact', { run_id, artifact_id: message?.id });
    expect(artifact).toMatchObject({ ok: true, artifact: { body: { content: request.original_request } } });
    const piece = await call(client, 'telic_get_artifact', { run_id, artifact_id: message?.id, offset: 2, limit: 7 });
    expect(piece.artifact).toMatchObject({ text: 'content', offset: 2 });

    const trace = await call(client, 'telic_get_trace', { run_id, limit: 1 });
    expect(Object.keys(trace)).toEqual(['ok', 'events', 'hasMore', 'nextAfterSequence']);
    expect(trace).toMatchObject({ hasMore: true, nextAfterSequence: 1 });

    const token = tokenOf(grounded);
    const check = await call(client, 'telic_check_tool_action', { ...token, capability: 'moon.walk' });
    expect(check).toMatchObject({ ok: true, decision: { allowed: false } });
    expect(await call(client, 'telic_replay_run', { run_id })).toMatchObject({ ok: true, report: { runId: run_id } });
    expect(await call(client, 'telic_list_runs')).toMatchObject({ ok: true, runs: [{ runId: run_id }] });

    const cancelled = await call(client, 'telic_cancel_run', token);
    expect(cancelled).toMatchObject({ run: { status: 'cancelled' }, nextAction: { kind: 'terminal' } });
    expect(cancelled.next).toContain('cancelled');
  });

  test('a failure is a result with the keys of the one shape, and the client takes it', async () => {
    const client = await connected();
    const keys = ['ok', 'error', 'code', 'kind', 'rule', 'issues', 'next_steps'];
    const wrong = await call(client, 'telic_start_run', { mode: 'fix_only', authorisation_denied: ['shell.execute'] });
    expect(Object.keys(wrong)).toEqual(keys);
    expect(wrong).toMatchObject({ code: 'invalid_arguments', kind: 'bad_input', rule: 'SCH-KEY-02' });
    expect(wrong.error).toMatch(/^telic_start_run has 2 wrong arguments; first: /);

    const lost = await call(client, 'telic_get_run', { run_id: 'no-such-run' });
    expect(Object.keys(lost)).toEqual(keys);
    expect(lost).toMatchObject({ code: 'run_not_found', kind: 'not_found', rule: 'ADM-TR-01' });

    const token = tokenOf(await call(client, 'telic_start_run', request));
    const stale = await call(client, 'telic_cancel_run', { ...token, expected_run_version: 2 });
    expect(Object.keys(stale)).toEqual([...keys, 'current']);
    expect(stale).toMatchObject({ kind: 'stale', current: { version: 1, actionId: token.action_id } });

    const outside = await call(client, 'telic_ground_context', { ...token, active_paths: ['../outside'] });
    expect(outside).toMatchObject({ code: 'invalid_arguments', kind: 'bad_input' });

    const body = { id: 'frame-01', runId: 'another' };
    const foreign = await call(client, 'telic_submit_artifact', { ...token, artifact_type: 'ProblemFrame', body });
    expect(foreign).toMatchObject({ code: 'invalid_body', rule: 'ADM-TR-11' });
    const owned = await call(client, 'telic_submit_artifact', {
      ...token,
      artifact_type: 'RunEnvelope',
      body: { ...body, runId: token.run_id },
    });
    expect(owned).toMatchObject({ code: 'controller_owned', rule: 'ADM-COM-01' });
    const early = await call(client, 'telic_submit_artifact', { ...token, clarification_response: 'go-on' });
    expect(early).toMatchObject({ code: 'not_awaiting_clarification' });
  });

  test('a body whose empty lists were dropped is refused with their paths and the way through body_json', async () => {
    const client = await connected();
    const started = tokenOf(await call(client, 'telic_start_run', request));
    const token = tokenOf(await call(client, 'telic_ground_context', started));
    const body = { schemaVersion: '1.0', id: 'frame-01', runId: token.run_id, goal: 'A goal.' };
    const frame = { ...token, artifact_type: 'ProblemFrame' };
    const dropped = await call(client, 'telic_submit_artifact', { ...frame, body });
    expect(dropped).toMatchObject({ code: 'invalid_body', kind: 'bad_input' });
    const issues = z.array(z.looseObject({ path: z.string(), code: z.string() })).parse(dropped.issues);
    expect(issues).toContainEqual(expect.objectContaining({ path: 'draftAcceptanceCriteria', code: 'SCH-KEY-02' }));
    expect(JSON.stringify(dropped.next_steps)).toContain('body_json');
    const text = await call(client, 'telic_submit_artifact', { ...frame, body_json: JSON.stringify(body) });
    expect(text.issues).toEqual(dropped.issues);
    expect(JSON.stringify(text.next_steps)).not.toContain('body_json');
  });

  test('an unknown tool and an unknown prompt are errors of the protocol', async () => {
    const client = await connected();
    await expect(client.callTool({ name: 'telic_make_tea' })).rejects.toMatchObject({ code: -32602 });
    await expect(client.callTool({ name: 'toString' })).rejects.toMatchObject({ code: -32602 });
    await expect(client.getPrompt({ name: 'other' })).rejects.toMatchObject({ code: -32602 });
  });

  test('the one prompt is published with both arguments and refuses none', async () => {
    const client = await connected();
    const { prompts } = await client.listPrompts();
    expect(prompts).toMatchObject([
      { name: 'telic_workflow', arguments: [{ name: 'original_request' }, { name: 'mode' }] },
    ]);
    for (const sent of [undefined, {}, { original_request: '$1', mode: '$2' }, { original_request: 'Fix it.' }]) {
      const { messages } = await client.getPrompt({ name: 'telic_workflow', ...(sent && { arguments: sent }) });
      expect(messages).toMatchObject([{ role: 'user', content: { type: 'text' } }]);
    }
  });
});

describe('by hand', () => {
  test.each([
    ['2024-11-05', false],
    ['2025-03-26', false],
    ['2025-06-18', true],
    ['2025-11-25', true],
    // Unknown: the newest is negotiated.
    ['2031-01-01', true],
  ])('protocol %s gets the structure beside the text: %s', async (version, structured) => {
    const server = startServer();
    await server.initialize(version);
    for (const args of [{}, { limit: 0 }]) {
      const { result } = await server.request('tools/call', { name: 'telic_list_runs', arguments: args });
      const { content, structuredContent } = ToolResult.parse(result);
      expect(JSON.parse(content[0].text)).toMatchObject({ ok: args.limit === undefined });
      expect(structuredContent !== undefined).toBe(structured);
    }
  });

  test('calls before initialize are answered', async () => {
    expect(await startServer().call('telic_list_runs')).toEqual({ ok: true, runs: [] });
  });

  test.each([null, undefined])('arguments that are %s count as none', async (args) => {
    const server = startServer();
    const params = { name: 'telic_list_runs', ...(args !== undefined && { arguments: args }) };
    expect((await server.request('tools/call', params)).result).toMatchObject({ structuredContent: { ok: true } });
  });

  test.each([['{"limit":3}'], [[]], [7]])('arguments that are %j are refused in the one shape', async (args) => {
    const failure = await startServer().call('telic_list_runs', args);
    expect(failure).toMatchObject({ code: 'invalid_arguments', issues: [{ path: '', expected: { type: 'object' } }] });
  });

  test('whatever a host puts into _meta is ignored', async () => {
    const server = startServer();
    const _meta = { 'x/huge': 'y'.repeat(800), progressToken: 7, 'codex/turn': { a: [1] } };
    const answer = await server.request('tools/call', { name: 'telic_list_runs', arguments: {}, _meta });
    expect(answer.result).toMatchObject({ structuredContent: { ok: true, runs: [] } });
  });
});
