import type { ServerResponse } from 'node:http';

/** A refusal of HTTP itself: nothing was called (workspace-wire 2.3). */
export interface Refusal {
  readonly status: number;
  readonly message: string;
  /** The code of the JSON-RPC error in the body. */
  readonly code?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** No session of this id, token and endpoint: clients take this code for the end of a session. */
const noSession = -32_001;
const parseError = -32_700;
const invalidRequest = -32_600;
const internal = -32_603;

/** One body for a token that is missing, unknown, expired or revoked: nobody is told which. */
export const unauthorized: Refusal = {
  status: 401,
  message: 'A valid token is needed: Authorization: Bearer …',
  headers: { 'www-authenticate': 'Bearer realm="workspaces"' },
};
export const foreignHost: Refusal = { status: 403, message: 'This host name is not served here.' };
export const foreignOrigin: Refusal = { status: 403, message: 'This origin may not call here.' };
export const badTarget: Refusal = { status: 400, message: 'The target of the request is no path.' };
export const notFound: Refusal = { status: 404, message: 'Nothing is served at this path.' };
export const unknownSession: Refusal = { status: 404, message: 'Session not found', code: noSession };
export const missingSession: Refusal = { status: 400, message: 'The header mcp-session-id names the session to end.' };
export const notAllowed = (allow: string): Refusal => ({
  status: 405,
  message: 'Method not allowed.',
  headers: { allow },
});
export const notJson: Refusal = { status: 415, message: 'The content type must be application/json.' };
export const tooLarge = (limit: number): Refusal => ({ status: 413, message: `A body has at most ${limit} bytes.` });
export const unreadable: Refusal = { status: 400, message: 'The body is no JSON.', code: parseError };
export const noBatches: Refusal = {
  status: 400,
  message: 'Send one message at a time: lists of messages are not taken.',
  code: invalidRequest,
};
/** Seconds after which a call of this token may pass. */
const soon = { 'retry-after': '1' };
export const tooManyHeld = (limit: number): Refusal => ({
  status: 429,
  message: `A token may hold at most ${limit} calls at once.`,
  headers: soon,
});
export const tooManyCalls = (limit: number): Refusal => ({
  status: 429,
  message: `A token may make at most ${limit} calls a second.`,
  headers: soon,
});
export const stopping: Refusal = { status: 503, message: 'The host is stopping.', headers: soon };
export const notReady: Refusal = { status: 503, message: 'The host is starting.', headers: soon };
export const storesNothing = (incident: string): Refusal => ({
  status: 503,
  message: `The host cannot store anything now (incident ${incident}).`,
  headers: soon,
});
export const fault = (incident: string): Refusal => ({
  status: 500,
  message: `The host met a fault of its own (incident ${incident}).`,
  code: internal,
});

/** What came is no request of HTTP that can be read: broken, too long, or never whole. */
export const unreadableRequest = (status: number): Refusal => ({
  status,
  message: 'This is no HTTP request that can be read.',
});

/** A refusal in the shape of a JSON-RPC error, which clients of MCP read. */
export const refusalBody = ({ message, code = -32_000 }: Refusal): string =>
  JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: null });

export const sendRefusal = (response: ServerResponse, refusal: Refusal): void => {
  const { status, headers } = refusal;
  const body = refusalBody(refusal);
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    ...headers,
  });
  response.end(body);
};
