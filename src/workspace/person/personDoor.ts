import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import {
  cameFromElsewhere,
  noBearers,
  noPerson,
  type Person,
  personIn,
  refusalOfChange,
  sendsBearer,
} from './admit.ts';
import { cookieFor } from './cookie.ts';
import { type DataHost, endpointsAt } from './data.ts';
import { readPageFiles } from './files.ts';
import { chooseWorkspace, codeUsed, goOn, nobodyHere, nothingHere } from './plainPages.ts';
import { readJson } from './readJson.ts';
import { type PersonRoute, personRouteOf } from './routes.ts';
import { guards, type Refusal, sendFile, sendHtml, sendJson, sendRefusal } from './send.ts';
import { type StreamHost, streamEvents } from './stream.ts';

export interface PersonDoorOptions {
  /** Where the built page lies: `page.html`, `page.css`, `page.js`, `icon.svg`. Beside this file when absent, as in the package. */
  readonly files?: string;
  /** Where people reach the host, `https://…` behind a proxy: an Origin that counts as its own, and whether cookies need TLS. */
  readonly address?: () => string;
}

type PersonHost = DataHost & StreamHost;

const notAllowed = (allow: readonly string[]): Refusal => ({
  status: 405,
  code: 'not_allowed',
  message: `Only ${allow.join(' and ')} is answered here.`,
  headers: { allow: allow.join(', ') },
});
const noWorkspace: Refusal = { status: 404, code: 'unknown_workspace', message: 'There is no such workspace.' };
const noRoute: Refusal = { status: 404, code: 'unknown_route', message: 'The page has no such route.' };
const notBuilt = 'The page was not built: run npm run build.\n';

const isRead = ({ method }: IncomingMessage): boolean => method === 'GET' || method === 'HEAD';

/**
 * The person's routes (workspace-wire section 9): the way in, the page, and what it loads and sends. A person is known
 * by a cookie, never by a token; whoever changes something must be the page itself.
 *
 * @returns true when it answered, or will; Host and Origin are checked before it is asked
 */
export const createPersonDoor = (
  host: PersonHost,
  { files: directory = join(import.meta.dirname, 'page'), address }: PersonDoorOptions = {},
): ((request: IncomingMessage, response: ServerResponse, url: URL) => Promise<boolean>) => {
  const { registry } = host;
  const files = readPageFiles(directory);
  const page = files.get('page.html')?.bytes.toString('utf8') ?? null;

  const knows = (workspace: string): boolean => registry.workspaces().some(({ name }) => name === workspace);

  const enter = (request: IncomingMessage, response: ServerResponse, url: URL): void => {
    // A look ahead without a body must not use the link up.
    const entered = request.method === 'GET' ? registry.enter(url.searchParams.get('code') ?? '') : null;
    if (entered === null) {
      sendHtml(response, 410, codeUsed(personIn(request, registry) !== null));
      return;
    }
    const secure = address?.().startsWith('https:') ?? false;
    response.writeHead(303, {
      ...guards,
      'cache-control': 'no-store',
      'set-cookie': cookieFor(request, entered.session, secure),
      location: `/w/${entered.workspace}/`,
      'content-length': 0,
    });
    response.end();
  };

  const choose = async (response: ServerResponse, person: Person): Promise<void> => {
    const choices = await Promise.all(
      registry.workspaces().map(async ({ name, label }) => {
        const asks = await host.invocations.asks(name);
        return { name, label, waiting: asks.filter(({ state }) => state === 'asking').length };
      }),
    );
    sendHtml(response, 200, chooseWorkspace(person.name, choices));
  };

  const pages = async (
    request: IncomingMessage,
    response: ServerResponse,
    url: URL,
    route: Exclude<PersonRoute, { to: 'data' }>,
  ): Promise<void> => {
    if (!isRead(request)) {
      sendRefusal(response, notAllowed(['GET', 'HEAD']));
      return;
    }
    if (route.to === 'file') {
      const file = files.get(route.name);
      if (file) sendFile(response, file, request.headers['if-none-match']);
      else sendRefusal(response, noRoute);
      return;
    }
    if (route.to === 'enter') {
      enter(request, response, url);
      return;
    }
    const person = sendsBearer(request) ? null : personIn(request, registry);
    if (person === null) {
      if (cameFromElsewhere(request)) sendHtml(response, 200, goOn(url.pathname));
      else sendHtml(response, 401, nobodyHere());
      return;
    }
    if (route.to === 'choose') await choose(response, person);
    else if (!knows(route.workspace)) sendHtml(response, 404, nothingHere());
    else if (page === null) sendHtml(response, 503, notBuilt);
    else sendHtml(response, 200, page);
  };

  const data = async (
    request: IncomingMessage,
    response: ServerResponse,
    { searchParams: query }: URL,
    { workspace, name }: Extract<PersonRoute, { to: 'data' }>,
  ): Promise<Refusal | null> => {
    if (sendsBearer(request)) return noBearers;
    const person = personIn(request, registry);
    if (person === null) return noPerson;
    if (!knows(workspace)) return noWorkspace;
    const method = request.method === 'HEAD' ? 'GET' : (request.method ?? '');
    if (name === 'events') {
      if (request.method !== 'GET') return notAllowed(['GET']);
      await streamEvents(host, workspace, person, request, response, query);
      return null;
    }
    const found = endpointsAt(name);
    if (found === null) return noRoute;
    const answer = found.answer(method);
    if (answer === null) return notAllowed(found.methods);
    let sent: unknown;
    if (method !== 'GET') {
      const refusal = refusalOfChange(request, address?.() ?? null);
      if (refusal !== null) return refusal;
      const read = await readJson(request);
      if (!read.ok) return read.refusal;
      sent = read.value;
    }
    const came = await answer({ host, workspace, person, id: found.id, query, sent });
    if ('refusal' in came) return came.refusal;
    sendJson(response, came.status, came.body);
    return null;
  };

  return async (request, response, url) => {
    const route = personRouteOf(url.pathname);
    if (route === null) return false;
    if (route.to === 'data') {
      const refusal = await data(request, response, url, route);
      if (refusal !== null) sendRefusal(response, refusal);
    } else await pages(request, response, url, route);
    return true;
  };
};
