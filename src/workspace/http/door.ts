import type { IncomingMessage, ServerResponse } from 'node:http';
import { isJsonContentType } from '@modelcontextprotocol/sdk/shared/mediaType.js';
import { wireLimits } from '../../../schemas/wire/limits.ts';
import type { Connection, Token } from '../caller.ts';
import { takesNothing } from '../store/errors.ts';
import type { CallHost } from './callTool.ts';
import { createHeldCalls } from './heldCalls.ts';
import { type AllowedHost, isOwnHost, isOwnOrigin } from './hostNames.ts';
import { createMeter, type MeterLimits } from './meter.ts';
import { answerPost, opensSession, type PostPorts, toolCallId } from './post.ts';
import { type Body, readBody } from './readBody.ts';
import * as refusals from './refusal.ts';
import { type Refusal, sendRefusal } from './refusal.ts';
import { type Route, routeName, routeOf } from './routes.ts';

/** The person's routes: true when it answered, or will. */
export type PersonDoor = (request: IncomingMessage, response: ServerResponse, url: URL) => Promise<boolean>;

export interface DoorPorts {
  readonly host: CallHost;
  readonly version: string;
  /** The port that is listened on. */
  readonly port: number;
  readonly allowed: readonly AllowedHost[];
  readonly limits: MeterLimits;
  readonly personDoor?: PersonDoor;
  /** Milliseconds of a clock that never steps back. */
  readonly now?: () => number;
  /** Takes one line for the log; never told a token or an argument. */
  readonly report: (line: string) => void;
  readonly incident: (error: unknown) => string;
}

export interface Door {
  /** Answers one request, whatever comes of it. */
  handle(request: IncomingMessage, response: ServerResponse): void;
  /** From now on everything is refused with 503. */
  stop(): void;
  /** Settles when every call has ended and its answer is handed over to the socket, or after so many milliseconds; true when they have. */
  settled(milliseconds: number): Promise<boolean>;
  /** Gives up the calls that are left. */
  abort(): void;
}

/** The headers that the transport judges a request by, and no other: no token reaches it. */
const judged = ['accept', 'content-type', 'mcp-protocol-version'] as const;

const headersOf = ({ headers }: IncomingMessage): Readonly<Record<string, string>> =>
  Object.fromEntries(
    judged.flatMap((name) => {
      const value = headers[name];
      return typeof value === 'string' ? [[name, value]] : [];
    }),
  );

const single = (value: string | readonly string[] | undefined): string | undefined =>
  typeof value === 'string' ? value : value?.[0];

const parsedJson = (bytes: Buffer): Readonly<{ value: unknown }> | null => {
  try {
    return { value: JSON.parse(bytes.toString('utf8')) };
  } catch {
    // Told to the client as a refusal.
    return null;
  }
};

