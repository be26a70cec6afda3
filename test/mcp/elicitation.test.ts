import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import {
  ElicitationCompleteNotificationSchema,
  type ElicitRequest,
  ElicitRequestSchema,
  type ElicitResult,
  ErrorCode,
  McpError,
} from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createSurface } from '../../src/mcp/server.ts';
import { workbench } from '../controller/bench.ts';
import { answerIn, choices, question, readyToAsk } from './question.ts';
import { repository, startServer, temporary, tokenOf } from './rawServer.ts';
import { call, connected, inside, pair, resultOf } from './sdkClient.ts';

type Respond = (asked: ElicitRequest, signal: AbortSignal) => Promise<ElicitResult> | ElicitResult;

const forms = { elicitation: { form: {} } };
const shows = (respond: Respond) => (client: Client) =>
  client.setRequestHandler(ElicitRequestSchema, (asked, { signal }) => respond(asked, signal));

/** Something that happens once, and who waits for it. */
const event = (): Readonly<{ promise: Promise<void>; resolve: () => void }> => {
  let resolve = (): void => {};
  const promise = new Promise<void>((happened) => {
    resolve = happened;
  });
  return { promise, resolve: () => resolve() };
};

const waiting = {
  ok: true,
  run: { status: 'awaiting_clarification', version: 3 },
  nextAction: { kind: 'clarification' },
};

