import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http';

/** What came back over HTTP, as it stands on the wire. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface Sent {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Buffer;
  readonly signal?: AbortSignal;
  /** The address to connect to. */
  readonly connect?: string;
}

/** One request with any header that HTTP can carry, Host and Origin too. */
export const sendRaw = (port: number, sent: Sent): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const { method = 'POST', path = '/w/home/mcp', headers = {}, body, signal, connect = '127.0.0.1' } = sent;
    // Node's own client sends the body of some methods without saying how long it is.
    const framed = 'transfer-encoding' in headers ? {} : { 'content-length': Buffer.byteLength(body ?? '') };
    const outgoing = request({
      host: connect,
      port,
      method,
      path,
      headers: { ...framed, ...headers },
      agent: false,
      ...(signal && { signal }),
    });
    outgoing.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (piece: string) => {
        text += piece;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
      response.on('error', reject);
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });

/** The headers that a client of MCP sends. */
export const mcpHeaders = (token: string): OutgoingHttpHeaders => ({
  authorization: `Bearer ${token}`,
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
});

/** A call of a tool as one JSON text. */
export const callBody = (id: string | number, name: string, args: unknown, meta?: object): string =>
  JSON.stringify({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name, arguments: args, ...(meta && { _meta: { 'so.tilo.mcp': meta } }) },
  });