/** Refuses by a throw, so that the order of the checks reads from top to bottom. */
class Refused extends Error {
  override readonly name = 'Refused';
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

const refuse = (refusal: Refusal): never => {
  throw new Refused(refusal);
};

/** The HTTP door of a host (workspace-wire section 2): its routes, and what each request is checked for, in order. */
export const createDoor = (ports: DoorPorts): Door => {
  const { host, version, port, allowed, limits, personDoor, report, incident } = ports;
  const { registry, roster } = host;
  const held = createHeldCalls();
  const meter = createMeter(limits, ports.now);
  const running = new Set<Promise<unknown>>();
  const open = new Set<AbortController>();
  let stopped = false;

  const track = <T>(work: Promise<T>): Promise<T> => {
    running.add(work);
    const over = (): void => {
      running.delete(work);
    };
    work.then(over, over);
    return work;
  };
  const posts: PostPorts = { host, version, held, track, incident };

  const tokenOf = ({ headers }: IncomingMessage): Token => {
    const text = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
    return (text === undefined ? null : registry.tokenOf(text)) ?? refuse(refusals.unauthorized);
  };

  const checkWorkspace = (token: Token, workspace: string | null): void => {
    if (workspace === null) return;
    const known = registry.workspaces().some(({ name }) => name === workspace);
    if (!known || (token.workspace !== null && token.workspace !== workspace)) refuse(refusals.notFound);
  };

  const endSession = (request: IncomingMessage, response: ServerResponse, token: Token, endpoint: string | null) => {
    const session = single(request.headers['mcp-session-id']) ?? refuse(refusals.missingSession);
    const connection = registry.endSession(token, endpoint, session) ?? refuse(refusals.unknownSession);
    roster.left(connection);
    response.writeHead(200, { 'content-length': 0 }).end();
  };

  const connectionOf = (request: IncomingMessage, token: Token, endpoint: string | null): Connection => {
    const session = single(request.headers['mcp-session-id']);
    if (session === undefined) return registry.defaultConnection(token, endpoint);
    return registry.sessionOf(token, endpoint, session) ?? refuse(refusals.unknownSession);
  };

  const unread = (why: Extract<Body, { ok: false }>['why']): Refusal => {
    switch (why) {
      case 'too large':
        return refusals.tooLarge(wireLimits.bodyBytes);
      case 'too many':
        return refusals.tooManyHeld(limits.heldCalls);
      case 'broken off':
        return refusals.unreadable;
    }
  };

  /** How many large bodies of each token are being read: they may be slow, and each is kept until it is whole. */
  const growing = new Map<string, number>();

  const readWhole = async (request: IncomingMessage, token: Token): Promise<Body> => {
    let counted = 0;
    const mayGrow = (): boolean => {
      const present = growing.get(token.id) ?? 0;
      if (present >= limits.heldCalls) return false;
      growing.set(token.id, present + 1);
      counted = 1;
      return true;
    };
    try {
      return await readBody(request, wireLimits.bodyBytes, mayGrow);
    } finally {
      const left = (growing.get(token.id) ?? 0) - counted;
      if (left > 0) growing.set(token.id, left);
      else growing.delete(token.id);
    }
  };

  const readMessage = async (request: IncomingMessage, token: Token): Promise<unknown> => {
    if (!isJsonContentType(request.headers['content-type'] ?? null)) refuse(refusals.notJson);
    const body = await readWhole(request, token);
    if (!body.ok) return refuse(unread(body.why));
    const { value: message } = parsedJson(body.bytes) ?? refuse(refusals.unreadable);
    return Array.isArray(message) ? refuse(refusals.noBatches) : message;
  };

  /** A cancelled call has no answer, yet its request must end: one that was taken and says nothing. */
  const sayNothing = (response: ServerResponse): void => {
    response.writeHead(202, { 'content-length': 0 }).end();
  };

  const write = async (response: ServerResponse, answer: Response): Promise<void> => {
    const body = Buffer.from(await answer.arrayBuffer());
    response.writeHead(answer.status, { ...Object.fromEntries(answer.headers), 'content-length': body.length });
    response.end(body);
  };

  const post = async (
    request: IncomingMessage,
    response: ServerResponse,
    token: Token,
    endpoint: string | null,
  ): Promise<void> => {
    const message = await readMessage(request, token);
    const connection = opensSession(message) ? null : connectionOf(request, token, endpoint);
    const gone = new AbortController();
    const { signal } = gone;
    response.once('close', () => gone.abort());
    open.add(gone);
    const ends: (() => void)[] = [() => open.delete(gone)];
    try {
      const id = toolCallId(message);
      if (connection !== null && id !== null) {
        ends.push(held.hold(connection.id, id, () => gone.abort()));
        const admitted = await meter.admit(token.id, signal);
        if (admitted.ok) ends.push(admitted.done);
        else if (admitted.why === 'too many calls') refuse(refusals.tooManyCalls(limits.callsPerSecond));
        else if (admitted.why === 'too many held') refuse(refusals.tooManyHeld(limits.heldCalls));
        // Given up before it had a place: it is not begun at all.
        else return sayNothing(response);
      }
      if (stopped) refuse(refusals.stopping);
      const headers = headersOf(request);
      const answer = await answerPost(posts, { token, endpoint, connection, message, headers, signal });
      if (answer === null) sayNothing(response);
      else await write(response, answer);
    } finally {
      for (const end of ends) end();
    }
  };

  const mcp = async (request: IncomingMessage, response: ServerResponse, workspace: string | null): Promise<void> => {
    const { method } = request;
    if (method !== 'POST' && method !== 'DELETE') refuse(refusals.notAllowed('POST, DELETE'));
    const token = tokenOf(request);
    checkWorkspace(token, workspace);
    if (method === 'DELETE') endSession(request, response, token, workspace);
    else await post(request, response, token, workspace);
  };

  const health = ({ method }: IncomingMessage, response: ServerResponse): void => {
    if (method !== 'GET' && method !== 'HEAD') refuse(refusals.notAllowed('GET, HEAD'));
    const body = JSON.stringify({ ok: true, version });
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    response.writeHead(200, headers).end(method === 'HEAD' ? undefined : body);
  };

  const route = async (request: IncomingMessage, response: ServerResponse, url: URL, to: Route): Promise<void> => {
    if (to.to === 'mcp') await track(mcp(request, response, to.workspace));
    else if (to.to === 'health') health(request, response);
    else if (!(await personDoor?.(request, response, url))) refuse(refusals.notFound);
  };

  const faultOf = (error: unknown): Refusal =>
    takesNothing(error) ? refusals.storesNothing(incident(error)) : refusals.fault(incident(error));

  /** Tells a refusal or a fault; the log gets one line of it, without what the caller wrote. */
  const tell = (request: IncomingMessage, response: ServerResponse, where: string, error: unknown): void => {
    const refusal = error instanceof Refused ? error.refusal : faultOf(error);
    // Every MCP client asks once whether it can listen with GET: nothing is wrong with it.
    if (!(request.method === 'GET' && refusal.status === 405))
      report(`${request.method ?? '?'} ${where} ${refusal.status}`);
    if (response.headersSent || response.destroyed) response.destroy();
    else sendRefusal(response, refusal);
  };

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let where = '?';
    try {
      if (stopped) refuse(refusals.stopping);
      // One name, for of two who knows which one another reader on the way went by.
      const [name, ...more] = request.headersDistinct.host ?? [];
      if (more.length > 0 || !isOwnHost(name, allowed)) refuse(refusals.foreignHost);
      const { origin } = request.headers;
      if (origin !== undefined && !isOwnOrigin(origin, allowed, port)) refuse(refusals.foreignOrigin);
      const target = request.url ?? '';
      if (!target.startsWith('/') || !URL.canParse(target, 'http://localhost')) refuse(refusals.badTarget);
      const url = new URL(target, 'http://localhost');
      const to = routeOf(url.pathname);
      where = routeName(to);
      await route(request, response, url, to);
    } catch (error) {
      tell(request, response, where, error);
    }
  };

  return {
    handle: (request, response) => {
      void handle(request, response);
    },
    stop: () => {
      stopped = true;
    },
    settled: async (milliseconds) => {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<boolean>((resolve) => {
        timer = setTimeout(() => resolve(false), milliseconds);
      });
      const all = Promise.allSettled(running).then(() => true);
      const ended = await Promise.race([all, late]);
      clearTimeout(timer);
      return ended;
    },
    abort: () => {
      for (const gone of open) gone.abort();
    },
  };
};
