import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { AskRef } from '../../../schemas/wire/answers.ts';
import { notes } from '../../../src/workspace/apps/notes/notes.ts';
import { createLab, type Lab } from '../../apps/lab.ts';
import { serveTest, type TestHost, type TestHostOptions } from '../../workspace/support/serve.ts';
import { openClient, type WireClient } from '../../workspace/support/wireClient.ts';
import { buildPage } from './buildPage.ts';
import { formApp } from './formApp.ts';
import { seedStudio } from './studio.ts';

/** A host with its page, a browser, and an agent that asks. */
export interface PageHost {
  readonly host: TestHost;
  readonly lab: Lab;
  readonly browser: Browser;
  /** What the pages wrote to their consoles as errors, and what they threw. */
  readonly errors: string[];
  /** A client of the workspace `studio`. */
  agent(name: string): Promise<WireClient>;
  /** Asks and does not wait; gives where the ask is. */
  asked(agent: WireClient, path: string, args: object, more?: Readonly<Record<string, unknown>>): Promise<string>;
  /** A signed-in page of `studio` in a browser of its own. */
  open(options?: Parameters<Browser['newContext']>[0]): Promise<Page>;
  /** Closes what was opened and forgets its errors, but for those that a test means to meet; gives the others. */
  tidy(meant?: RegExp): Promise<readonly string[]>;
  close(): Promise<void>;
}

export const startPageHost = async (options: TestHostOptions = {}): Promise<PageHost> => {
  const folder = mkdtempSync(join(tmpdir(), 'telic-lab-'));
  const files = await buildPage();
  const lab = createLab(folder);
  const host = await serveTest({ apps: [notes, lab.lab, formApp], page: { files }, seed: seedStudio, ...options });
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox'],
  });
  const errors: string[] = [];
  const contexts: BrowserContext[] = [];

  const listen = (context: BrowserContext): void => {
    context.on('page', (page) => {
      page.on('console', (message) => {
        if (message.type() === 'error') errors.push(message.text());
      });
      page.on('pageerror', (error) => errors.push(String(error)));
    });
  };

  const closePages = async (): Promise<void> => {
    for (const context of contexts.splice(0)) await context.close();
  };

  return {
    host,
    lab,
    browser,
    errors,
    agent: (name) => openClient({ address: host.address, path: '/w/studio/mcp', token: host.token }, name),
    asked: async (agent, path, args, more = {}) => {
      const { structuredContent } = await agent.call(
        'tilo_do',
        { path, args, wait_ms: 0, ...more },
        { structured: true },
      );
      const url = AskRef.parse(structuredContent?.ask).url;
      if (url === undefined) throw new Error(`no ask: ${JSON.stringify(structuredContent)}`);
      return url;
    },
    open: async (contextOptions) => {
      const context = await browser.newContext({ locale: 'en-GB', ...contextOptions });
      contexts.push(context);
      listen(context);
      const page = await context.newPage();
      await page.goto(`${host.address}/enter?code=${host.host.registry.createLoginCode('studio')}`);
      return page;
    },
    tidy: async (meant = /^$/) => {
      await closePages();
      return errors.splice(0).filter((text) => !meant.test(text));
    },
    close: async () => {
      await closePages();
      await browser.close();
      await host.close();
      rmSync(folder, { recursive: true, force: true });
      rmSync(files, { recursive: true, force: true });
    },
  };
};
