import { setTimeout as sleep } from 'node:timers/promises';
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';

/** One client of the wire over plain HTTP: what it sends and gets is JSON-RPC as it stands on the wire. */
export interface WireClient {
  /** Sends one JSON-RPC message, later again where the host says so; gives the parsed body of the answer. */
  send(message: object): Promise<unknown>;
  /** Calls a tool and gives its result. */
  call(name: string, args: object, meta?: object): Promise<z.infer<typeof CallToolResultSchema>>;
  /** The same, typed: gives `structuredContent`. */
  typed(name: string, args: object, meta?: object): Promise<Record<string, unknown>>;
  readonly session: string;
}

export interface Endpoint {
  /** The address of the host. */
  readonly address: string;
  /** `/mcp` or `/w/home/mcp`. */
  readonly path: string;
  readonly token: string;
}

const headersFor = ({ token }: Endpoint, session: string | null): Record<string, string> => ({
  authorization: `Bearer ${token}`,
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  ...(session !== null && { 'mcp-session-id': session }),
});

/** Posts one message; gives the response as it came. */
export const post = (endpoint: Endpoint, message: object, session: string | null = null): Promise<Response> =>
  fetch(`${endpoint.address}${endpoint.path}`, {
    method: 'POST',
    headers: headersFor(endpoint, session),
    body: JSON.stringify(message),
  });

const Answered = z.looseObject({ result: CallToolResultSchema });

/** Initializes a session under a name and gives its client. */
export const openClient = async (endpoint: Endpoint, name: string): Promise<WireClient> => {
  const opened = await post(endpoint, {
    jsonrpc: '2.0',
    id: 0,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name, version: '1' } },
  });
  const session = opened.headers.get('mcp-session-id');
  if (!opened.ok || session === null)
    throw new Error(`initialize was answered ${opened.status}: ${await opened.text()}`);
  await opened.text();
  let last = 0;
  const send = async (message: object): Promise<unknown> => {
    const response = await post(endpoint, message, session);
    const text = await response.text();
    const later = response.status === 429 ? Number(response.headers.get('retry-after')) : 0;
    if (later > 0) {
      await sleep(later * 1000);
      return send(message);
    }
    if (!response.ok) throw new Error(`HTTP ${response.status}: ${text}`);
    return JSON.parse(text);
  };
  const call: WireClient['call'] = async (tool, args, meta) => {
    last += 1;
    const params = { name: tool, arguments: args, ...(meta && { _meta: { 'so.tilo.mcp': meta } }) };
    return Answered.parse(await send({ jsonrpc: '2.0', id: last, method: 'tools/call', params })).result;
  };
  return {
    session,
    send,
    call,
    typed: async (tool, args, meta) => {
      const { structuredContent } = await call(tool, args, { ...meta, structured: true });
      if (structuredContent === undefined) throw new Error(`${tool} gave no structured content`);
      return structuredContent;
    },
  };
};
