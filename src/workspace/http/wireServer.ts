import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { type CallToolResult, ErrorCode, ListToolsRequestSchema, McpError } from '@modelcontextprotocol/sdk/types.js';
import type { jsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/types.js';
import { z } from 'zod';
import { listedWireTools } from '../tools/listed.ts';
import { wireInstructions } from '../tools/table.ts';
import type { SentCall } from './callTool.ts';

/**
 * `arguments` travels in a box of its own, so that the SDK's check of the request cannot answer in our place: whatever a
 * client sends there is refused as the call that it is.
 */
const CallTool = z.object({
  method: z.literal('tools/call'),
  params: z
    .looseObject({ name: z.unknown().optional(), arguments: z.unknown().optional() })
    .optional()
    .transform(({ name, arguments: sent, ...rest } = {}) => ({
      ...rest,
      // No tool has this name: the answer is that of any tool that is not there.
      name: typeof name === 'string' ? name : '',
      arguments: { sent },
    })),
});

/** Nothing here shows forms, so nothing is ever judged by a client's schema; the SDK would load Ajv for it. */
const noForms: jsonSchemaValidator = {
  getValidator: () => {
    throw new Error('No form is shown over this door.');
  },
};

export interface WireServerPorts {
  readonly version: string;
  readonly call: (sent: SentCall) => Promise<CallToolResult>;
  /** Takes a fault; gives the number under which the log has it. */
  readonly incident: (error: unknown) => string;
}

/** The MCP server of one POST (workspace-wire F5): the list of tools, and one call. */
export const createWireServer = ({ version, call, incident }: WireServerPorts): Server => {
  const server = new Server(
    { name: 'telic', title: 'Telic workspaces', version },
    { capabilities: { tools: {} }, instructions: wireInstructions, jsonSchemaValidator: noForms },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: listedWireTools() }));
  server.setRequestHandler(CallTool, async ({ params }, extra) => {
    try {
      return await call({ name: params.name, arguments: params.arguments.sent, meta: extra._meta });
    } catch (error) {
      throw new McpError(ErrorCode.InternalError, `The host met a fault of its own (incident ${incident(error)}).`);
    }
  });
  return server;
};