describe('a question whose client shows forms', () => {
  test('is answered in the call that asked it, and the answer is that of the moved run', async () => {
    const seen: ElicitRequest[] = [];
    const client = await connected(
      { capabilities: forms },
      shows((asked) => {
        seen.push(asked);
        return { action: 'accept', content: { choice: 'narrow' } };
      }),
    );
    const args = await readyToAsk(client);
    const { structuredContent, content } = await resultOf(client, 'telic_submit_artifact', args);
    expect(structuredContent).toMatchObject({
      ok: true,
      run: { status: 'running', phase: 'agent_1_frame', version: 4 },
      nextAction: { kind: 'phase', requiredOutputType: 'ProblemFrame' },
    });
    expect(Object.keys(structuredContent ?? {})).toEqual(['ok', 'next', 'run', 'nextAction']);
    const [, ...links] = content;
    expect(links.map(({ title }) => title)).toEqual(['ClarificationRequest', 'UserMessage']);
    expect(seen).toHaveLength(1);
    expect(seen[0]?.params).toMatchObject({
      message: `${question}\n\n- Only the app: ${choices[0].consequence}\n- Stop: ${choices[1].consequence}`,
      requestedSchema: {
        type: 'object',
        properties: {
          choice: { type: 'string', oneOf: choices.map(({ id, label }) => ({ const: id, title: label })) },
        },
        required: ['choice'],
      },
    });
    expect(await answerIn(client, args.run_id)).toEqual([
      { actor: 'user', rationaleSummary: 'Choice `narrow`, answered through the client.' },
    ]);
  });

  test('ends the run when the user chooses so', async () => {
    const client = await inside(
      { capabilities: forms },
      shows(() => ({ action: 'accept', content: { choice: 'stop' } })),
    );
    const answer = await call(client, 'telic_submit_artifact', await readyToAsk(client));
    expect(answer).toMatchObject({ run: { status: 'cancelled' }, nextAction: { kind: 'terminal' } });
  });

  test('is shown to a client that declares elicitation without saying which kind', async () => {
    const client = await inside(
      { capabilities: { elicitation: {} } },
      shows(() => ({ action: 'accept', content: { choice: 'narrow' } })),
    );
    expect(await call(client, 'telic_submit_artifact', await readyToAsk(client))).toMatchObject({
      run: { version: 4 },
    });
  });

  const unanswered: readonly (readonly [string, Respond])[] = [
    ['declines', () => ({ action: 'decline' })],
    ['cancels', () => ({ action: 'cancel' })],
    ['declines with a choice filled in', () => ({ action: 'decline', content: { choice: 'stop' } })],
    ['accepts without a choice', () => ({ action: 'accept' })],
    ['accepts an empty form', () => ({ action: 'accept', content: {} })],
    ['sends a value that is no choice', () => ({ action: 'accept', content: { choice: 'everything' } })],
    ['sends the label instead of the id', () => ({ action: 'accept', content: { choice: 'Stop' } })],
    [
      'fails',
      () => {
        throw new McpError(ErrorCode.InternalError, 'The form did not open.');
      },
    ],
  ];
  test.each(unanswered)(
    'leaves the run waiting when the client %s; the host then relays the choice',
    async (_, respond) => {
      const client = await inside({ capabilities: forms }, shows(respond));
      const args = await readyToAsk(client);
      const answer = await call(client, 'telic_submit_artifact', args);
      expect(answer).toMatchObject(waiting);
      expect(answer.next).toContain('question-01');
      expect(await answerIn(client, args.run_id)).toEqual([]);
      const relayed = { ...tokenOf(answer), clarification_response: 'narrow' };
      expect(await call(client, 'telic_submit_artifact', relayed)).toMatchObject({ run: { version: 4 } });
      expect(await answerIn(client, args.run_id)).toEqual([
        { actor: 'user', rationaleSummary: 'Choice `narrow`, relayed by the host.' },
      ]);
    },
  );

  test('is withdrawn when the host answers meanwhile, and the call tells where the run stands', async () => {
    const shown = event();
    const withdrawn = event();
    const client = await connected(
      { capabilities: forms },
      shows((_, signal) => {
        shown.resolve();
        signal.addEventListener('abort', () => withdrawn.resolve());
        return new Promise(() => {});
      }),
    );
    const args = await readyToAsk(client);
    const asking = call(client, 'telic_submit_artifact', args);
    await shown.promise;
    const { run_id } = args;
    const now = tokenOf(await call(client, 'telic_get_run', { run_id }));
    await call(client, 'telic_submit_artifact', { ...now, clarification_response: 'narrow' });
    await withdrawn.promise;
    expect(await asking).toMatchObject({
      ok: true,
      run: { version: 4, status: 'running' },
      nextAction: { kind: 'phase' },
    });
    expect(await answerIn(client, run_id)).toEqual([
      { actor: 'user', rationaleSummary: 'Choice `narrow`, relayed by the host.' },
    ]);
  });

  test('that another process answered first keeps that answer', async () => {
    const place = { root: repository(), state: `${temporary('state')}/state` };
    const other = await connected(place);
    const client = await connected(
      { ...place, capabilities: forms },
      shows(async ({ params }) => {
        expect(params.message).toContain('meant');
        const { runs } = await call(other, 'telic_list_runs');
        const [{ runId = '' } = {}] = JSON.parse(JSON.stringify(runs));
        const now = tokenOf(await call(other, 'telic_get_run', { run_id: runId }));
        await call(other, 'telic_submit_artifact', { ...now, clarification_response: 'stop' });
        return { action: 'accept', content: { choice: 'narrow' } };
      }),
    );
    const args = await readyToAsk(client);
    const answer = await call(client, 'telic_submit_artifact', args);
    expect(answer).toMatchObject({
      ok: true,
      run: { status: 'cancelled', version: 4 },
      nextAction: { kind: 'terminal' },
    });
    expect(await answerIn(other, args.run_id)).toEqual([
      { actor: 'user', rationaleSummary: 'Choice `stop`, relayed by the host.' },
    ]);
  });

  test('carries no character that a terminal would obey', async () => {
    const messages: string[] = [];
    const client = await inside(
      { capabilities: forms },
      shows(({ params }) => {
        messages.push(params.message);
        return { action: 'decline' };
      }),
    );
    await call(client, 'telic_submit_artifact', await readyToAsk(client, 'Which\u001b[31m one?\nThis\u0007?'));
    expect(messages[0]?.split('\n\n')[0]).toBe('Which [31m one?\nThis ?');
  });

  test('is asked once: the same submission again is told that it was accepted', async () => {
    let times = 0;
    const client = await inside(
      { capabilities: forms },
      shows(() => {
        times += 1;
        return { action: 'decline' };
      }),
    );
    const args = await readyToAsk(client);
    await call(client, 'telic_submit_artifact', args);
    expect(await call(client, 'telic_submit_artifact', args)).toMatchObject({
      code: 'stale_version',
      already_accepted: { version: 3 },
    });
    expect(times).toBe(1);
  });
});

