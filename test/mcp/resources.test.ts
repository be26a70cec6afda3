import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { systemTexts } from '../../machines/brief/instructions/systemTexts.ts';
import { hostSchema } from '../../schemas/jsonSchema.ts';
import { artifactTypes, intentModes } from '../../schemas/vocabulary.ts';
import { readyToAsk } from './question.ts';
import { repository, request, startServer, temporary, tokenOf } from './rawServer.ts';
import { call, connected, inside, resultOf } from './sdkClient.ts';

const Run = z.object({
  artifacts: z.array(z.looseObject({ id: z.string(), type: z.string() })),
  nextAction: z.looseObject({ instructionRef: z.string() }),
});
const Contents = z.object({
  contents: z.tuple([z.object({ uri: z.string(), mimeType: z.string(), text: z.string() })]),
});

const read = async (client: Client, uri: string) => {
  const { contents } = Contents.parse(await client.readResource({ uri }));
  expect(contents[0].uri).toBe(uri);
  return contents[0];
};

const grounded = async (client: Client) => {
  const started = tokenOf(await call(client, 'telic_start_run', request));
  return tokenOf(await call(client, 'telic_ground_context', started));
};

describe('the capabilities', () => {
  test('name tools, the prompt, resources that can be subscribed to, and completions; who serves them has a title and a description', async () => {
    const client = await connected();
    expect(client.getServerCapabilities()).toEqual({
      tools: { listChanged: true },
      prompts: { listChanged: true },
      resources: { subscribe: true },
      completions: {},
    });
    expect(client.getServerVersion()).toEqual({
      name: 'telic',
      title: 'Telic',
      version: '0.0.0-test',
      description: expect.stringContaining('beside a coding agent'),
    });
  });
});

describe('the list of resources', () => {
  test('holds every text and schema, and the newest run first', async () => {
    const client = await inside();
    expect((await client.listResources()).resources).toHaveLength(systemTexts.size + artifactTypes.length);
    const runs = [await grounded(client), await grounded(client)].map(({ run_id }) => `run://${run_id}`);
    const { resources, nextCursor } = await client.listResources();
    expect(nextCursor).toBeUndefined();
    expect(resources.map(({ uri }) => uri)).toEqual([
      ...systemTexts.keys(),
      ...artifactTypes.map((type) => `schema://${type}`),
      ...runs.toReversed(),
    ]);
    expect(resources.at(-1)).toMatchObject({
      title: 'Run in plan_only, running',
      mimeType: 'application/json',
      annotations: { lastModified: expect.stringMatching(/^20/) },
    });
    for (const { name } of resources) expect(name).not.toBe('');
    expect(JSON.stringify(resources)).not.toContain(request.original_request);
  });

  test('names nothing that cannot be read', async () => {
    const client = await inside();
    await grounded(client);
    const { resources } = await client.listResources();
    for (const { uri, mimeType, size } of resources) {
      const contents = await read(client, uri);
      expect(contents.mimeType).toBe(mimeType);
      if (size !== undefined) expect(Buffer.byteLength(contents.text)).toBe(size);
    }
  });

  test('goes on page by page, each run once, though a run moves meanwhile', async () => {
    const client = await inside();
    const started: string[] = [];
    let oldest: ReturnType<typeof tokenOf> | undefined;
    for (let run = 0; run < 45; run += 1) {
      const token = tokenOf(await call(client, 'telic_start_run', request));
      oldest ??= token;
      started.push(`run://${token.run_id}`);
    }
    const seen: string[] = [];
    const sizes: number[] = [];
    let cursor: string | undefined;
    do {
      const page = await client.listResources(cursor === undefined ? undefined : { cursor });
      const runs = page.resources.map(({ uri }) => uri).filter((uri) => uri.startsWith('run://'));
      sizes.push(runs.length);
      seen.push(...runs);
      cursor = page.nextCursor;
      // To the front, behind the reader's back.
      if (seen.length === 20) await call(client, 'telic_cancel_run', oldest);
    } while (cursor !== undefined);
    expect(sizes).toEqual([20, 20, 4]);
    expect(seen).toEqual(started.toReversed().slice(0, 44));
  });

  test('refuses a cursor that it never gave', async () => {
    const client = await inside();
    for (const cursor of ['', 'runs-0', 'runs-1x', 'runs-99999999999999999999', 'abc'])
      await expect(client.listResources({ cursor })).rejects.toMatchObject({ code: -32602 });
  });

  test('holds texts and schemas where no ledger can be read', async () => {
    const env = { TELIC_REPOSITORY_ROOT: repository() };
    const server = startServer({ env });
    const { result } = await server.request('resources/list');
    expect(result?.resources).toHaveLength(systemTexts.size + artifactTypes.length);
    expect(server.stderr()).toContain('resources/list names no runs');
    const failed = await server.request('resources/read', { uri: 'run://run-1' });
    expect(failed.error).toMatchObject({ code: -32603, data: { code: 'state_unavailable', kind: 'unavailable' } });
  });

  test('has a template for each form of URI', async () => {
    const { resourceTemplates } = await (await inside()).listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      'artifact://{runId}/{artifactId}',
      'run://{runId}',
      'trace://{runId}{?after_sequence}',
      'schema://{type}',
      'artifact://system/roles/{name}',
      'artifact://system/rubrics/{name}',
    ]);
  });
});

