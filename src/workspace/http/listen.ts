import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { notReady, refusalBody, sendRefusal, unreadableRequest } from './refusal.ts';

/** Sockets that are listened on; what comes before something is attached is told to come again. */
export interface Listening {
  readonly port: number;
  attach(listener: RequestListener): void;
  /** Stops listening; idle connections are closed, others when their answer is written, at the latest after the grace. */
  close(graceMs: number): Promise<void>;
}

const loopback = '127.0.0.1';

const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;

const opened = async (server: Server, host: string, port: number): Promise<number> => {
  server.listen({ host, port, ipv6Only: host === '::1' });
  await once(server, 'listening');
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === 'string') throw new Error('The socket has no port.');
  return address.port;
};

const statuses: Readonly<Record<string, readonly [status: number, reason: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout'],
};

/** Answers what is no HTTP request, or took too long to become one, in the shape of every other refusal. */
const refuseUnread = (error: Error, socket: Duplex): void => {
  // After an answer, or a part of one, nothing that is written now would be read as a new one.
  if (!(socket instanceof Socket) || !socket.writable || socket.bytesWritten > 0) {
    socket.destroy();
    return;
  }
  const [status, reason] = statuses[codeOf(error) ?? ''] ?? [400, 'Bad Request'];
  const body = refusalBody(unreadableRequest(status));
  socket.end(
    `HTTP/1.1 ${status} ${reason}\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
};

/** Whether the machine simply has no such address. */
const isAbsent = (error: unknown): boolean => ['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EINVAL'].includes(codeOf(error) ?? '');

/**
 * Listens on one address; by default on 127.0.0.1, and on ::1 with the same port where the machine has it.
 *
 * @param bind an address, or null for the default
 * @param port 0 for a free one
 * @param report told when ::1 cannot be listened on although it is there
 * @throws what Node throws for a port that is taken or an address that is not there
 */
export const listen = async (bind: string | null, port: number, report: (line: string) => void): Promise<Listening> => {
  let current: RequestListener = (_request, response) => sendRefusal(response, notReady);
  // A request without a Host is refused by the door, like one with a foreign one.
  const server = (): Server =>
    createServer({ requireHostHeader: false }, (request, response) => current(request, response)).on(
      'clientError',
      refuseUnread,
    );
  const first = server();
  const bound = await opened(first, bind?.replace(/^\[(.*)\]$/, '$1') ?? loopback, port);
  const servers = [first];
  if (bind === null) {
    const second = server();
    try {
      await opened(second, '::1', bound);
      servers.push(second);
    } catch (error) {
      if (!isAbsent(error)) report(`[::1]:${bound} is not listened on (${codeOf(error) ?? String(error)})`);
    }
  }
  return {
    port: bound,
    attach: (listener) => {
      current = listener;
    },
    close: async (graceMs) => {
      const closing = servers.map(
        (one) =>
          new Promise<void>((resolve) => {
            one.close(() => resolve());
            one.closeIdleConnections();
          }),
      );
      const late = setTimeout(() => {
        for (const one of servers) one.closeAllConnections();
      }, graceMs);
      await Promise.all(closing);
      clearTimeout(late);
    },
  };
};
