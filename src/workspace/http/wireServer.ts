import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { type CallToolResult, ErrorCode, ListToolsRequestSchema, McpError } from '@modelcontextprotocol/sdk/types.js';
import type { jsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/types.js';
import { CallRequest } from '../../../schemas/tools/callRequest.ts';
import { listedWireTools } from '../tools/listed.ts';
import { wireInstructions } from '../tools/table.ts';
import type { SentCall } from './callTool.ts';

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
  server.setRequestHandler(CallRequest, async ({ params }, extra) => {
    try {
      return await call({ name: params.name, arguments: params.arguments.sent, meta: extra._meta });
    } catch (error) {
      throw new McpError(ErrorCode.InternalError, `The host met a fault of its own (incident ${incident(error)}).`);
    }
  });
  return server;
};