describe('a resource', () => {
  test('of a run, an artifact and a trace reads as the tool reads it', async () => {
    const client = await connected();
    const { run_id } = await grounded(client);
    const { ok: _, next: __, ...run } = await call(client, 'telic_get_run', { run_id });
    expect(JSON.parse((await read(client, `run://${run_id}`)).text)).toEqual(run);
    for (const { id } of Run.parse(run).artifacts) {
      const { artifact } = await call(client, 'telic_get_artifact', { run_id, artifact_id: id });
      const uri = `artifact://${run_id}/${id}`;
      const contents = await read(client, uri);
      expect(contents.mimeType).toBe('application/json');
      expect(JSON.parse(contents.text)).toEqual(artifact);
    }
    const { ok: ___, ...trace } = await call(client, 'telic_get_trace', { run_id, limit: 500 });
    expect(JSON.parse((await read(client, `trace://${run_id}`)).text)).toEqual(trace);
    const { ok: ____, ...rest } = await call(client, 'telic_get_trace', { run_id, limit: 500, after_sequence: 2 });
    expect(JSON.parse((await read(client, `trace://${run_id}?after_sequence=2`)).text)).toEqual(rest);
  });

  test('is behind the instruction of each action, also where its role is written with a hyphen', async () => {
    const client = await inside();
    const { run_id } = await grounded(client);
    const { nextAction } = Run.parse(await call(client, 'telic_get_run', { run_id }));
    const { text, mimeType } = await read(client, nextAction.instructionRef);
    expect(mimeType).toBe('text/markdown');
    expect(text).toBe(systemTexts.get(nextAction.instructionRef));
    expect((await read(client, nextAction.instructionRef.replace('_', '-'))).text).toBe(text);
  });

  test('of a schema is the one that the action carries', async () => {
    const client = await inside();
    expect(JSON.parse((await read(client, 'schema://ProblemFrame')).text)).toEqual(hostSchema('ProblemFrame'));
  });

  test.each([
    'artifact://system/roles/nobody-v1',
    'artifact://system/rubrics/../roles/executor-v1',
    'schema://Nothing',
    'schema://toString',
    'run://',
    'run://no-such-run',
    'run://no-such-run/more',
    'run://no%2Fsuch',
    'trace://no-such-run',
    'trace://no-such-run?after_sequence=-1',
    'artifact://no-such-run/a',
    'artifact://no-such-run/..%2f',
    'artifact://no-such-run',
    'file:///etc/passwd',
    'repo://README.md',
    'run://%',
    '',
  ])('%j is not there: -32602, in words', async (uri) => {
    const client = await inside();
    await expect(client.readResource({ uri })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringMatching(/Telic has no resource|No run no-such-run/),
    });
  });

  test('that an artifact of a known run is not is refused with the way to its ids', async () => {
    const client = await inside();
    const { run_id } = await grounded(client);
    await expect(client.readResource({ uri: `artifact://${run_id}/nothing` })).rejects.toMatchObject({
      code: -32602,
      data: { code: 'artifact_not_found', next_steps: [expect.stringContaining('telic_get_run')] },
    });
  });
});

