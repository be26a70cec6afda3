import type { IncomingMessage } from 'node:http';
import { isJsonContentType } from '@modelcontextprotocol/sdk/shared/mediaType.js';
import { readBody } from '../http/readBody.ts';
import type { Refusal } from './send.ts';

/** Bytes of a body that the page sends. */
export const bodyBytes = 64 * 1024;

const notJson: Refusal = { status: 415, code: 'not_json', message: 'The content type must be application/json.' };
const unreadable: Refusal = { status: 400, code: 'unreadable', message: 'The body is no JSON.' };
const tooLarge: Refusal = {
  status: 413,
  code: 'too_large',
  message: `What the page sends has at most ${bodyBytes} bytes.`,
};

export type Sent = Readonly<{ ok: true; value: unknown }> | Readonly<{ ok: false; refusal: Refusal }>;

const bringsNothing = ({ headers }: IncomingMessage): boolean =>
  headers['content-type'] === undefined &&
  headers['transfer-encoding'] === undefined &&
  Number(headers['content-length'] ?? 0) === 0;

/** The JSON that a request brings, undefined when it has no body, or why it is not taken. */
export const readJson = async (request: IncomingMessage): Promise<Sent> => {
  if (bringsNothing(request)) return { ok: true, value: undefined };
  if (!isJsonContentType(request.headers['content-type'] ?? null)) return { ok: false, refusal: notJson };
  const body = await readBody(request, bodyBytes);
  if (!body.ok) return { ok: false, refusal: body.why === 'too large' ? tooLarge : unreadable };
  // Some clients name the type of every body, also of none.
  if (body.bytes.length === 0) return { ok: true, value: undefined };
  try {
    return { ok: true, value: JSON.parse(body.bytes.toString('utf8')) };
  } catch {
    // Told to the caller as a refusal.
    return { ok: false, refusal: unreadable };
  }
};
