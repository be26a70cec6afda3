import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { type CallToolResult, CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { metaKey, type NamedRun } from '../../../schemas/wire/meta.ts';
import type { WireTool } from '../../../schemas/wire/vocabulary.ts';
import { type Exchanged, exchange, fetchInExchange } from './exchange.ts';
import { orAborted, pause } from './patience.ts';
import { ProtocolError, SessionLost } from './protocolError.ts';

declare const TELIC_VERSION: string;

/** How long the SDK waits and how often it tries again (workspace-wire section 8, "Retry"). */
export interface Timing {
  /** The pauses before the second try and those after it, in milliseconds; as many as there are, so many more tries. */
  readonly retryMs: readonly number[];
  /** How much longer than its `wait_ms` a call may take before it is given up, in milliseconds. */
  readonly marginMs: number;
}

export const usualTiming: Timing = { retryMs: [200, 800, 3200], marginMs: 30_000 };

/** A host that wants to be left alone for longer than this is taken as one that refuses. */
const longestPause = 60_000;

export interface LinkOptions {
  readonly endpoint: URL;
  readonly token: string;
  /** What the client calls itself: the `by` of its changes. */
  readonly name: string;
  /** The session to go on with; null for none at all: the token's default connection (D-10). */
  readonly session: string | null | undefined;
  readonly timing: Timing;
}

export interface LinkCall {
  readonly tool: WireTool;
  readonly args: Readonly<Record<string, unknown>>;
  /** How long the host may hold the call. */
  readonly waitMs: number;
  readonly run: NamedRun | undefined;
  readonly signal: AbortSignal | undefined;
}

/** One endpoint of a host, its session included: sends calls, tries again where that is right, and opens sessions. */
export interface Link {
  /** The session of the connection; null before the first call, and where calls carry none. */
  session(): string | null;
  /** Opens the session, unless it is open. */
  open(signal?: AbortSignal): Promise<void>;
  /** @throws ProtocolError, SessionLost, or the reason of the signal */
  call(call: LinkCall): Promise<CallToolResult>;
  /** From now to the returned function's call no new session may take the place of a lost one. */
  hold(): () => void;
  close(): Promise<void>;
}

interface Live {
  readonly client: Client;
  readonly transport: StreamableHTTPClientTransport;
}

/** After this pause the next try is made: jitter keeps clients that failed together from coming back together. */
const jittered = (milliseconds: number): number => milliseconds * (0.75 + Math.random() / 2);

export const createLink = ({ endpoint, token, name, session, timing }: LinkOptions): Link => {
  const lives = new Set<Live>();
  let current: Promise<Live> | null = null;
  let latest: Live | null = null;
  let known: string | null = session ?? null;
  let resume: string | null | undefined = session;
  let holds = 0;
  let closed = false;

  /** Makes exchanges until one succeeds, fails for good, or enough were made. */
  const persist = async <T>(make: () => Promise<Exchanged<T>>, signal?: AbortSignal): Promise<Exchanged<T>> => {
    for (let tries = 0; ; tries += 1) {
      const made = await make();
      const rest = timing.retryMs[tries];
      if (made.ok || !made.retry || rest === undefined || made.afterMs > longestPause || closed) return made;
      await pause(Math.max(jittered(rest), made.afterMs), signal);
    }
  };

  const begin = async (): Promise<Live> => {
    // An empty session is none: the client neither initializes nor sends one.
    const sessionId = resume === null ? '' : resume;
    const made = await persist(() =>
      exchange(async () => {
        const client = new Client({ name, version: TELIC_VERSION });
        const transport = new StreamableHTTPClientTransport(endpoint, {
          requestInit: { headers: { authorization: `Bearer ${token}` } },
          fetch: fetchInExchange,
          ...(sessionId !== undefined && { sessionId }),
        });
        await client.connect(transport, { timeout: timing.marginMs });
        return { client, transport };
      }),
    );
    if (!made.ok) throw made.error;
    lives.add(made.value);
    latest = made.value;
    known = made.value.transport.sessionId || null;
    // A session that is lost is not taken up again: the next one is new. No session cannot be lost.
    if (resume !== null) resume = undefined;
    return made.value;
  };

  const live = async (signal?: AbortSignal): Promise<Live> => {
    if (closed) throw new ProtocolError('This connection has been closed.');
    if (current === null) {
      const opening = begin();
      current = opening;
      opening.catch(() => {
        // The next call tries anew; this failure is told to those who wait for it.
        if (current === opening) current = null;
      });
    }
    return orAborted(current, signal);
  };

  const request = (
    { client }: Live,
    { tool, args, waitMs, run, signal }: LinkCall,
  ): Promise<Exchanged<CallToolResult>> => {
    const meta = { structured: true, ...(run && { run }) };
    const params = { name: tool, arguments: { ...args }, _meta: { [metaKey]: meta } };
    const timeout = waitMs + timing.marginMs;
    return exchange(() => client.request({ method: 'tools/call', params }, CallToolResultSchema, { timeout }), signal);
  };

  const once = async (call: LinkCall): Promise<Exchanged<CallToolResult>> => {
    const used = await live(call.signal);
    const made = await request(used, call);
    if (made.ok || made.error.httpStatus !== 404 || !used.transport.sessionId) return made;
    // The host no longer knows the session. One new session, or the one that another call has opened meanwhile.
    if (holds > 0) throw new SessionLost({ cause: made.error });
    if (latest === used) {
      latest = null;
      current = null;
    }
    return request(await live(call.signal), call);
  };

  return {
    session: () => known,
    open: async (signal) => {
      await live(signal);
    },
    call: async (call) => {
      const made = await persist(() => once(call), call.signal);
      if (made.ok) return made.value;
      throw closed
        ? new ProtocolError('This connection has been closed.', undefined, { cause: made.error })
        : made.error;
    },
    hold: () => {
      holds += 1;
      let held = true;
      return () => {
        if (held) holds -= 1;
        held = false;
      };
    },
    close: async () => {
      closed = true;
      await Promise.all([...lives].map(({ client }) => client.close()));
      lives.clear();
    },
  };
};
