import { AsyncLocalStorage } from 'node:async_hooks';
import { StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { orAborted } from './patience.ts';
import { ProtocolError } from './protocolError.ts';

/**
 * One exchange of the MCP client with the host. The client hides what retries need to know (the status, `Retry-After`,
 * whether the connection broke) and leaves the HTTP request of a call open that is given up (F8). So each exchange is
 * known to the `fetch` that it is made with, through its async context.
 */
interface Exchange {
  readonly controller: AbortController;
  retryAfter: string | null;
  /** Why the host refused the request, in its own words; null when it did not, or said nothing that can be read. */
  reason: string | null;
  /** Set when the connection failed before a whole answer was there. */
  broken: boolean;
}

const cancelling = '{"jsonrpc":"2.0","method":"notifications/cancelled"';

const exchanges = new AsyncLocalStorage<Exchange>();

/** What came of an exchange; the failure says whether trying again may help, and after how long at the least. */
export type Exchanged<T> =
  | Readonly<{ ok: true; value: T }>
  | Readonly<{ ok: false; error: ProtocolError; retry: boolean; afterMs: number }>;

const Refusal = z.object({ error: z.object({ message: z.string() }) });

/** The sentence in the body of a refusal; a gateway may have put anything there. */
const reasonIn = (body: ArrayBuffer): string | null => {
  try {
    const refusal = Refusal.safeParse(JSON.parse(new TextDecoder().decode(body)));
    return refusal.success ? refusal.data.error.message : null;
  } catch {
    // No JSON: its status says what there is to say.
    return null;
  }
};

/** The `fetch` of the MCP client's transport. */
export const fetchInExchange: FetchLike = async (url, init) => {
  const exchange = exchanges.getStore();
  // What tells a host that a call was given up goes out when the call's own request is closed.
  if (!exchange || (typeof init?.body === 'string' && init.body.startsWith(cancelling))) return fetch(url, init);
  const { controller } = exchange;
  const outer = init?.signal;
  const close = (): void => controller.abort(outer?.reason);
  outer?.addEventListener('abort', close, { once: true });
  try {
    const response = await fetch(url, { ...init, signal: controller.signal });
    exchange.retryAfter = response.headers.get('retry-after');
    if (!/^application\/json\b/i.test(response.headers.get('content-type') ?? '')) return response;
    // Read here, so that a connection that breaks within the body is told from an answer that is no JSON.
    const body = await response.arrayBuffer();
    if (!response.ok) exchange.reason = reasonIn(body);
    return new Response(body, { status: response.status, statusText: response.statusText, headers: response.headers });
  } catch (error) {
    exchange.broken = true;
    throw error;
  } finally {
    outer?.removeEventListener('abort', close);
  }
};

/** 429 and the statuses of a host that is restarting or behind a gateway that is (workspace-wire section 8). */
const passing: readonly number[] = [429, 502, 503, 504];

const milliseconds = (retryAfter: string | null): number => {
  if (retryAfter === null) return 0;
  if (/^\d+$/.test(retryAfter.trim())) return Number(retryAfter) * 1000;
  const at = Date.parse(retryAfter);
  return Number.isNaN(at) ? 0 : Math.max(0, at - Date.now());
};

/** The deepest cause names the fault: `connect ECONNREFUSED 127.0.0.1:4747`, not `fetch failed`. */
const faultOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  if (error.cause instanceof Error) return faultOf(error.cause);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return error.message || code || error.name;
};

/** What the client says of a call that it gave up; a host that answers with the same number says nothing of the kind. */
const Late = z.object({ timeout: z.number() });

const failureOf = (exchange: Exchange, error: unknown): Exchanged<never> => {
  const cause = { cause: error };
  if (error instanceof StreamableHTTPError && error.code !== undefined && error.code > 0) {
    const said = `The host answered ${error.code}${exchange.reason === null ? '.' : `: ${exchange.reason}`}`;
    const refusal = new ProtocolError(said, error.code, cause);
    const afterMs = milliseconds(exchange.retryAfter);
    return { ok: false, error: refusal, retry: passing.includes(error.code), afterMs };
  }
  const late = error instanceof McpError && error.code === ErrorCode.RequestTimeout ? Late.safeParse(error.data) : null;
  if (late?.success) {
    const silent = new ProtocolError(`The host gave no answer within ${late.data.timeout} ms.`, undefined, cause);
    return { ok: false, error: silent, retry: false, afterMs: 0 };
  }
  // The client's own errors: an error of JSON-RPC, or no answer in time.
  if (error instanceof McpError || !exchange.broken)
    return { ok: false, error: new ProtocolError(faultOf(error), undefined, cause), retry: false, afterMs: 0 };
  const unreached = new ProtocolError(`The host cannot be reached: ${faultOf(error)}`, undefined, cause);
  return { ok: false, error: unreached, retry: true, afterMs: 0 };
};

/**
 * Does one exchange and closes its HTTP request when the signal is aborted.
 *
 * @param work uses the MCP client, once
 * @throws the reason of the signal; every other failure is a result
 */
export const exchange = async <T>(work: () => Promise<T>, signal?: AbortSignal): Promise<Exchanged<T>> => {
  signal?.throwIfAborted();
  const current: Exchange = { controller: new AbortController(), retryAfter: null, reason: null, broken: false };
  const close = (): void => current.controller.abort(signal?.reason);
  signal?.addEventListener('abort', close, { once: true });
  try {
    return { ok: true, value: await orAborted(exchanges.run(current, work), signal) };
  } catch (error) {
    signal?.throwIfAborted();
    return failureOf(current, error);
  } finally {
    signal?.removeEventListener('abort', close);
    // A call that timed out is still open at the host.
    current.controller.abort();
  }
};
