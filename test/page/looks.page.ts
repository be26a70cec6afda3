import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PageHost, startPageHost } from './support/pageHost.ts';

const screenshots = join(import.meta.dirname, 'screenshots');

const sizes = { wide: { width: 1280, height: 900 }, narrow: { width: 390, height: 844 } } as const;
const schemes = ['light', 'dark'] as const;

/** Every view with something to see in it. */
const arrange = async ({ asked, agent, host }: PageHost): Promise<Readonly<{ link: string; decided: string }>> => {
  const desk = await agent('Claude Code');
  const mover = await agent('Desk agent');
  const run = { run: { id: 'move', title: 'Plan the house move' } };
  await desk.typed('tilo_do', { path: 'notes/Garden#append-checkbox', args: { text: 'Prune the roses' } });
  await mover.typed('tilo_do', { path: 'notes#new-page', args: { title: 'Packing' } }, run);
  for (const text of ['Tent', 'Stove', 'Two blankets'])
    await mover.typed('tilo_do', { path: 'notes/Packing#append-checkbox', args: { text } }, run);
  await mover.typed('tilo_do', { path: 'lab#add-item', args: { name: 'Scales' } }, run);
  const change = await desk.typed('tilo_do', { path: 'notes/Garden#rename', args: { title: 'The garden' } });
  expect(change.status).toBe('ok');
  await desk.typed('tilo_do', { path: 'notes/The garden#undo', args: { steps: 1 } });

  const refused = await asked(desk, 'notes/Reading list#delete', {});
  const allowed = await asked(desk, 'lab#send', { note: 'Good morning' });
  const { registry, invocations } = host.host;
  for (const [url, decision] of [
    [refused, { decision: 'refuse', reason: 'I still read it' }],
    [allowed, { decision: 'allow_edited', args: { note: 'Good evening' } }],
  ] as const) {
    const id = url.split('/').at(-1) ?? '';
    await invocations.decide('studio', id, { ...decision, version: 1 }, registry.person());
  }
  await asked(mover, 'lab#open-vault', { code: 'rosebud', note: 'For the van' }, {});
  await asked(desk, 'notes/Garden#delete', {});
  const link = await asked(desk, 'notes/Garden#share', { with: 'sam@example.org', access: 'read' });
  return { link, decided: allowed };
};

describe('the look of the page', () => {
  let table: PageHost;
  let link: string;
  let decided: string;
  beforeAll(async () => {
    mkdirSync(screenshots, { recursive: true });
    table = await startPageHost();
    ({ link, decided } = await arrange(table));
  });
  afterAll(() => table.close());

  const shoot = async (page: Page, name: string): Promise<void> => {
    await page.waitForLoadState('load');
    await page.locator('.liveness.live').waitFor();
    await page.screenshot({ path: join(screenshots, `${name}.png`), fullPage: true });
    // Nothing is wider than the window.
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  };

  it.each(Object.keys(sizes).flatMap((size) => schemes.map((scheme) => [size, scheme] as const)))(
    'is taken %s and %s, without an error in the console',
    async (size, colorScheme) => {
      const viewport = size === 'wide' ? sizes.wide : sizes.narrow;
      const page = await table.open({ viewport, colorScheme });
      await page.getByRole('heading', { name: 'Share on Garden' }).waitFor();
      await shoot(page, `asks-${size}-${colorScheme}`);
      for (const [tab, seen] of [
        ['Activity', 'Plan the house move'],
        ['Who is here', 'Mira'],
        ['Settings', 'Always allowed'],
      ] as const) {
        await page.getByRole('link', { name: tab }).click();
        await page.getByText(seen).first().waitFor();
        await shoot(page, `${tab.toLowerCase().replaceAll(' ', '-')}-${size}-${colorScheme}`);
      }
      await page.goto(link);
      await page.getByRole('heading', { name: 'Share on Garden' }).waitFor();
      await shoot(page, `ask-${size}-${colorScheme}`);
      await page.goto(decided);
      await page.getByRole('button', { name: 'Take the permission back' }).waitFor();
      await shoot(page, `decided-${size}-${colorScheme}`);
      await page.goto(`${table.host.address}/`);
      await page.getByText('Studio', { exact: true }).waitFor();
      await page.screenshot({ path: join(screenshots, `workspaces-${size}-${colorScheme}.png`) });
      expect(table.errors).toEqual([]);
    },
  );
});
