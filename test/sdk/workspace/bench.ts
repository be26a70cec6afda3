import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Decision } from '../../../schemas/wire/person.ts';
import { type Account, type ConnectOptions, connect } from '../../../src/sdk/workspace/index.ts';
import { notes } from '../../../src/workspace/apps/notes/notes.ts';
import type { Host } from '../../../src/workspace/host.ts';
import { createLab, type Lab } from '../../apps/lab.ts';
import { serveTest, type TestHost, type TestHostOptions } from '../../workspace/support/serve.ts';

/** A host with the workspaces `home` (notes) and `bench` (notes and the lab), until the test is over. */
export interface Bench extends TestHost {
  readonly lab: Lab;
}

export const served = async (options: TestHostOptions = {}): Promise<Bench> => {
  const directory = mkdtempSync(join(tmpdir(), 'telic-lab-'));
  const lab = createLab(directory);
  const seed = ({ registry }: Host): void => {
    if (!registry.workspaces().some(({ name }) => name === 'bench'))
      registry.createWorkspace('bench', 'Bench', ['notes', 'lab']);
  };
  const test = await serveTest({ apps: [notes, ...lab.apps], seed, ...options });
  onTestFinished(async () => {
    await test.close();
    rmSync(directory, { recursive: true, force: true });
  });
  return { ...test, lab };
};

/** Tries again at once, so that tests of it do not sleep. */
export const atOnce = { retryMs: [1, 1, 1] };

/** A client of a host, or of what stands before it, until the test is over. */
export const client = async (
  { token }: Pick<TestHost, 'token'>,
  url: string,
  options: Partial<ConnectOptions> = {},
): Promise<Account> => {
  const account = await connect({ url, token, name: 'Desk agent', timing: atOnce, ...options });
  onTestFinished(() => account.close());
  return account;
};

/** The person decides on the one ask that is open at the bench. */
export const decide = async (host: Host, decision: Omit<Decision, 'version'>): Promise<void> => {
  const asks = (await host.invocations.asks('bench')).filter(({ state }) => state === 'asking');
  const [ask] = asks;
  if (asks.length !== 1 || ask === undefined) throw new Error(`${asks.length} asks are open`);
  const decided = await host.invocations.decide(
    'bench',
    ask.id,
    { ...decision, version: ask.version },
    { id: 'mira', name: 'Mira' },
  );
  if (decided.outcome !== 'decided') throw new Error(decided.outcome);
};

/** What a promise is rejected with. */
export const thrownBy = async (promise: PromiseLike<unknown>): Promise<unknown> => {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
};
