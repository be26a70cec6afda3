import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { PersonRefusal } from '../../../schemas/wire/person.ts';

/** What every answer to the person carries (workspace-wire section 9): scripts and styles come from files of the host alone. */
export const guards = {
  'content-security-policy': "default-src 'self'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
} as const;

const send = (
  response: ServerResponse,
  status: number,
  type: string,
  body: string | Buffer,
  headers: OutgoingHttpHeaders = {},
): void => {
  response.writeHead(status, {
    ...guards,
    'content-type': type,
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    ...headers,
  });
  response.end(body);
};

export const sendHtml = (response: ServerResponse, status: number, html: string, headers?: OutgoingHttpHeaders): void =>
  send(response, status, 'text/html; charset=utf-8', html, headers);

export const sendJson = (response: ServerResponse, status: number, body: object, headers?: OutgoingHttpHeaders): void =>
  send(response, status, 'application/json', JSON.stringify(body), headers);

/** A file of the page. Browsers ask each time whether theirs is still the one, for it changes with the version. */
export const sendFile = (
  response: ServerResponse,
  file: Readonly<{ type: string; bytes: Buffer; tag: string }>,
  known: string | undefined,
): void => {
  const headers = { etag: file.tag, 'cache-control': 'no-cache' };
  if (known === file.tag) response.writeHead(304, { ...guards, ...headers }).end();
  else send(response, 200, file.type, file.bytes, headers);
};

/** Why a route does not do what it was asked, with the status to tell it by. */
export interface Refusal extends PersonRefusal {
  readonly status: number;
  readonly headers?: OutgoingHttpHeaders;
}

export const sendRefusal = (response: ServerResponse, { status, code, message, headers }: Refusal): void =>
  sendJson(response, status, { code, message }, headers);
