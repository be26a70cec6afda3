import type { Page } from 'playwright-core';
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
afterEach(async () => expect(await table.tidy(/status of 422/)).toEqual([]));

const path = 'forms#hand-in';
const sent = {
  text: 'One line\r\nand another',
  choice: 2,
  integer: 7,
  number: 2.5,
  boolean: false,
  object: { size: 3, name: 'a\u202eb' },
  array: ['x', 'y'],
  resource: 'notes/Garden',
  datetime: '2026-05-12T10:00:00+02:00',
  secret: 'rosebud',
};

const asked = async (invocation_id: string, args: object): Promise<Page> => {
  const link = await table.asked(desk, path, args, { invocation_id });
  const page = await table.open();
  await page.goto(link);
  await page.getByRole('button', { name: 'Refuse' }).waitFor();
  return page;
};

const again = (invocation_id: string, args: object): Promise<object> =>
  desk.typed('tilo_do', { path, args, invocation_id, wait_ms: 10_000 });

describe('the form of an ask', () => {
  it('shows an argument of every type, and finds nothing changed where nothing was', async () => {
    const page = await asked('as-sent', sent);
    expect(await page.getByRole('radio', { name: '2' }).isChecked()).toBe(true);
    expect(await page.getByRole('radio', { name: 'no', exact: true }).isChecked()).toBe(true);
    expect(await page.getByRole('textbox', { name: 'integer' }).inputValue()).toBe('7');
    expect(JSON.parse(await page.getByRole('textbox', { name: 'object' }).inputValue())).toEqual(sent.object);
    expect(await page.getByRole('textbox', { name: 'object' }).inputValue()).toContain('\\u202e');
    expect(await page.getByText('secret: not shown').count()).toBe(1);
    expect(await page.content()).not.toContain('rosebud');
    const text = page.getByRole('textbox', { name: 'text' });
    await text.fill('else');
    await text.fill('One line\nand another');
    expect(await page.getByRole('button', { name: 'Edit, then allow' }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Allow', exact: true }).click();
    await page.getByText('Mira allowed it.').waitFor();
    const done = await again('as-sent', sent);
    expect(done).toMatchObject({ status: 'ok', result: { ...sent, secret: true } });
    expect(done).not.toHaveProperty('edited_by_person');
  });

  it('takes a change of every type but the secret', async () => {
    const page = await asked('all-changed', sent);
    const write = (name: string, value: string): Promise<void> =>
      page.getByRole('textbox', { name, exact: false }).fill(value);
    await write('text', 'Another\n\ntext');
    await page.getByRole('radio', { name: '3' }).check();
    await write('integer', '-8');
    await write('number', '1e3');
    await page.getByRole('radio', { name: 'yes' }).check();
    await write('object', '{"size": 4}');
    await write('array', '');
    await write('resource', 'notes/Reading list');
    await write('datetime', '2027-01-01T00:00:00Z');
    await page.getByRole('button', { name: 'Edit, then allow' }).click();
    await page.getByText('Mira changed and allowed it.').waitFor();
    const { secret: _secret, array: _array, ...kept } = sent;
    const edited = {
      ...kept,
      text: 'Another\n\ntext',
      choice: 3,
      integer: -8,
      number: 1000,
      boolean: true,
      object: { size: 4 },
      resource: 'notes/Reading list',
      datetime: '2027-01-01T00:00:00Z',
    };
    const done = await again('all-changed', sent);
    expect(done).toMatchObject({ status: 'ok', edited_by_person: edited, result: { ...edited, secret: true } });
  });

  it('gives what was not given, when the person does', async () => {
    const page = await asked('given-later', { text: 'Only a text' });
    await page.getByText('9 parameters not given').click();
    await page.getByRole('radio', { name: 'yes' }).check();
    await page.getByRole('textbox', { name: 'integer' }).fill('5');
    await page.getByRole('button', { name: 'Edit, then allow' }).click();
    await page.getByText('Mira changed and allowed it.').waitFor();
    expect(await again('given-later', { text: 'Only a text' })).toMatchObject({
      edited_by_person: { text: 'Only a text', boolean: true, integer: 5 },
    });
  });

  it('says at the argument what is wrong, before and after it is sent', async () => {
    const page = await asked('wrong', sent);
    const edit = page.getByRole('button', { name: 'Edit, then allow' });
    const object = page.getByRole('textbox', { name: 'object' });
    await object.fill('{"size": ');
    await page.getByRole('textbox', { name: 'integer' }).fill('seven');
    await edit.click();
    await page.getByText('This is no JSON.').waitFor();
    await page.getByText('Write a whole number.').waitFor();
    expect(await page.evaluate('document.activeElement.labels[0].textContent')).toContain('integer');
    await page.getByRole('textbox', { name: 'integer' }).fill('8');
    await object.fill('{"size": "large"}');
    await page.getByRole('textbox', { name: 'resource' }).fill('notes/Nowhere');
    await edit.click();
    const wrong = page.locator('.error:visible');
    await wrong.nth(1).waitFor();
    expect(await wrong.count()).toBe(2);
    await object.fill('{"size": 9}');
    expect(await wrong.count()).toBe(1);
    await page.getByRole('textbox', { name: 'resource' }).fill('notes/Garden');
    await edit.click();
    await page.getByText('Mira changed and allowed it.').waitFor();
    expect(await again('wrong', sent)).toMatchObject({ status: 'ok', result: { integer: 8, object: { size: 9 } } });
  });

  it('is allowed for good where the person ticks it, and asks no more', async () => {
    const page = await asked('always', { text: 'First' });
    await page.getByRole('checkbox', { name: /Always allow this action here/ }).check();
    await page.getByRole('button', { name: 'Allow', exact: true }).click();
    await page.getByText('Mira allowed it.').waitFor();
    expect(await again('unasked', { text: 'Second' })).toMatchObject({ status: 'ok' });
    await page.getByRole('link', { name: 'Settings' }).click();
    const box = page.getByRole('checkbox', { name: 'Hand in forms' });
    await expect.poll(() => box.isChecked()).toBe(true);
    await box.uncheck();
    await expect.poll(() => table.host.host.registry.isPreallowed('studio', 'forms', 'hand-in')).toBe(false);
  });

  it('keeps what the person wrote while another view is looked at', async () => {
    const page = await asked('looked-away', { text: 'Half' });
    const text = page.getByRole('textbox', { name: 'text' });
    await text.fill('Half a thought');
    await page.getByRole('link', { name: 'Activity' }).click();
    await page.goBack();
    expect(await text.inputValue()).toBe('Half a thought');
    await page.getByRole('link', { name: 'Skip to content' }).focus();
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.id')).toBe('main');
    expect(await text.inputValue()).toBe('Half a thought');
  });
});
