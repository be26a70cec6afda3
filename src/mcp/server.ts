import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  type CallToolResult,
  LATEST_PROTOCOL_VERSION,
  ListPromptsRequestSchema,
  ListToolsRequestSchema,
  type ServerNotification,
  type ServerRequest,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { found } from '../../schemas/found.ts';
import { CallRequest } from '../../schemas/tools/callRequest.ts';
import type { Controller } from '../controller/api.ts';
import type { ArtifactMeta } from '../ledger/ledger.ts';
import type { Called, CallOptions } from './callTool.ts';
import { formClients } from './elicitation/formClient.ts';
import { failureOf } from './failures.ts';
import { type Budget, budgetOf } from './fit/budget.ts';
import { description, instructions } from './instructions.ts';
import { listedTools } from './listedTools.ts';
import { teachLostLists } from './lostLists.ts';
import { createMoves, type Moves } from './moves.ts';
import { type Answer, presentFailure } from './present.ts';
import { progressOf } from './progress.ts';
import { paramsOf, wrongParams } from './protocolError.ts';
import type { Report } from './report.ts';
import { linksFit, linksTo } from './resources/links.ts';
import { serveResources } from './resources/serveResources.ts';
import { isToolName } from './tools.ts';
import { renderWorkflow, workflowPrompt } from './workflowPrompt.ts';
import { ZodValidator } from './zodValidator.ts';

/** What a surface stands on. */
export interface SurfacePorts {
  /** The version of the product. */
  readonly version: string;
  /** Opened at the first call that needs it; throws what the tools then say (state, repository). */
  readonly controller: () => Promise<Controller>;
  readonly report: Report;
  /** How long an answer may be, whoever asks; else the client's name tells it (guidance section 7). */
  readonly budget?: Budget | null;
  /** What this process moves; without it nobody tells of runs that move. */
  readonly moves?: Moves;
  /** Milliseconds after which a call is ended. */
  readonly longestCall?: number;
  /** Told of every error that a call ended with, before it becomes an answer. */
  readonly onError?: (error: unknown) => void;
}

/** One session of the protocol: a server to connect, and when its running calls are over. */
export interface Surface {
  readonly connect: (transport: Transport) => Promise<void>;
  /** Ends the session; the signals of running calls are aborted. */
  readonly close: () => Promise<void>;
  /** Settles when no call is running. */
  readonly settled: () => Promise<void>;
}

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

const GetPrompt = z.object({ method: z.literal('prompts/get'), params: z.unknown().optional() });
const PromptParams = z.looseObject({ name: z.string(), arguments: z.record(z.string(), z.unknown()).nullish() });
const Initialize = z.object({
  method: z.literal('initialize'),
  params: z.looseObject({ protocolVersion: z.string() }),
});

/** Structured content came with this version; an older client gets the text alone (decisions 9). */
const firstWithStructure = '2025-06-18';

/** One answer as the host gets it, after it was fitted to what this host shows. Links came with the structure. */
const resultOf = (answer: Answer, structured: boolean, linked: readonly ArtifactMeta[]): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(answer) }, ...(structured ? linksTo(linked) : [])],
  ...(structured && { structuredContent: { ...answer } }),
  ...(!answer.ok && { isError: true }),
});

/** Hosts give a call up at 60 s; one that is still running then would be retried beside itself (hosts requirement 7). */
const longestCallOfAll = 45_000;

const progressFor = (extra: Extra, report: Report): Pick<CallOptions, 'onProgress'> => {
  const progressToken = extra._meta?.progressToken;
  if (progressToken === undefined) return {};
  const send = progressOf(
    (progress) => {
      extra
        .sendNotification({ method: 'notifications/progress', params: { progressToken, ...progress } })
        .catch((error: unknown) => report(`a progress notification was not sent: ${String(error)}`));
    },
    () => performance.now(),
  );
  return { onProgress: send };
};

