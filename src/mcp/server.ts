import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  type CallToolResult,
  ErrorCode,
  GetPromptRequestSchema,
  LATEST_PROTOCOL_VERSION,
  ListPromptsRequestSchema,
  ListToolsRequestSchema,
  McpError,
  type ServerNotification,
  type ServerRequest,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { found } from '../../schemas/found.ts';
import type { Controller, GroundOptions } from '../controller/api.ts';
import { failureOf } from './failures.ts';
import { type Budget, budgetOf } from './fit/budget.ts';
import { instructions } from './instructions.ts';
import { listedTools } from './listedTools.ts';
import { teachLostLists } from './lostLists.ts';
import { type Answer, presentFailure } from './present.ts';
import { progressOf } from './progress.ts';
import type { Report } from './report.ts';
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

/**
 * `arguments` travels in a box of its own, so that the SDK's check of the request cannot answer in our place: whatever
 * a host sends there is refused by our own words, in the one failure shape.
 */
const CallTool = z.object({
  method: z.literal('tools/call'),
  params: z
    .looseObject({ name: z.string(), arguments: z.unknown().optional() })
    .transform(({ arguments: sent, ...rest }) => ({
      ...rest,
      arguments: { sent },
    })),
});
const GetPrompt = GetPromptRequestSchema.extend({
  params: z.looseObject({ name: z.string(), arguments: z.record(z.string(), z.unknown()).nullish() }),
});
const Initialize = z.object({
  method: z.literal('initialize'),
  params: z.looseObject({ protocolVersion: z.string() }),
});

/** Structured content came with this version; an older client gets the text alone (decisions 9). */
const firstWithStructure = '2025-06-18';

/** One answer as the host gets it, after it was fitted to what this host shows. */
const resultOf = (answer: Answer, structured: boolean): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(answer) }],
  ...(structured && { structuredContent: { ...answer } }),
  ...(!answer.ok && { isError: true }),
});

/** Hosts give a call up at 60 s; one that is still running then would be retried beside itself (hosts requirement 7). */
const longestCall = 45_000;

const optionsOf = (extra: Extra, report: Report): GroundOptions => {
  const progressToken = extra._meta?.progressToken;
  const signal = AbortSignal.any([extra.signal, AbortSignal.timeout(longestCall)]);
  if (progressToken === undefined) return { signal };
  const send = progressOf(
    (progress) => {
      extra
        .sendNotification({ method: 'notifications/progress', params: { progressToken, ...progress } })
        .catch((error: unknown) => report(`a progress notification was not sent: ${String(error)}`));
    },
    () => performance.now(),
  );
  return { signal, onProgress: send };
};

/**
 * The MCP surface of one session: eleven tools and one prompt over any transport. The SDK's low-level server with our
 * own handlers, because its high-level one publishes draft-07 and answers wrong arguments itself (mcp-surface section 9).
 */
export const createSurface = ({ version, controller, report, budget = null, onError }: SurfacePorts): Surface => {
  const server = new Server(
    { name: 'telic', title: 'Telic', version },
    {
      capabilities: { tools: { listChanged: true }, prompts: { listChanged: true } },
      instructions,
      jsonSchemaValidator: new ZodValidator(),
    },
  );
  const running = new Set<Promise<Answer>>();
  let structured = true;

  const answer = async (name: string, sent: unknown, extra: Extra): Promise<Answer> => {
    if (!isToolName(name))
      throw new McpError(ErrorCode.InvalidParams, `Telic has no tool ${found(name)}; tools/list names its tools.`);
    try {
      const { callTool } = await import('./callTool.ts');
      return await callTool(name, sent, controller, optionsOf(extra, report));
    } catch (error) {
      // The answer to a cancelled call is never sent, so its abortion is no fault to report.
      const silent: Report = extra.signal.aborted ? () => {} : report;
      onError?.(error);
      return presentFailure(teachLostLists(failureOf(error, silent), sent));
    }
  };

  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: listedTools() }));
  server.setRequestHandler(CallTool, async ({ params }, extra) => {
    const call = answer(params.name, params.arguments.sent, extra);
    running.add(call);
    try {
      const answered = await call;
      const { fitAnswer } = await import('./fit/fitAnswer.ts');
      const asked = { tool: params.name, arguments: params.arguments.sent };
      return resultOf(fitAnswer(answered, asked, budget ?? budgetOf(server.getClientVersion()?.name)), structured);
    } finally {
      running.delete(call);
    }
  });
  server.setRequestHandler(ListPromptsRequestSchema, () => ({ prompts: [{ ...workflowPrompt }] }));
  server.setRequestHandler(GetPrompt, ({ params }) => {
    if (params.name !== workflowPrompt.name)
      throw new McpError(
        ErrorCode.InvalidParams,
        `Telic has no prompt ${found(params.name)}; its one prompt is ${workflowPrompt.name}.`,
      );
    const { description, text } = renderWorkflow(params.arguments ?? {});
    return { description, messages: [{ role: 'user', content: { type: 'text', text } }] };
  });
  // Its messages may end with the whole message that was wrong.
  server.onerror = (error) => report(`protocol: ${error.message.replace(/\{.*/s, '…')}`);

  return {
    connect: async (transport) => {
      // The SDK keeps the negotiated version to itself; it calls this before it handles a message.
      transport.onmessage = (message) => {
        const asked = Initialize.safeParse(message);
        if (!asked.success) return;
        const { protocolVersion } = asked.data.params;
        const known = SUPPORTED_PROTOCOL_VERSIONS.includes(protocolVersion);
        structured = (known ? protocolVersion : LATEST_PROTOCOL_VERSION) >= firstWithStructure;
      };
      await server.connect(transport);
    },
    close: () => server.close(),
    settled: async () => {
      await Promise.allSettled(running);
    },
  };
};