describe('a subscription to a run', () => {
  const heard = (client: Client): string[] => {
    const uris: string[] = [];
    client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void uris.push(params.uri));
    return uris;
  };

  test('hears of each version, not of what leaves the version as it is, until it is given up', async () => {
    const client = await connected();
    const uris = heard(client);
    const other = tokenOf(await call(client, 'telic_start_run', request));
    const token = await grounded(client);
    const uri = `run://${token.run_id}`;
    await client.subscribeResource({ uri });
    expect(uris).toEqual([]);
    await call(client, 'telic_check_tool_action', { ...token, capability: 'repository.read', target: 'README.md' });
    await call(client, 'telic_submit_artifact', { ...token, artifact_type: 'ProblemFrame', body: { id: 'a' } });
    await call(client, 'telic_cancel_run', other);
    expect(uris).toEqual([]);
    await call(client, 'telic_cancel_run', token);
    expect(uris).toEqual([uri]);
    await call(client, 'telic_cancel_run', { ...token });
    expect(uris).toEqual([uri]);

    const next = tokenOf(await call(client, 'telic_start_run', request));
    await client.subscribeResource({ uri: `run://${next.run_id}` });
    await client.subscribeResource({ uri: `run://${next.run_id}` });
    const moved = tokenOf(await call(client, 'telic_ground_context', next));
    expect(uris).toEqual([uri, `run://${next.run_id}`]);
    await client.unsubscribeResource({ uri: `run://${next.run_id}` });
    await call(client, 'telic_cancel_run', moved);
    expect(uris).toHaveLength(2);
  });

  test.each([
    'run://no-such-run',
    'trace://no-such-run',
    'schema://ProblemFrame',
    'artifact://system/roles/executor-v1',
  ])('is refused for %s', async (uri) => {
    const client = await inside();
    await expect(client.subscribeResource({ uri })).rejects.toMatchObject({ code: -32602 });
  });
});

describe('completion', () => {
  const values = async (
    client: Client,
    ref: { type: 'ref/resource'; uri: string } | { type: 'ref/prompt'; name: string },
    name: string,
    value: string,
    known?: Record<string, string>,
  ) =>
    (await client.complete({ ref, argument: { name, value }, ...(known && { context: { arguments: known } }) }))
      .completion;

  test('knows the modes of the prompt, the runs, their artifacts, the types and the texts', async () => {
    const client = await connected();
    const prompt = { type: 'ref/prompt', name: 'telic_workflow' } as const;
    expect(await values(client, prompt, 'mode', '')).toEqual({ values: [...intentModes], total: 5, hasMore: false });
    expect((await values(client, prompt, 'mode', 'analyze')).values).toEqual(['analyze_only', 'analyze_and_fix']);
    expect((await values(client, prompt, 'original_request', 'a')).values).toEqual([]);

    const { run_id } = await grounded(client);
    for (const uri of ['run://{runId}', 'trace://{runId}{?after_sequence}', 'artifact://{runId}/{artifactId}']) {
      const ref = { type: 'ref/resource', uri } as const;
      expect((await values(client, ref, 'runId', run_id.slice(0, 3))).values).toEqual([run_id]);
      expect((await values(client, ref, 'runId', 'z')).values).toEqual([]);
    }
    const artifact = { type: 'ref/resource', uri: 'artifact://{runId}/{artifactId}' } as const;
    const { artifacts } = Run.parse(await call(client, 'telic_get_run', { run_id }));
    const ids = artifacts.map(({ id }) => id);
    expect((await values(client, artifact, 'artifactId', '', { runId: run_id })).values).toEqual(ids);
    expect((await values(client, artifact, 'artifactId', '', { runId: 'none' })).values).toEqual([]);
    expect((await values(client, artifact, 'artifactId', '')).values).toEqual([]);
    const schema = { type: 'ref/resource', uri: 'schema://{type}' } as const;
    expect((await values(client, schema, 'type', 'Work')).values).toEqual(['WorkPlan', 'WorkResult']);
    const role = { type: 'ref/resource', uri: 'artifact://system/roles/{name}' } as const;
    expect((await values(client, role, 'name', 'exec')).values).toEqual(['executor-v1']);
    const rubric = { type: 'ref/resource', uri: 'artifact://system/rubrics/{name}' } as const;
    expect((await values(client, rubric, 'name', '')).values).toEqual([
      'contract-readiness-v1',
      'execution-quality-v1',
    ]);
  });

  test('gives at most 100 values and says that there are more', async () => {
    const client = await inside();
    for (let run = 0; run < 103; run += 1) await call(client, 'telic_start_run', request);
    const ref = { type: 'ref/resource', uri: 'run://{runId}' } as const;
    const { values: ids, hasMore, total } = await values(client, ref, 'runId', '');
    expect(ids).toHaveLength(100);
    expect(hasMore).toBe(true);
    expect(total).toBeUndefined();
  });

  test('of what does not exist is refused', async () => {
    const client = await inside();
    const wrong = [
      [{ type: 'ref/prompt', name: 'other' }, 'mode'],
      [{ type: 'ref/prompt', name: 'telic_workflow' }, 'toString'],
      [{ type: 'ref/resource', uri: 'run://{id}' }, 'id'],
      [{ type: 'ref/resource', uri: 'run://{runId}' }, 'id'],
    ] as const;
    for (const [ref, name] of wrong)
      await expect(values(client, ref, name, '')).rejects.toMatchObject({ code: -32602 });
  });
});

