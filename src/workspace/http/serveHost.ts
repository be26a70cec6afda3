import { wireLimits } from '../../../schemas/wire/limits.ts';
import type { Host } from '../host.ts';
import { type IdSource, systemIds } from '../sources.ts';
import { createDoor, type PersonDoor } from './door.ts';
import { type AllowedHost, isLoopback, parseAllowedHost } from './hostNames.ts';
import { type Listening, listen } from './listen.ts';
import type { MeterLimits } from './meter.ts';

declare const TELIC_VERSION: string;

export interface ServeOptions {
  /** The address to listen on; absent: 127.0.0.1, and ::1 too where it is there. */
  readonly bind?: string;
  /** 4747 when absent; 0 takes a free one. */
  readonly port?: number;
  /** `NAME` or `NAME:PORT`: names that the host answers to beside those of the machine itself. */
  readonly allowHosts?: readonly string[];
  readonly personDoor?: PersonDoor;
  /** Takes one line for the log. */
  readonly report?: (line: string) => void;
  readonly limits?: Partial<MeterLimits>;
  /** Milliseconds of a clock that never steps back, by which calls a second are counted. */
  readonly now?: () => number;
  readonly ids?: Pick<IdSource, 'ask'>;
  /** Sockets that were opened before the host was, by `openSockets`. */
  readonly listening?: Listening;
}

export interface Served {
  /** `http://127.0.0.1:4747` */
  readonly address: string;
  readonly port: number;
  /**
   * Refuses what is new with 503, lets the host release what it holds, waits until every answer is written, and closes
   * the sockets (workspace-wire 2.5). The host itself stays open: whoever opened it closes it next.
   */
  close(): Promise<void>;
}

export const defaultPort = 4747;

/** It cannot be served like this; the sentence says what to change. */
export class DoorError extends Error {
  override readonly name = 'DoorError';
}

const allowedOf = (names: readonly string[]): readonly AllowedHost[] =>
  names.map((text) => {
    const host = parseAllowedHost(text);
    if (host === null) throw new DoorError(`${text} is no host name: an allowed host is NAME or NAME:PORT.`);
    return host;
  });

const httpsPort = 443;

/** Where people and programs reach the host: the first allowed name where it serves others, else the machine itself. */
export const addressOf = (bind: string | undefined, port: number, allowHosts: readonly string[]): string => {
  const [first] = allowedOf(allowHosts);
  if (bind !== undefined && !isLoopback(bind) && first !== undefined) {
    if (first.port === httpsPort) return `https://${first.name}`;
    return `http://${first.name}:${first.port ?? port}`;
  }
  return bind === '::1' || bind === '[::1]' ? `http://[::1]:${port}` : `http://127.0.0.1:${port}`;
};

/**
 * Opens the sockets of a host that may be opened only then; until it is served they answer 503.
 *
 * @throws DoorError when others are to be served and no name is allowed; what Node throws when the port is taken
 */
export const openSockets = ({
  bind,
  port = defaultPort,
  allowHosts = [],
  report = () => {},
}: Pick<ServeOptions, 'bind' | 'port' | 'allowHosts' | 'report'>): Promise<Listening> => {
  allowedOf(allowHosts);
  if (bind !== undefined && !isLoopback(bind)) {
    if (allowHosts.length === 0)
      throw new DoorError(`To listen on ${bind}, name the hosts that are served: --allow-host NAME.`);
    report(`listening on ${bind}: what travels there is not encrypted; TLS belongs to a proxy before this host`);
  }
  return listen(bind === undefined || bind === 'localhost' ? null : bind, port, report);
};

/** Whether some token opens the host: without one, nobody that is reached from outside could be meant. */
const hasToken = (host: Host): boolean => host.registry.tokens().some(({ revoked_ms }) => revoked_ms === null);

/**
 * Milliseconds for answers to be written once calls have ended, for calls that were aborted, and for sockets: under a
 * second together, so that with the ten that actions may take the process is gone within eleven (W-17).
 */
const grace = { answers: 500, aborted: 200, sockets: 200 } as const;

/**
 * Serves a host over HTTP (workspace-wire section 2).
 *
 * @throws DoorError, and what Node throws when the port is taken
 */
export const serveHost = async (host: Host, options: ServeOptions = {}): Promise<Served> => {
  const { bind, allowHosts = [], personDoor, report = () => {}, limits, ids = systemIds } = options;
  if (bind !== undefined && !isLoopback(bind) && !hasToken(host))
    throw new DoorError(`To listen on ${bind}, make a token first: telic workspace token create --label NAME.`);
  const sockets = options.listening ?? (await openSockets(options));
  const door = createDoor({
    host,
    version: TELIC_VERSION,
    port: sockets.port,
    allowed: allowedOf(allowHosts),
    limits: {
      heldCalls: wireLimits.heldCalls,
      callsPerSecond: wireLimits.callsPerSecond,
      patience: 1000,
      ...limits,
    },
    ...(personDoor && { personDoor }),
    ...(options.now && { now: options.now }),
    report,
    incident: (error) => {
      const number = ids.ask();
      const told = error instanceof Error ? (error.stack ?? error.message) : String(error);
      report(`incident ${number}: ${told.replaceAll(/\s*\n\s*/g, ' | ')}`);
      return number;
    },
  });
  sockets.attach(door.handle);

  let closing: Promise<void> | null = null;
  const close = async (): Promise<void> => {
    door.stop();
    await host.release();
    if (!(await door.settled(grace.answers))) {
      door.abort();
      await door.settled(grace.aborted);
    }
    await sockets.close(grace.sockets);
  };
  return {
    address: addressOf(bind, sockets.port, allowHosts),
    port: sockets.port,
    close: () => {
      closing ??= close();
      return closing;
    },
  };
};
