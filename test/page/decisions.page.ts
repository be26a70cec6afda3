import type { Locator, Page } from 'playwright-core';
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
// A refused decision is an answer, which browsers note in the console all the same.
afterEach(async () => expect(await table.tidy(/ERR_FAILED|status of (409|422)/)).toEqual([]));

/** Asks under an id of its own; gives the link, and the call again with what came of it. */
const ask = async (
  note: string,
  more: object = {},
): Promise<Readonly<{ link: string; again(wait_ms?: number): Promise<object> }>> => {
  const invocation_id = `id-${note.replaceAll(/\W/g, '-')}`;
  const args = { note, ...more };
  const link = await table.asked(desk, 'lab#send', args, { invocation_id });
  return {
    link,
    again: (wait_ms = 10_000) => desk.typed('tilo_do', { path: 'lab#send', args, invocation_id, wait_ms }),
  };
};

const card = (page: Page, link: string): Locator => page.locator(`[data-ask="${link.split('/').at(-1)}"]`);

/** The text of what has the keyboard: its own, or that of its label. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(
    '(document.activeElement.labels?.[0] ?? document.activeElement).textContent.trim().replace(/\\s+/g, " ")',
  );

/** Presses Tab until what is wanted has the keyboard. */
const tabTo = async (page: Page, wanted: RegExp, key = 'Tab'): Promise<void> => {
  for (let presses = 0; presses < 60; presses += 1) {
    if (wanted.test(await focused(page))) return;
    await page.keyboard.press(key);
  }
  throw new Error(`nothing called ${wanted} takes the keyboard`);
};

describe('an ask decided with the pointer', () => {
  it('is allowed as it was asked', async () => {
    const { link, again } = await ask('Clicked and allowed');
    const page = await table.open();
    await page.goto(link);
    await page.getByRole('button', { name: 'Allow', exact: true }).click();
    await page.getByText('Mira allowed it. It runs when Desk agent calls again.').waitFor();
    expect(await again()).toMatchObject({ status: 'ok', result: { sent: 'Clicked and allowed' } });
    await page.getByText('Mira allowed it. It is done.').waitFor();
  });

  it('is changed and allowed, once something differs', async () => {
    const { link, again } = await ask('Clicked and edited', { hold: 'before' });
    const page = await table.open();
    await page.goto(link);
    const edit = page.getByRole('button', { name: 'Edit, then allow' });
    const note = page.getByRole('textbox', { name: 'note' });
    expect(await edit.isDisabled()).toBe(true);
    await note.fill('Something else');
    expect(await edit.isDisabled()).toBe(false);
    await page.getByRole('button', { name: 'Allow as asked' }).waitFor();
    await page.getByRole('button', { name: 'Put back what was sent' }).click();
    expect(await note.inputValue()).toBe('Clicked and edited');
    expect(await edit.isDisabled()).toBe(true);

    await note.fill('Edited by hand');
    await page.getByRole('radio', { name: 'after' }).check();
    await edit.click();
    await page.getByText('Mira changed and allowed it.').waitFor();
    expect(await again()).toMatchObject({
      status: 'ok',
      result: { sent: 'Edited by hand' },
      edited_by_person: { note: 'Edited by hand', hold: 'after' },
    });
    await page.getByText('It is done.').waitFor();
    expect(await page.getByText('asked for: Clicked and edited').count()).toBe(1);
  });

  it('stays open with a message at the argument that does not fit', async () => {
    const { link, again } = await ask('Clicked and misfit');
    const page = await table.open();
    await page.goto(link);
    const note = page.getByRole('textbox', { name: 'note' });
    await note.fill('');
    await page.getByText('2 parameters not given').click();
    await page.getByRole('textbox', { name: 'gate' }).fill('NOT A GATE');
    await page.getByRole('button', { name: 'Edit, then allow' }).click();
    await page.getByText('The changes do not fit yet.').waitFor();
    expect(await page.locator('.error:visible').count()).toBeGreaterThan(0);
    expect(await page.locator('[aria-invalid="true"]').count()).toBeGreaterThan(0);
    expect(await page.getByRole('textbox', { name: 'gate' }).inputValue()).toBe('NOT A GATE');
    await page.getByRole('button', { name: 'Refuse' }).click();
    await page.getByText('Mira refused it.').waitFor();
    expect(await again()).toMatchObject({ status: 'failed', error: { code: 'refused' } });
  });

  it('is refused with a reason', async () => {
    const { link, again } = await ask('Clicked and refused');
    const page = await table.open();
    await page.goto(link);
    await page.getByRole('textbox', { name: /Reason/ }).fill('Not <b>today</b>');
    await page.getByRole('button', { name: 'Refuse' }).click();
    await page.getByText('Not <b>today</b>').waitFor();
    expect(await again()).toMatchObject({
      status: 'failed',
      error: { code: 'refused', message: 'Mira refused: Not <b>today</b>.' },
    });
  });

  it('is taken back while nobody has used it', async () => {
    const { link, again } = await ask('Allowed and taken back');
    const page = await table.open();
    await page.goto(link);
    await page.getByRole('button', { name: 'Allow', exact: true }).click();
    // A click that follows at once is held back; the keyboard is not.
    await page.getByRole('button', { name: 'Take the permission back' }).press('Enter');
    await page.getByText('Mira refused it.').waitFor();
    expect(await again()).toMatchObject({ status: 'failed', error: { code: 'refused' } });
  });
});

