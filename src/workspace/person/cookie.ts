import type { IncomingMessage } from 'node:http';

/** How long a browser stays signed in, in seconds: as long as the host keeps the session (workspace-wire section 9). */
const maxAge = 30 * 24 * 3600;

/** Browsers keep cookies by host and not by port: the name tells hosts apart that one machine serves. */
const nameFor = ({ headers }: IncomingMessage): string => {
  const port = /:(\d{1,5})$/.exec(headers.host ?? '')?.[1];
  return port === undefined ? 'telic_person' : `telic_person_${port}`;
};

/** The session that the cookie of a request names, or null. */
export const sessionIn = (request: IncomingMessage): string | null => {
  const begin = `${nameFor(request)}=`;
  const found = (request.headers.cookie ?? '')
    .split(';')
    .map((part) => part.trim())
    .find((part) => part.startsWith(begin));
  return found === undefined ? null : found.slice(begin.length);
};

/**
 * The header that signs a browser in.
 *
 * @param secure whether the page is reached over TLS, so that the cookie may not travel without
 */
export const cookieFor = (request: IncomingMessage, session: string, secure: boolean): string =>
  `${nameFor(request)}=${session}; HttpOnly; SameSite=Strict; Path=/; Max-Age=${maxAge}${secure ? '; Secure' : ''}`;
