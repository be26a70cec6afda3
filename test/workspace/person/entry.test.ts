import { describe, expect, it } from 'vitest';
import { cookieOf, setTable, signIn } from './support.ts';

describe('the way in', () => {
  it('takes a code once, signs the browser in for thirty days and leads to the workspace', async () => {
    const { host } = await setTable();
    const { registry } = host.host;
    const link = `${host.address}/enter?code=${registry.createLoginCode('studio')}`;
    // Looking at a link does not use it up.
    expect((await fetch(link, { method: 'HEAD', redirect: 'manual' })).status).toBe(410);
    const entered = await fetch(link, { redirect: 'manual' });
    expect(entered.status).toBe(303);
    expect(entered.headers.get('location')).toBe('/w/studio/');
    const { port } = new URL(host.address);
    const [set] = entered.headers.getSetCookie();
    expect(set).toMatch(
      new RegExp(`^telic_person_${port}=[A-Za-z0-9_-]{43}; HttpOnly; SameSite=Strict; Path=/; Max-Age=2592000$`),
    );
    const cookie = cookieOf(entered);
    expect((await fetch(`${host.address}/w/studio/`, { headers: { cookie } })).status).toBe(200);

    const again = await fetch(link, { redirect: 'manual' });
    expect(again.status).toBe(410);
    expect(again.headers.getSetCookie()).toEqual([]);
    expect(await again.text()).toContain('telic workspace open');
    const signedIn = await fetch(link, { redirect: 'manual', headers: { cookie } });
    expect(await signedIn.text()).toContain('You are signed in here all the same');
  });

  it('gives nothing for a code that is older than five minutes, missing or made up', async () => {
    let now = Date.now();
    const { host } = await setTable({ clock: { now: () => now } });
    const code = host.host.registry.createLoginCode('studio');
    now += 5 * 60_000;
    for (const query of [`?code=${code}`, '', '?code=', '?code=aaaaaaaaaaaaaaaaaaaaaa']) {
      const response = await fetch(`${host.address}/enter${query}`, { redirect: 'manual' });
      expect([query, response.status, response.headers.getSetCookie()]).toEqual([query, 410, []]);
    }
  });

  it('lets the person in for thirty days and no longer', async () => {
    let now = Date.now();
    const { person } = await setTable({ clock: { now: () => now } });
    now += 30 * 24 * 3_600_000 - 1;
    expect((await person.get('/w/studio/person/asks')).status).toBe(200);
    now += 1;
    expect((await person.get('/w/studio/person/asks')).status).toBe(401);
  });

  it('shows the workspaces, with how many asks wait in each, and their labels as text', async () => {
    const { host, person, agent, call } = await setTable();
    host.host.registry.createWorkspace('odd', '<b>"Odd" & co</b>', []);
    const desk = await agent('Desk agent');
    await call(desk, 'lab#send', { note: 'One' });
    await call(desk, 'lab#send', { note: 'Two' });
    const html = await (await person.get('/')).text();
    expect(html).toContain('href="/w/studio/"');
    expect(html).toContain('2 waiting for you');
    expect(html).toContain('&lt;b&gt;&quot;Odd&quot; &amp; co&lt;/b&gt;');
    expect(html).not.toContain('<b>');
  });

  it('keeps browsers of two hosts on one machine apart', async () => {
    const first = await setTable();
    const second = await setTable();
    const { registry } = second.host.host;
    const other = await signIn(second.host.address, registry.createLoginCode('studio'));
    const cookie = `${other.cookie}; ${first.person.cookie}`;
    const path = '/w/studio/person/asks';
    expect((await fetch(`${first.host.address}${path}`, { headers: { cookie } })).status).toBe(200);
    expect((await fetch(`${second.host.address}${path}`, { headers: { cookie } })).status).toBe(200);
    expect((await fetch(`${second.host.address}${path}`, { headers: { cookie: first.person.cookie } })).status).toBe(
      401,
    );
  });
});
