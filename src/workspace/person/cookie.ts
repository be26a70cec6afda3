import type { IncomingMessage } from 'node:http';

/** How long a browser stays signed in, in seconds: as long as the host keeps the session (workspace-wire section 9). */
const maxAge = 30 * 24 * 3600;

/** How many cookies of one name are looked at. */
const mostCookies = 4;

/** Browsers keep cookies by host and not by port: the name tells hosts apart that one machine serves. */
const nameFor = ({ headers }: IncomingMessage): string => {
  const port = /:(\d{1,5})$/.exec(headers.host ?? '')?.[1];
  return port === undefined ? 'telic_person' : `telic_person_${port}`;
};

/**
 * The sessions that the cookies of a request name. Another program of the machine may have set a cookie of the same name
 * for a longer path, which browsers send first: it must not keep the person out.
 */
export const sessionsIn = (request: IncomingMessage): readonly string[] => {
  const begin = `${nameFor(request)}=`;
  return (request.headers.cookie ?? '')
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part.startsWith(begin))
    .slice(0, mostCookies)
    .map((part) => part.slice(begin.length));
};

/**
 * The header that signs a browser in.
 *
 * @param secure whether the page is reached over TLS, so that the cookie may not travel without
 */
export const cookieFor = (request: IncomingMessage, session: string, secure: boolean): string =>
  `${nameFor(request)}=${session}; HttpOnly; SameSite=Strict; Path=/; Max-Age=${maxAge}${secure ? '; Secure' : ''}`;