describe('an ask decided with the keyboard alone', () => {
  it('is reached from the list, allowed, and leaves the keyboard at its outcome', async () => {
    const { link, again } = await ask('Typed and allowed');
    const page = await table.open();
    await card(page, link).waitFor();
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('Skip to content');
    await page.keyboard.press('Enter');
    await tabTo(page, /^Send on Lab/);
    await page.keyboard.press('Enter');
    await page.waitForURL(link);
    await tabTo(page, /^Allow$/);
    await page.keyboard.press('Enter');
    await page.getByText('Mira allowed it.').waitFor();
    expect(await focused(page)).toMatch(/^Send on Lab/);
    expect(await again()).toMatchObject({ status: 'ok' });
  });

  it('is changed and allowed, choices with the arrow keys', async () => {
    const { link, again } = await ask('Typed and edited', { hold: 'before' });
    const page = await table.open();
    await page.goto(link);
    await tabTo(page, /^note$/);
    await page.keyboard.press('Control+A');
    await page.keyboard.type('By keys');
    await tabTo(page, /^before$/);
    await page.keyboard.press('ArrowDown');
    await tabTo(page, /^Edit, then allow$/);
    await page.keyboard.press('Space');
    await page.getByText('Mira changed and allowed it.').waitFor();
    expect(await again()).toMatchObject({ edited_by_person: { note: 'By keys', hold: 'after' } });
  });

  it('is refused with a reason', async () => {
    const { link, again } = await ask('Typed and refused');
    const page = await table.open();
    await page.goto(link);
    await tabTo(page, /^Reason/);
    await page.keyboard.type('No, thanks');
    await page.keyboard.press('Enter');
    expect(await page.getByRole('button', { name: 'Refuse' }).count()).toBe(1);
    await tabTo(page, /^Refuse$/);
    await page.keyboard.press('Enter');
    await page.getByText('No, thanks').waitFor();
    expect(await again()).toMatchObject({ error: { message: 'Mira refused: No, thanks.' } });
  });

  it('has a focus that is seen, wherever the keyboard is', async () => {
    await ask('Looked at');
    const page = await table.open();
    await page.getByRole('heading', { name: 'Send on Lab' }).first().waitFor();
    for (let presses = 0; presses < 20; presses += 1) {
      await page.keyboard.press('Tab');
      const style = 'getComputedStyle(document.activeElement)';
      const outline = await page.evaluate(`${style}.outlineStyle + ' ' + parseFloat(${style}.outlineWidth)`);
      expect([await focused(page), outline]).toEqual([await focused(page), 'solid 3']);
    }
  });
});

describe('two windows on one ask', () => {
  it('tell the second, in words, that it came too late', async () => {
    const { link } = await ask('Two windows');
    const [first, second] = [await table.open(), await table.open()];
    // The second hears nothing of the first, as behind a line that is down for a moment.
    await second.route('**/person/events*', (route) => route.abort());
    await second.route(/\/person\/asks(\/|$)/, (route) =>
      route.request().method() === 'GET' && late ? route.abort() : route.continue(),
    );
    let late = false;
    await first.goto(link);
    await second.goto(link);
    await second.getByRole('button', { name: 'Allow', exact: true }).waitFor();
    late = true;
    await first.getByRole('button', { name: 'Refuse' }).click();
    await first.getByText('Mira refused it.').waitFor();
    await second.getByRole('button', { name: 'Allow', exact: true }).click();
    await second.getByText('Another window decided first: Mira refused it.').waitFor();
    expect(await second.getByRole('button', { name: 'Allow' }).count()).toBe(0);
  });

  it('show at once in the second what the first decides, and keep what is written elsewhere', async () => {
    const one = await ask('Seen in both');
    const other = await ask('Being edited');
    const [first, second] = [await table.open(), await table.open()];
    await first.goto(one.link);
    const edited = card(second, other.link).getByRole('textbox', { name: 'note' });
    await edited.fill('Half a sen');
    for (let presses = 0; presses < 6; presses += 1) await second.keyboard.press('ArrowLeft');
    await first.getByRole('button', { name: 'Refuse' }).click();
    await card(second, one.link).getByText('Another window decided first: Mira refused it.').waitFor();
    const third = await ask('Another one comes meanwhile');
    await card(second, third.link).waitFor();
    expect(await edited.inputValue()).toBe('Half a sen');
    expect(await focused(second)).toBe('note');
    expect(await second.evaluate('document.activeElement.selectionStart')).toBe(4);
  });

  it('decide nothing with a click that comes just as the page moved by itself', async () => {
    const above = await ask('Above');
    const below = await ask('Below');
    const page = await table.open();
    await page.clock.install();
    await page.reload();
    await page.locator('.liveness.live').waitFor();
    await page.clock.pauseAt(Date.now() + 60_000);
    const second = card(page, below.link);
    await second.waitFor();
    const { invocations, registry } = table.host.host;
    const id = above.link.split('/').at(-1) ?? '';
    await invocations.decide('studio', id, { decision: 'refuse', version: 1 }, registry.person());
    await card(page, above.link).getByText('Mira refused it.').first().waitFor();
    await second.getByRole('button', { name: 'Allow', exact: true }).click();
    await second.getByText('The page moved just then, so nothing was decided.').waitFor();
    expect(await below.again(0)).toMatchObject({ status: 'pending' });
    await page.clock.runFor(1000);
    await second.getByRole('button', { name: 'Allow', exact: true }).click();
    await second.getByText('Mira allowed it.').waitFor();
  });
});
