import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { notReady, sendRefusal } from './refusal.ts';

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
  const server = (): Server => createServer((request, response) => current(request, response));
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
