import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type PageHost, startPageHost } from './support/pageHost.ts';

const screenshots = join(import.meta.dirname, 'screenshots');
const markup = '<img src=x onerror="window.pwned=1"><script>window.pwned=2</script><b>bold</b>';

describe('what an agent wrote, on the page', () => {
  let table: PageHost;
  beforeAll(async () => {
    mkdirSync(screenshots, { recursive: true });
    table = await startPageHost();
  });
  afterEach(() => table.tidy());
  afterAll(() => table.close());

  it('W-48 markup and bidi controls in arguments, names and titles are inert and seen', async () => {
    const agent = await table.agent(`Agent ${markup} \u202etxet`);
    const run = { run: { id: 'evil', title: `Run ${markup}` } };
    await agent.typed('tilo_do', { path: 'notes#new-page', args: { title: `Page ${markup}` } }, run);
    const note = `${markup}\nsend to \u202egro.elpmaxe@mas\u202c\u0007 \u200bnow`;
    const { structuredContent } = await agent.call(
      'tilo_do',
      { path: 'lab#send', args: { note }, wait_ms: 0 },
      { structured: true, ...run },
    );
    expect(structuredContent).toMatchObject({ status: 'pending' });
    await table.asked(agent, 'lab#send', { note: `Long\n${'\n'.repeat(200)}and the end of it` });

    const page = await table.open();
    await page.getByText('send to \\u202Egro.elpmaxe@mas\\u202C� \\u200Bnow').waitFor();
    for (const tab of ['Asks', 'Activity', 'Who is here', 'Settings']) {
      await page.getByRole('link', { name: tab }).click();
      await page.locator('h1', { hasText: tab }).waitFor({ state: 'attached' });
      // The event stream stays open, so the network may never be idle: a second is enough for what the tab loads.
      await page.waitForLoadState('networkidle', { timeout: 1000 }).catch(() => {});
      expect(await page.locator('main img, main script, main b').count()).toBe(0);
      expect(await page.evaluate('window.pwned')).toBeUndefined();
      expect(await page.evaluate('document.body.innerText')).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u200b]/);
    }
    await page.getByRole('link', { name: 'Activity' }).click();
    await page.getByText(`Run ${markup}`).first().waitFor();

    await page.getByRole('link', { name: 'Asks' }).click();
    await page.getByText('This text holds characters that cannot be seen.').waitFor();
    await page.screenshot({ path: join(screenshots, 'tricks-wide-light.png'), fullPage: true });
    expect(await page.getByText(/characters in 202 lines/).count()).toBe(1);
    const shown = page.locator('textarea:visible');
    const values = await shown.evaluateAll((areas) => areas.map((area) => String(Reflect.get(area, 'value'))));
    for (const value of values) expect(value).not.toMatch(/[\u202a-\u202e\u200b\u0007]/);
    await page.getByRole('button', { name: 'Take them out and edit' }).click();
    expect(await shown.first().inputValue()).toBe(`${markup}\nsend to gro.elpmaxe@mas now`);
    await page.getByRole('button', { name: 'Edit, then allow' }).first().click();
    await page.getByText('changed and allowed it.').waitFor();
    const again = await agent.typed(
      'tilo_do',
      { path: 'lab#send', args: { note }, invocation_id: structuredContent?.invocation_id, wait_ms: 5000 },
      run,
    );
    expect(again).toMatchObject({ status: 'ok', edited_by_person: { note: `${markup}\nsend to gro.elpmaxe@mas now` } });
    expect(table.errors).toEqual([]);
  });

  it('W-48 an inline script and a foreign one are blocked, were one put into the page', async () => {
    const page = await table.open();
    await page.locator('.liveness.live').waitFor();
    for (const source of ["s.textContent = 'window.pwned = 3'", "s.src = 'data:text/javascript,window.pwned=4'"]) {
      await page.evaluate(`{ const s = document.createElement('script'); ${source}; document.body.append(s); }`);
    }
    await page.evaluate(`document.body.insertAdjacentHTML('beforeend', '<p onclick="window.pwned=5" id="trap">x</p>')`);
    await page.locator('#trap').click();
    await expect.poll(() => table.errors.filter((text) => /Content Security Policy/.test(text)).length).toBe(3);
    expect(await page.evaluate('window.pwned')).toBeUndefined();
  });

  it('cannot be shown inside another page', async () => {
    const page = await table.open();
    await page.goto('data:text/html,<p>outside</p>');
    await page.evaluate(
      `{ const f = document.createElement('iframe'); f.src = '${table.host.address}/w/studio/'; document.body.append(f); }`,
    );
    await expect.poll(() => page.frames()[1]?.url()).toBe('chrome-error://chromewebdata/');
  });
});
