import { once } from 'node:events';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { bodyBytes } from '../../../src/workspace/person/readJson.ts';
import { post } from '../support/wireClient.ts';
import { linkOf, setTable } from './support.ts';

const reads = ['', 'asks/k41vk41vk41v', 'activity', 'here', 'settings'].map((view) => `/w/studio/${view}`);
const data = ['asks', 'activity', 'roster', 'settings', 'tokens', 'events'].map((name) => `/w/studio/person/${name}`);

describe('who may use the routes of the person', () => {
  it('a cookie of the same name that another program of the machine has set keeps the person not out', async () => {
    const { host, person } = await setTable();
    const [name] = person.cookie.split('=');
    const junk = `${name}=junk`;
    const status = async (cookie: string): Promise<number> =>
      (await fetch(`${host.address}/w/studio/person/asks`, { headers: { cookie } })).status;
    expect(await status(`${junk}; ${person.cookie}`)).toBe(200);
    expect(await status(`${junk}; ${junk}`)).toBe(401);
  });

  it('W-49 a bearer token opens none of them, and no cookie opens the endpoints of programs', async () => {
    const { host, person, agent, call, askAt } = await setTable();
    const bearer = { authorization: `Bearer ${host.token}` };
    for (const path of ['/', ...reads, ...data]) {
      const response = await fetch(`${host.address}${path}`, { headers: bearer });
      expect([path, response.status]).toEqual([path, 401]);
      await response.text();
    }
    const desk = await agent('Desk agent');
    const link = linkOf(await call(desk, 'lab#send', { note: 'Hello' }));
    const { id, version } = await askAt(link);
    const decision = { decision: 'allow', version };
    const path = `/w/studio/person/asks/${id}`;
    const page = { origin: host.address, 'content-type': 'application/json', 'x-workspace-person': '1' };
    const body = JSON.stringify(decision);
    const asAgent = await fetch(`${host.address}${path}`, { method: 'POST', headers: { ...page, ...bearer }, body });
    expect(asAgent.status).toBe(401);
    expect((await person.post(path, decision, bearer)).status).toBe(401);

    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const endpoint = { address: host.address, path: '/w/studio/mcp', token: '' };
    const withCookie = await fetch(`${host.address}/w/studio/mcp`, {
      method: 'POST',
      headers: { cookie: person.cookie, accept: 'application/json, text/event-stream', ...page },
      body: JSON.stringify(list),
    });
    expect(withCookie.status).toBe(401);
    expect((await post(endpoint, list)).status).toBe(401);
    expect(await askAt(link)).toMatchObject({ state: 'asking', version });
  });

  it('W-49 a change needs the cookie, the Origin of the page itself and its header', async () => {
    const { host, person, agent, call, askAt } = await setTable();
    const desk = await agent('Desk agent');
    const link = linkOf(await call(desk, 'lab#send', { note: 'Hello' }));
    const { id, version } = await askAt(link);
    const page = {
      cookie: person.cookie,
      origin: host.address,
      'content-type': 'application/json',
      'x-workspace-person': '1',
    };
    const without = (name: keyof typeof page): Record<string, string> =>
      Object.fromEntries(Object.entries(page).filter(([key]) => key !== name));
    const { port } = new URL(host.address);
    const refused = [
      [without('cookie'), 401],
      [{ ...page, cookie: `${page.cookie}x` }, 401],
      [without('origin'), 403],
      [{ ...page, origin: 'null' }, 403],
      [{ ...page, origin: 'https://example.org' }, 403],
      // Of the same machine, and yet another origin than the one that is asked.
      [{ ...page, origin: `http://localhost:${port}` }, 403],
      [{ ...page, origin: 'http://127.0.0.1:1' }, 403],
      [without('x-workspace-person'), 403],
      [{ ...page, 'x-workspace-person': 'yes' }, 403],
      [{ ...page, 'content-type': 'text/plain' }, 415],
    ] as const;
    const changes = [
      [`asks/${id}`, { decision: 'allow', version }],
      ['undo', { run_id: 'mcp:0' }],
      ['redo', { run_id: 'mcp:0' }],
      ['preallow', { kind: 'lab', action: 'send', allowed: true }],
      [`tokens/${host.host.registry.tokens()[0]?.id}/revoke`, {}],
    ] as const;
    for (const [name, body] of changes)
      for (const [headers, status] of refused) {
        const sent = { method: 'POST', headers, body: JSON.stringify(body) };
        const response = await fetch(`${host.address}/w/studio/person/${name}`, sent);
        expect([name, headers, response.status]).toEqual([name, headers, status]);
        await response.text();
      }
    expect(await askAt(link)).toMatchObject({ state: 'asking', version });
    expect(host.host.registry.preallowed('studio')).toEqual([]);
    expect((await person.post(`/w/studio/person/asks/${id}`, { decision: 'allow', version })).status).toBe(200);
  });

  it('nobody is told to open a link that works, on pages in HTML and elsewhere in JSON', async () => {
    const { host } = await setTable();
    for (const path of ['/', ...reads]) {
      const response = await fetch(`${host.address}${path}`);
      expect([path, response.status]).toEqual([path, 401]);
      expect(await response.text()).toContain('telic workspace open');
    }
    for (const path of data) {
      const response = await fetch(`${host.address}${path}`);
      expect([path, response.status]).toEqual([path, 401]);
      expect(await response.json()).toMatchObject({ code: 'no_person' });
    }
  });

  it('a link on another site leads here in two steps, for browsers keep the cookie back in the first', async () => {
    const { host, person } = await setTable();
    const path = '/w/studio/asks/k41vk41vk41v';
    const navigated = async (
      site: string,
      cookie = '',
    ): Promise<readonly [status: number | undefined, html: string]> => {
      // The fetch of Node says for itself where it comes from.
      const headers = { 'sec-fetch-site': site, 'sec-fetch-mode': 'navigate', cookie };
      const [response] = await once(request(`${host.address}${path}`, { headers }).end(), 'response');
      return [response.statusCode, await text(response)];
    };
    const [first, html] = await navigated('cross-site');
    expect(first).toBe(200);
    expect(html).toContain(`content="0;url=${path}"`);
    expect((await navigated('same-origin'))[0]).toBe(401);
    expect((await navigated('same-origin', person.cookie))[0]).toBe(200);
  });

  it('refuses what it does not know, and bodies that are no decision or too long', async () => {
    const { host, person, agent, call, askAt } = await setTable();
    const statusOf = async (response: Promise<Response>): Promise<number> => {
      const { status, body } = await response;
      await body?.cancel();
      return status;
    };
    expect(await statusOf(person.get('/w/nowhere/'))).toBe(404);
    expect(await statusOf(person.get('/w/nowhere/person/asks'))).toBe(404);
    expect(await statusOf(person.get('/w/studio/person/nothing'))).toBe(404);
    expect(await statusOf(person.get('/w/studio/nothing'))).toBe(404);
    expect(await statusOf(person.get('/page/nothing.js'))).toBe(404);
    expect(await statusOf(person.get('/page/..%2fpersonDoor.ts'))).toBe(404);
    expect(await statusOf(person.get('/w/studio/person/asks/k41vk41vk41v'))).toBe(404);
    expect(await statusOf(person.post('/w/studio/person/asks/k41vk41vk41v', { decision: 'allow', version: 1 }))).toBe(
      404,
    );
    expect(await statusOf(person.get('/w/studio/person/activity?before=yesterday'))).toBe(400);
    const get = await person.get('/w/studio/person/undo');
    expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST']);
    const put = await fetch(`${host.address}/w/studio/`, { method: 'PUT', headers: { cookie: person.cookie } });
    expect([put.status, put.headers.get('allow')]).toEqual([405, 'GET, HEAD']);

    const desk = await agent('Desk agent');
    const { id, version } = await askAt(linkOf(await call(desk, 'lab#send', { note: 'Hello' })));
    const path = `/w/studio/person/asks/${id}`;
    for (const body of [
      null,
      [],
      {},
      { decision: 'allow' },
      { decision: 'perhaps', version },
      { decision: 'allow', version: String(version) },
      { decision: 'allow', version, extra: 1 },
      { decision: 'refuse', version, reason: 'x'.repeat(501) },
    ])
      expect([body, await statusOf(person.post(path, body))]).toEqual([body, 400]);
    const long = { decision: 'refuse', version, reason: 'x'.repeat(bodyBytes) };
    expect(await statusOf(person.post(path, long))).toBe(413);
    expect(await statusOf(person.post(path, { decision: 'allow', version }))).toBe(200);
  });
});
