import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { WireTool } from '../../../schemas/wire/vocabulary.ts';
import { type Connection, groupOf } from '../caller.ts';
import type { Host } from '../host.ts';
import { parseCallMeta } from '../tools/callMeta.ts';
import { malformedCall, unknownTool } from '../tools/malformed.ts';
import { parseWireArguments } from '../tools/parseArguments.ts';
import { reply } from '../tools/reply.ts';
import { workspacesOf } from './workspacesOf.ts';

/** What a client sent in `params` of one `tools/call`. */
export interface SentCall {
  readonly name: string;
  readonly arguments: unknown;
  readonly meta: unknown;
}

export type CallHost = Pick<Host, 'call' | 'registry' | 'roster'>;

const run = async <T extends WireTool>(
  host: CallHost,
  connection: Connection,
  tool: T,
  sent: SentCall,
  signal: AbortSignal,
): Promise<CallToolResult> => {
  const args = parseWireArguments(tool, sent.arguments);
  const meta = parseCallMeta(sent.meta);
  if (!args.ok || !meta.ok)
    return malformedCall(tool, [...(args.ok ? [] : args.problems), ...(meta.ok ? [] : meta.problems)]);
  // Made before `structured` is looked at, and without it: one read feeds both kinds of answer (workspace-wire 3.1).
  const caller = { connection, group: groupOf(connection.id, meta.value), signal };
  const here = workspacesOf(host.registry, connection, args.value).map((name) => host.roster.called(caller, name));
  try {
    return reply(tool, await host.call(tool, args.value, caller), meta.value.structured === true);
  } finally {
    for (const end of here) end();
  }
};

/** One call of a tool as a client sent it: parsed, run by the host, rendered. Malformed calls are answers, too (F2). */
export const callTool = async (
  host: CallHost,
  connection: Connection,
  sent: SentCall,
  signal: AbortSignal,
): Promise<CallToolResult> => {
  const tool = WireTool.safeParse(sent.name);
  return tool.success ? run(host, connection, tool.data, sent, signal) : unknownTool(sent.name);
};
