import type { IncomingMessage } from 'node:http';
import type { Registry } from '../store/store.ts';
import { sessionsIn } from './cookie.ts';
import type { Refusal } from './send.ts';

/** The person behind a request. */
export type Person = Readonly<{ id: string; name: string }>;

/** The header that no form and no foreign page can send unasked. */
const mark = 'x-workspace-person';

const openAgain = 'Run telic workspace open: it prints a new link to this page.';

export const noPerson: Refusal = { status: 401, code: 'no_person', message: `Nobody is signed in here. ${openAgain}` };
export const noBearers: Refusal = {
  status: 401,
  code: 'no_person',
  message: 'Tokens are for programs and open nothing of the person.',
};
export const foreignOrigin: Refusal = {
  status: 403,
  code: 'foreign_origin',
  message: 'Changes come from the page itself, with its own Origin.',
};
export const noMark: Refusal = {
  status: 403,
  code: 'not_the_page',
  message: `Changes come from the page itself, with the header ${mark}: 1.`,
};

/** Whether a program's token was sent: an agent must not be able to allow its own ask. */
export const sendsBearer = ({ headers }: IncomingMessage): boolean =>
  /^bearer(?:\s|$)/i.test(headers.authorization ?? '');

/** The person whose browser this is, by its cookie alone. */
export const personIn = (request: IncomingMessage, registry: Pick<Registry, 'personOf'>): Person | null => {
  for (const session of sessionsIn(request)) {
    const person = registry.personOf(session);
    if (person !== null) return person;
  }
  return null;
};

/** Whether the page that sends is the one of the address that is sent to, or of the host's own where a proxy renames it. */
const isOwnOrigin = ({ headers }: IncomingMessage, address: string | null): boolean => {
  const { origin, host = '' } = headers;
  if (origin === undefined) return false;
  const own = [`http://${host.toLowerCase()}`, `https://${host.toLowerCase()}`];
  if (address !== null && URL.canParse(address)) own.push(new URL(address).origin);
  return own.includes(origin);
};

/**
 * Why a request may change nothing, or null when it may: a cookie alone can be made to travel by other pages.
 *
 * @param address where the host says that it is, when it is known
 */
export const refusalOfChange = (request: IncomingMessage, address: string | null): Refusal | null => {
  if (!isOwnOrigin(request, address)) return foreignOrigin;
  return request.headers[mark] === '1' ? null : noMark;
};

/**
 * Whether a link on another site led here: browsers keep a strict cookie back then, so nobody can be told from nobody
 * yet. The same address asked for by a page of ours brings it.
 */
export const cameFromElsewhere = ({ method, headers }: IncomingMessage): boolean =>
  method === 'GET' && headers['sec-fetch-site'] === 'cross-site' && headers['sec-fetch-mode'] === 'navigate';
