import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  type InitializeRequest,
  isInitializeRequest,
  isJSONRPCRequest,
  type JSONRPCMessage,
} from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { Connection, Token } from '../caller.ts';
import { type CallHost, callTool } from './callTool.ts';
import type { HeldCalls, MessageId } from './heldCalls.ts';
import { createWireServer } from './wireServer.ts';

/** One message of a client at one endpoint, after everything that HTTP itself checks. */
export interface Posted {
  readonly token: Token;
  /** The workspace of the endpoint; null at the account's. */
  readonly endpoint: string | null;
  /** Whose call it is; null for the message that opens a session. */
  readonly connection: Connection | null;
  readonly message: unknown;
  /** The headers that the transport judges. */
  readonly headers: Readonly<Record<string, string>>;
  /** Aborted when the call was cancelled or its client is gone. */
  readonly signal: AbortSignal;
}

export interface PostPorts {
  readonly host: CallHost;
  readonly version: string;
  readonly held: HeldCalls;
  /** Keeps a call in view until it has ended, whether somebody still waits for it or not. */
  readonly track: <T>(call: Promise<T>) => Promise<T>;
  readonly incident: (error: unknown) => string;
}

const Cancelled = z.object({
  method: z.literal('notifications/cancelled'),
  params: z.looseObject({ requestId: z.union([z.string(), z.number()]) }),
});

const Named = z.looseObject({ method: z.string() });

/** The JSON-RPC id of a message that calls a tool; null for any other. */
export const toolCallId = (message: unknown): MessageId | null =>
  Named.safeParse(message).data?.method === 'tools/call' && isJSONRPCRequest(message) ? message.id : null;

/** Whether a message opens a session, right or wrong: it needs none, and carries none that counts (T12). */
export const opensSession = (message: unknown): boolean => Named.safeParse(message).data?.method === 'initialize';

/** The longest name of a client that is kept. */
const longestName = 200;

/** What a client is called in history: its title, else its name, else its token's label (workspace-wire 2.4). */
const labelOf = ({ title, name }: InitializeRequest['params']['clientInfo'], token: Token): string =>
  [title, name].map((text) => text?.trim().slice(0, longestName)).find((text) => text) ?? token.label;

const openSession = ({ registry, roster }: CallHost, posted: Posted, params: InitializeRequest['params']): string => {
  const { token, endpoint } = posted;
  const { session, connection } = registry.openSession(token, endpoint, {
    label: labelOf(params.clientInfo, token),
    name: params.clientInfo.name.slice(0, longestName),
    version: params.clientInfo.version.slice(0, longestName),
    protocol: params.protocolVersion,
  });
  // An agent is here from its `initialize` on (workspace-wire 4.7).
  if (endpoint !== null) roster.called({ connection, group: null }, endpoint)();
  return session;
};

const whenAborted = (signal: AbortSignal): Promise<null> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve(null);
    else signal.addEventListener('abort', () => resolve(null), { once: true });
  });

/**
 * Answers one message by a server and transport of its own, since either serves one request only (workspace-wire F5).
 *
 * @returns the answer; null when the signal came first, and nobody is to be told anything
 */
export const answerPost = async (
  { host, version, held, track, incident }: PostPorts,
  posted: Posted,
): Promise<Response | null> => {
  const { connection, message, headers, signal } = posted;
  let session: string | null = null;
  const server = createWireServer({
    version,
    incident,
    call: async (sent) => {
      if (connection === null) throw new Error('A call without a connection.');
      return track(callTool(host, connection, sent, signal));
    },
  });
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  const wire: Transport = transport;
  // Heard after the transport found the request right and before the server answers it.
  wire.onmessage = (received: JSONRPCMessage) => {
    if (isInitializeRequest(received)) session = openSession(host, posted, received.params);
    const cancelled = Cancelled.safeParse(received);
    if (cancelled.success && connection !== null) held.cancel(connection.id, cancelled.data.params.requestId);
  };
  try {
    await server.connect(wire);
    const request = new Request('http://localhost/mcp', { method: 'POST', headers: { ...headers } });
    const answer = await Promise.race([transport.handleRequest(request, { parsedBody: message }), whenAborted(signal)]);
    if (answer !== null && session !== null) answer.headers.set('mcp-session-id', session);
    return answer;
  } finally {
    await server.close();
  }
};