describe('the links beside an answer', () => {
  const linked = async (client: Client) => {
    const started = tokenOf((await resultOf(client, 'telic_start_run', request)).structuredContent);
    return (await resultOf(client, 'telic_ground_context', started)).content.slice(1);
  };

  test('lead to what a grounding stored, the manifest first, and each can be read', async () => {
    const client = await inside();
    const links = await linked(client);
    expect(links.map((link) => 'title' in link && link.title)).toEqual([
      'ContextManifest',
      expect.stringMatching(/^ContextDocument repo:/),
      expect.stringMatching(/^ContextDocument repo:/),
    ]);
    for (const link of links) {
      if (link.type !== 'resource_link') throw new Error('only links follow the text');
      const [type, ref] = (link.title ?? '').split(' ');
      const artifact = JSON.parse((await read(client, link.uri)).text);
      expect(artifact).toMatchObject({ id: link.name, type });
      expect(artifact.body.repositoryRef).toBe(ref);
    }
  });

  test('are left out where nothing was stored, and after a refusal', async () => {
    const client = await inside();
    const args = await readyToAsk(client);
    expect((await resultOf(client, 'telic_get_run', { run_id: args.run_id })).content).toHaveLength(1);
    const wrong = { ...args, body: { ...args.body, question: '' } };
    expect((await resultOf(client, 'telic_submit_artifact', wrong)).content).toHaveLength(1);
    expect((await resultOf(client, 'telic_submit_artifact', args)).content).toHaveLength(2);
  });

  test.each(['codex-mcp-client', 'qwen-cli-mcp-client-telic', '@cline/core'])(
    'are kept from %s, which shows little or counts them',
    async (name) => {
      expect(await linked(await inside({ name }))).toEqual([]);
    },
  );

  test('are kept from a host whose budget is set below the usual one', async () => {
    expect(await linked(await connected({ env: { TELIC_ANSWER_BUDGET: '12000' } }))).toEqual([]);
  });

  test('are kept from a protocol version that has none', async () => {
    const server = startServer();
    await server.initialize('2025-03-26');
    const token = tokenOf(await server.call('telic_start_run', request));
    const { result } = await server.request('tools/call', { name: 'telic_ground_context', arguments: token });
    expect(result?.content).toHaveLength(1);
  });
});

describe('a request without what it needs', () => {
  test.each([
    'tools/call',
    'prompts/get',
    'resources/read',
    'resources/subscribe',
    'resources/unsubscribe',
    'completion/complete',
  ])('%s is answered with -32602', async (method) => {
    const server = startServer({ state: join(temporary('state'), 'state') });
    await server.initialize();
    for (const params of [undefined, {}, { name: 7, uri: 7, ref: 7 }]) {
      const { error } = await server.request(method, params);
      expect(error?.code).toBe(-32602);
      expect(error?.message).not.toMatch(/\[|\{|MCP error/);
    }
  });
});
