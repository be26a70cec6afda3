import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { WireClient } from '../workspace/support/wireClient.ts';
import { type PageHost, startPageHost } from './support/pageHost.ts';

let table: PageHost;
let desk: WireClient;
beforeAll(async () => {
  table = await startPageHost();
  desk = await table.agent('Desk agent');
});
afterAll(() => table.close());

describe('a page that is open', () => {
  afterEach(async () => expect(await table.tidy()).toEqual([]));

  it('announces an ask that comes, and again when it is put anew', async () => {
    const page = await table.open();
    await page.locator('.liveness.live').waitFor();
    await page.getByText('Nothing waits for you.').waitFor();
    expect(await page.title()).toBe('Asks · Studio · Telic');
    await table.asked(desk, 'lab#send', { note: 'Announced' }, { invocation_id: 'announced' });
    const status = page.locator('body > [aria-live="polite"]');
    await status.getByText('New ask: Desk agent asks for Send on Lab.').waitFor();
    expect(await page.title()).toBe('(1) Asks · Studio · Telic');
    await page.getByRole('link', { name: 'Asks 1 waiting' }).waitFor();
    await table.asked(desk, 'lab#send', { note: 'Announced' }, { invocation_id: 'announced' });
    await status.getByText('Asked again: Desk agent asks for Send on Lab.').waitFor();
    await page.getByText('asked again', { exact: true }).waitFor();
  });

  it('shows in the activity what is done and taken back, and tells a conflict in words', async () => {
    const page = await table.open();
    await page.getByRole('link', { name: 'Activity' }).click();
    await desk.typed('tilo_do', { path: 'notes/Garden#rename', args: { title: 'Yard' } });
    const step = page.locator('.step', { hasText: 'renamed to "Yard"' });
    await step.waitFor();
    await step.getByRole('button', { name: 'Take back' }).focus();
    await page.keyboard.press('Enter');
    await step.getByText('Took back 1 change in notes.').waitFor();
    await step.getByRole('button', { name: 'Put back' }).waitFor();
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Put back');
    await page.keyboard.press('Enter');
    await step.getByText('Put back 1 change in notes.').waitFor();

    const other = await table.agent('Other agent');
    await other.typed('tilo_do', { path: 'notes/Yard#rename', args: { title: 'Backyard' } });
    await page.locator('.step', { hasText: 'renamed to "Backyard"' }).waitFor();
    await step.getByRole('button', { name: 'Take back' }).click();
    await step.getByText(/Not taken back in notes: .*Other agent/).waitFor();
  });

  it('takes a run back in all its apps at once', async () => {
    const run = { run: { id: 'move', title: 'Plan the move' } };
    await desk.typed('tilo_do', { path: 'notes#new-page', args: { title: 'Packing' } }, run);
    await desk.typed('tilo_do', { path: 'lab#count', args: { name: 'boxes' } }, run);
    const page = await table.open();
    await page.getByRole('link', { name: 'Activity' }).click();
    const steps = page.locator('.step', { hasText: 'Plan the move' });
    await steps.getByRole('button', { name: 'Take back this run' }).first().click();
    await page.getByText(/Took back 2 changes in (notes, lab|lab, notes)\./).waitFor();
    await page.locator('.step.undone', { hasText: 'Plan the move' }).nth(1).waitFor();
  });

  it('shows who is here as they come', async () => {
    const page = await table.open();
    await page.getByRole('link', { name: 'Who is here' }).click();
    await page.getByText('Mira you').waitFor();
    const visitor = await table.agent('Visiting agent');
    await visitor.typed('tilo_ls', {});
    await page.getByText('Visiting agent').waitFor();
  });

  it('settles what needs no asking, and revokes a token at the second press', async () => {
    const { registry } = table.host.host;
    const { text } = registry.createToken({
      label: 'Old script',
      workspace: 'studio',
      max: 'read',
      expires_ms: null,
      run: null,
    });
    const page = await table.open();
    await page.getByRole('link', { name: 'Settings' }).click();
    const box = page.getByRole('checkbox', { name: 'Send once lab' });
    await box.focus();
    await page.keyboard.press('Space');
    await expect.poll(() => registry.isPreallowed('studio', 'lab', 'send-once')).toBe(true);
    await expect.poll(() => box.isChecked()).toBe(true);
    await box.uncheck();
    await expect.poll(() => registry.isPreallowed('studio', 'lab', 'send-once')).toBe(false);

    const row = page.locator('li', { hasText: 'Old script' });
    await row.getByRole('button', { name: 'Revoke' }).click();
    expect(registry.tokenOf(text)).not.toBeNull();
    await row.getByRole('button', { name: 'Revoke for good' }).click();
    await row.getByText('revoked').waitFor();
    expect(registry.tokenOf(text)).toBeNull();
  });

  it('goes back and forth with the browser, and opens at any of its addresses', async () => {
    const page = await table.open();
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('link', { name: 'Activity' }).click();
    await page.goBack();
    await page.getByRole('heading', { name: 'Always allowed' }).waitFor();
    expect(await page.getByRole('link', { name: 'Settings' }).getAttribute('aria-current')).toBe('page');
    await page.goto(`${table.host.address}/w/studio/here`);
    await page.getByText('Mira you').waitFor();
    expect(await page.locator('nav [aria-current]').textContent()).toBe('Who is here');
  });
});

describe('a page whose stream fails', () => {
  afterEach(async () => expect(await table.tidy(/ERR_FAILED|status of 401/)).toEqual([]));

  it('looks every five seconds instead, and goes back to the stream when it can', async () => {
    const page = await table.open();
    await page.locator('.liveness.live').waitFor();
    let down = true;
    await page.route('**/person/events*', (route) => (down ? route.abort() : route.continue()));
    await page.goto(`${table.host.address}/w/studio/`);
    await page.locator('.liveness.polling').waitFor();
    const link = await table.asked(desk, 'lab#send', { note: 'Polled' });
    await page.locator(`[data-ask="${link.split('/').at(-1)}"]`).waitFor({ timeout: 10_000 });
    down = false;
    await page.locator('.liveness.live').waitFor({ timeout: 20_000 });
  });

  it('says so when nobody is signed in any more', async () => {
    const page = await table.open();
    await page.locator('.liveness.live').waitFor();
    await page.context().clearCookies();
    // As when its window comes to the front again.
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    await page.getByRole('alert').getByText('You are no longer signed in.').waitFor();
    await page.reload();
    await page.getByText('You are not signed in').waitFor();
  });

  it('leaves room in the browser for decisions however many windows are open', async () => {
    const link = await table.asked(desk, 'lab#send', { note: 'Many windows' });
    const first = await table.open();
    const pages = [first];
    for (let more = 0; more < 7; more += 1) {
      const page = await first.context().newPage();
      await page.goto(link);
      await page.getByRole('heading', { name: 'Send on Lab' }).waitFor();
      pages.push(page);
    }
    const last = pages.at(-1) ?? first;
    await last.locator('.liveness.polling').waitFor();
    await last.getByRole('button', { name: 'Refuse' }).click();
    await last.getByText('Mira refused it.').waitFor();
  });
});
