import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { z } from 'zod';

const Message = z.looseObject({
  method: z.string().optional(),
  params: z
    .looseObject({ name: z.string().optional(), arguments: z.record(z.string(), z.unknown()).optional() })
    .optional(),
});

/** A request as the proxy saw it. */
export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  /** The body as JSON-RPC; nothing in it for requests without one. */
  readonly message: z.infer<typeof Message>;
  /** What tells the request from another, tried again or not: all of its message but the id. */
  readonly key: string;
}

export interface Reply {
  readonly status?: number;
  /** The result of a call, or its error, in place of a body. */
  readonly result?: object;
  readonly error?: object;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/**
 * What becomes of a request: it passes, its connection breaks before the host sees it or after the host has answered,
 * it is never answered, or the proxy answers itself.
 */
export type Fate = 'pass' | 'break before' | 'break after' | 'hang' | Reply;

export interface Between {
  readonly address: string;
  readonly seen: readonly Seen[];
  /** The calls of one tool that were seen. */
  calls(tool: string): readonly Seen[];
  /** Resolves when the client has closed a request that was hanging or held. */
  readonly given: Promise<void>;
}

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces).toString('utf8');
};

const seenIn = (request: IncomingMessage, body: string): Seen => {
  const message = Message.parse(body === '' ? {} : JSON.parse(body));
  const { id: _, ...rest } = message;
  const { method = '', url = '', headers } = request;
  return { method, path: url, headers, message, key: `${method} ${url} ${JSON.stringify(rest)}` };
};

const idIn = (body: string): unknown => z.looseObject({ id: z.unknown() }).parse(JSON.parse(body)).id;

const forwarded = ['authorization', 'content-type', 'accept', 'mcp-session-id', 'mcp-protocol-version'];

/** A real HTTP server between a client and a host; its rule says what becomes of each request. */
export const proxyTo = async (host: string, rule: (seen: Seen) => Fate = () => 'pass'): Promise<Between> => {
  const seen: Seen[] = [];
  let give = (): void => {};
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });

  const relay = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const closed = new AbortController();
    response.once('close', () => {
      if (response.writableFinished) return;
      closed.abort();
      give();
    });
    const body = await bodyOf(request);
    const one = seenIn(request, body);
    seen.push(one);
    const fate = rule(one);
    if (fate === 'hang') return;
    if (fate === 'break before') return void request.socket.destroy();
    if (typeof fate === 'object') {
      const { status = 200, headers, body: text, ...said } = fate;
      const answer = JSON.stringify({ jsonrpc: '2.0', id: idIn(body), ...said });
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text ?? answer);
      return;
    }
    const headers = Object.fromEntries(
      forwarded.flatMap((name) => (typeof request.headers[name] === 'string' ? [[name, request.headers[name]]] : [])),
    );
    const init = { method: one.method, headers, signal: closed.signal, ...(body !== '' && { body }) };
    const answer = await fetch(`${host}${one.path}`, init);
    const text = Buffer.from(await answer.arrayBuffer());
    if (fate === 'break after') return void request.socket.destroy();
    const { 'content-length': _, 'transfer-encoding': __, ...kept } = Object.fromEntries(answer.headers);
    response.writeHead(answer.status, kept).end(text);
  };

  const server = createServer((request, response) => {
    relay(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}`,
    seen,
    calls: (tool) => seen.filter(({ message }) => message.method === 'tools/call' && message.params?.name === tool),
    given,
  };
};
