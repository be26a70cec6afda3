import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Done } from '../../../schemas/wire/answers.ts';
import { wireAnswers } from '../../../schemas/wire/answers.ts';
import { type Ask, AskAnswer } from '../../../schemas/wire/person.ts';
import { notes } from '../../../src/workspace/apps/notes/notes.ts';
import { createLab, type Lab } from '../../apps/lab.ts';
import { serveTest, type TestHost, type TestHostOptions } from '../support/serve.ts';
import { openClient, type WireClient } from '../support/wireClient.ts';

/** The browser of a signed-in person, as far as HTTP goes. */
export interface PersonClient {
  /** `name=value`, as a browser sends it. */
  readonly cookie: string;
  /** Sends a request with the cookie; `path` is behind the address. */
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Response>;
  /** Posts as the page does: with the cookie, its Origin and its header. */
  post(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<Response>;
}

export interface Table {
  readonly host: TestHost;
  readonly lab: Lab;
  readonly person: PersonClient;
  agent(name: string): Promise<WireClient>;
  /** Calls an action of the lab; typed. */
  call(agent: WireClient, path: string, args: object, more?: Readonly<Record<string, unknown>>): Promise<Done>;
  /** The ask behind a link that a pending call gave. */
  askAt(url: string): Promise<Ask>;
}

/** The one cookie that an answer sets. */
export const cookieOf = (response: Response): string => response.headers.getSetCookie()[0]?.split(';')[0] ?? '';

export const signIn = async (address: string, code: string): Promise<PersonClient> => {
  const entered = await fetch(`${address}/enter?code=${code}`, { redirect: 'manual' });
  const cookie = cookieOf(entered);
  return {
    cookie,
    get: (path, headers) => fetch(`${address}${path}`, { headers: { cookie, ...headers }, redirect: 'manual' }),
    post: (path, body, headers) =>
      fetch(`${address}${path}`, {
        method: 'POST',
        headers: {
          cookie,
          origin: address,
          'content-type': 'application/json',
          'x-workspace-person': '1',
          ...headers,
        },
        body: JSON.stringify(body),
      }),
  };
};

/** A host with notes and the lab in the workspace `studio`, its person signed in; closed at the end of the test. */
export const setTable = async (options: TestHostOptions = {}): Promise<Table> => {
  const folder = mkdtempSync(join(tmpdir(), 'telic-person-'));
  const lab = createLab(folder);
  const host = await serveTest({
    apps: [notes, lab.lab],
    seed: ({ registry }) => registry.createWorkspace('studio', 'Studio', ['notes', 'lab']),
    ...options,
  });
  onTestFinished(async () => {
    await host.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const person = await signIn(host.address, host.host.registry.createLoginCode('studio'));
  return {
    host,
    lab,
    person,
    agent: (name) => openClient({ address: host.address, path: '/w/studio/mcp', token: host.token }, name),
    call: async (agent, path, args, more = {}) =>
      wireAnswers.tilo_do.options[1].parse(await agent.typed('tilo_do', { path, args, wait_ms: 0, ...more })),
    askAt: async (url) => {
      const id = new URL(url).pathname.split('/').at(-1) ?? '';
      const response = await person.get(`/w/studio/person/asks/${id}`);
      return AskAnswer.parse(await response.json()).ask;
    },
  };
};

/** The link of the ask that a call waits for. */
export const linkOf = ({ ask }: Done): string => {
  if (ask?.url === undefined) throw new Error('The call waits for no ask.');
  return ask.url;
};
