import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { describe, expect, it } from 'vitest';
import { toolArguments } from '../../schemas/tools.ts';
import { readyToAsk } from '../mcp/question.ts';
import { request, ToolResult, temporary, tokenOf } from '../mcp/rawServer.ts';
import { connected } from '../mcp/sdkClient.ts';

type Args = Readonly<Record<string, unknown>>;

/**
 * A call by the client of the SDK, which has listed the tools and so holds every result against the output schema that
 * its tool declares, and throws where it does not fit.
 */
const shown = async (client: Client, name: string, args: Args) => {
  const { content, structuredContent, isError } = ToolResult.parse(
    await client.callTool({ name, arguments: { ...args } }),
  );
  const [{ text }] = content;
  expect(text).not.toBe('');
  expect(JSON.parse(text)).toEqual(structuredContent);
  return { text, answer: structuredContent ?? {}, isError: isError ?? false };
};

describe('a client that validates what a tool declares of its output (T09)', () => {
  it('finds no tool that declares anything, for one shape cannot say what success and failure have alike', async () => {
    const { tools } = await (await connected()).listTools();
    expect(tools).toHaveLength(11);
    for (const { outputSchema } of tools) expect(outputSchema).toBeUndefined();
  });

  it('takes the success of each tool, its text beside its structure', async () => {
    const client = await connected();
    await client.listTools();
    const called = new Set<string>();
    const works = async (name: string, args: Args): Promise<Args> => {
      called.add(name);
      const { answer, isError } = await shown(client, name, args);
      expect(answer, name).toMatchObject({ ok: true });
      expect(isError).toBe(false);
      return answer;
    };
    const started = tokenOf(await works('telic_start_run', request));
    const token = tokenOf(await works('telic_ground_context', started));
    const { run_id } = token;
    await works('telic_get_next_action', { run_id });
    await works('telic_check_tool_action', { ...token, capability: 'repository.write', target: 'README.md' });
    await works('telic_list_runs', {});
    await works('telic_get_run', { run_id });
    await works('telic_get_artifact', { run_id, artifact_id: run_id });
    await works('telic_get_trace', { run_id });
    await works('telic_replay_run', { run_id });
    const asked = await works('telic_submit_artifact', await readyToAsk(client));
    await works('telic_submit_artifact', { ...tokenOf(asked), clarification_response: 'narrow' });
    await works('telic_cancel_run', token);
    expect(called).toEqual(new Set(Object.keys(toolArguments)));
  });

  it('is shown the code and the sentence of each kind of failure, and not a fault of the protocol', async () => {
    const client = await connected();
    await client.listTools();
    const kinds = new Set<unknown>();
    const fails = async (code: string, name: string, args: Args, of = client): Promise<void> => {
      const { text, answer, isError } = await shown(of, name, args);
      expect(answer, code).toMatchObject({ ok: false, code, error: expect.stringMatching(/./) });
      expect(isError).toBe(true);
      expect(text).toContain(`"code":"${code}"`);
      expect(text).toContain(JSON.stringify(answer.error));
      kinds.add(answer.kind);
    };
    for (const name of Object.keys(toolArguments)) await fails('invalid_arguments', name, { nobody: 'knows' });
    const asking = await readyToAsk(client);
    const { artifact_type: _, body, ...token } = asking;
    const { run_id } = token;
    await fails('run_not_found', 'telic_get_run', { run_id: 'no-such-run' });
    await fails('artifact_not_found', 'telic_get_artifact', { run_id, artifact_id: 'nothing' });
    await fails('stale_version', 'telic_cancel_run', { ...token, expected_run_version: 1 });
    await fails('stale_action', 'telic_cancel_run', { ...token, action_id: `${token.action_id}0` });
    await fails('invalid_body', 'telic_submit_artifact', { ...asking, body: { ...body, question: '' } });
    await fails('controller_owned', 'telic_submit_artifact', { ...asking, artifact_type: 'RunEnvelope' });
    await fails('wrong_phase', 'telic_ground_context', token);
    await fails('not_awaiting_clarification', 'telic_submit_artifact', { ...token, clarification_response: 'narrow' });
    await fails('reference_invalid', 'telic_submit_artifact', {
      ...asking,
      body: { ...body, evidenceInspected: [`artifact://${run_id}/nothing`] },
    });
    await fails('id_taken', 'telic_submit_artifact', { ...asking, body: { ...body, id: run_id } });
    await shown(client, 'telic_cancel_run', token);
    await fails('run_terminal', 'telic_submit_artifact', {
      ...asking,
      action_id: `action:${run_id}:3`,
      expected_run_version: 3,
    });

    const state = join(temporary('state'), 'file');
    writeFileSync(state, '');
    const nowhere = await connected({ state });
    await nowhere.listTools();
    await fails('state_unavailable', 'telic_list_runs', {}, nowhere);
    expect(kinds).toEqual(new Set(['bad_input', 'not_found', 'stale', 'refused', 'conflict', 'unavailable']));
  });
});