describe('the wait for the user', () => {
  test('ends with the longest call, and the form is withdrawn', async () => {
    const { controller } = workbench().open();
    const surface = createSurface({
      version: '0',
      controller: async () => controller,
      // Long enough for a grounding on a busy machine.
      longestCall: 3000,
      report: (why) => {
        throw new Error(why);
      },
    });
    const withdrawn = event();
    const client = new Client({ name: 'sdk', version: '1' }, { capabilities: forms });
    client.setRequestHandler(ElicitRequestSchema, (_, { signal }) => {
      signal.addEventListener('abort', () => withdrawn.resolve());
      return new Promise(() => {});
    });
    const [near, far] = pair();
    await surface.connect(far);
    await client.connect(near);
    onTestFinished(async () => {
      await client.close();
      await surface.close();
    });
    expect(await call(client, 'telic_submit_artifact', await readyToAsk(client))).toMatchObject(waiting);
    await withdrawn.promise;
  });

  test('ends with a cancelled call: the run waits, and the server lives', async () => {
    const shown = event();
    const client = await connected(
      { capabilities: forms },
      shows(() => {
        shown.resolve();
        return new Promise(() => {});
      }),
    );
    const args = await readyToAsk(client);
    const stop = new AbortController();
    const asking = client.callTool({ name: 'telic_submit_artifact', arguments: args }, undefined, {
      signal: stop.signal,
    });
    await shown.promise;
    stop.abort();
    await expect(asking).rejects.toThrow();
    expect(await call(client, 'telic_get_run', { run_id: args.run_id })).toMatchObject(waiting);
  });
});

describe('a question whose client shows no forms', () => {
  test.each([
    ['declares nothing', {}],
    ['opens addresses alone', { elicitation: { url: {} } }],
  ])('waits for the host when it %s', async (_, capabilities) => {
    const client = await inside({ capabilities }, (one) => {
      one.fallbackRequestHandler = async ({ method }) => {
        throw new Error(`Nobody asked for ${method}.`);
      };
      one.setNotificationHandler(ElicitationCompleteNotificationSchema, () => {
        throw new Error('There was no form.');
      });
    });
    expect(await call(client, 'telic_submit_artifact', await readyToAsk(client))).toMatchObject(waiting);
  });
});

describe('the form by hand', () => {
  test.each([
    ['2025-06-18', { enum: ['narrow', 'stop'], enumNames: ['Only the app', 'Stop'] }],
    ['2025-11-25', { oneOf: [{ const: 'narrow' }, { const: 'stop' }] }],
  ])('has the kind of list that %s knows', async (protocolVersion, list) => {
    const server = startServer();
    await server.request('initialize', {
      protocolVersion,
      capabilities: { elicitation: {} },
      clientInfo: { name: 'raw', version: '1' },
    });
    server.notify('notifications/initialized');
    const started = tokenOf(await server.call('telic_start_run', { original_request: 'Plan it.', mode: 'plan_only' }));
    const grounded = await server.call('telic_ground_context', started);
    const { nextAction } = JSON.parse(JSON.stringify(grounded));
    const { askedIn } = await import('./question.ts');
    const asking = server.call('telic_submit_artifact', askedIn(tokenOf(grounded), nextAction.inputRefs));
    const isForm = ({ method }: { method?: string | undefined }): boolean => method === 'elicitation/create';
    await server.until(() => server.messages.some(isForm));
    const form = server.messages.find(isForm);
    expect(form?.params).toMatchObject({ requestedSchema: { properties: { choice: list } } });
    server.sendLine(
      JSON.stringify({ jsonrpc: '2.0', id: form?.id, result: { action: 'accept', content: { choice: 'narrow' } } }),
    );
    expect(await asking).toMatchObject({ ok: true, run: { version: 4 } });
  });
});