/**
 * The MCP surface of one session: eleven tools, one prompt and the resources over any transport. The SDK's low-level server with our
 * own handlers, because its high-level one publishes draft-07 and answers wrong arguments itself (mcp-surface section 9).
 */
export const createSurface = ({
  version,
  controller,
  report,
  budget = null,
  moves = createMoves(),
  longestCall = longestCallOfAll,
  onError = () => {},
}: SurfacePorts): Surface => {
  const server = new Server(
    { name: 'telic', title: 'Telic', version, description },
    {
      capabilities: {
        tools: { listChanged: true },
        prompts: { listChanged: true },
        resources: { subscribe: true },
        completions: {},
      },
      instructions,
      jsonSchemaValidator: new ZodValidator(),
    },
  );
  const running = new Set<Promise<Called>>();
  let protocolVersion = LATEST_PROTOCOL_VERSION;

  const formClient = formClients(server, longestCall);

  const answer = async (name: string, sent: unknown, extra: Extra): Promise<Called> => {
    if (!isToolName(name)) throw wrongParams(`Telic has no tool ${found(name)}; tools/list names its tools.`);
    try {
      const { callTool } = await import('./callTool.ts');
      const signal = AbortSignal.any([extra.signal, AbortSignal.timeout(longestCall)]);
      const client = formClient(extra.requestId, protocolVersion);
      const ask = client && { client, moves, signal, report };
      return await callTool(name, sent, controller, { ...progressFor(extra, report), signal, ask });
    } catch (error) {
      // The answer to a cancelled call is never sent, so its abortion is no fault to report.
      const silent: Report = extra.signal.aborted ? () => {} : report;
      onError(error);
      return { answer: presentFailure(teachLostLists(failureOf(error, silent), sent)), stored: [] };
    }
  };

  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: listedTools() }));
  server.setRequestHandler(CallRequest, async ({ params }, extra) => {
    const call = answer(params.name, params.arguments.sent, extra);
    running.add(call);
    try {
      const { answer: answered, stored } = await call;
      const { fitAnswer } = await import('./fit/fitAnswer.ts');
      const asked = { tool: params.name, arguments: params.arguments.sent };
      const room = budget ?? budgetOf(server.getClientVersion()?.name);
      const structured = protocolVersion >= firstWithStructure;
      return resultOf(fitAnswer(answered, asked, room), structured, linksFit(room) ? stored : []);
    } finally {
      running.delete(call);
    }
  });
  server.setRequestHandler(ListPromptsRequestSchema, () => ({ prompts: [{ ...workflowPrompt }] }));
  server.setRequestHandler(GetPrompt, ({ params }) => {
    const asked = paramsOf('prompts/get', PromptParams, params);
    if (asked.name !== workflowPrompt.name)
      throw wrongParams(`Telic has no prompt ${found(asked.name)}; its one prompt is ${workflowPrompt.name}.`);
    const { description: told, text } = renderWorkflow(asked.arguments ?? {});
    return { description: told, messages: [{ role: 'user', content: { type: 'text', text } }] };
  });
  const endSubscriptions = serveResources(server, { controller, moves, report, onError });
  // Its messages may end with the whole message that was wrong.
  server.onerror = (error) => report(`protocol: ${error.message.replace(/\{.*/s, '…')}`);

  return {
    connect: async (transport) => {
      // The SDK keeps the negotiated version to itself; it calls this before it handles a message.
      transport.onmessage = (message) => {
        const asked = Initialize.safeParse(message);
        if (!asked.success) return;
        const { protocolVersion: wanted } = asked.data.params;
        protocolVersion = SUPPORTED_PROTOCOL_VERSIONS.includes(wanted) ? wanted : LATEST_PROTOCOL_VERSION;
      };
      await server.connect(transport);
    },
    close: () => {
      endSubscriptions();
      return server.close();
    },
    settled: async () => {
      await Promise.allSettled(running);
    },
  };
};
