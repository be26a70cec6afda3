import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { cursorOf } from '../../../schemas/wire/cursor.ts';
import { notes } from '../../../src/workspace/apps/notes/notes.ts';
import { serveTest, type TestHost } from '../support/serve.ts';
import { openClient, type WireClient } from '../support/wireClient.ts';
import { type Case, type Given, readFixture } from './cases.ts';
import { hangingShare } from './hangingShare.ts';
import { createSamples, type Samples } from './samples.ts';
import { seedFixture } from './seed.ts';

/** Plays recorded cases of the wire on fresh hosts, over HTTP. */

const fixture = readFixture();

interface Table {
  readonly samples: Samples;
  /** The item key of what was made last. */
  made: string | null;
  host: TestHost;
  clients: Map<string, WireClient>;
  readonly folders: string[];
}

const folder = (table: Pick<Table, 'folders'>): string => {
  const made = mkdtempSync(join(tmpdir(), 'telic-wire-'));
  table.folders.push(made);
  return made;
};

const Made = z.object({ appended: z.string() });
const fixtureItems = fixture.notes.flatMap(({ item, blocks }) => [item, ...blocks.map((block) => block.item)]);

/** An item key in a path that the fixture does not hold stands for what was made last. */
const bindItems = ({ samples, made }: Table, args: Readonly<Record<string, unknown>>): void => {
  const key = /\/([0-9a-f]{4})(?:#|$)/.exec(String(args.path))?.[1];
  if (key === undefined || made === null || fixtureItems.includes(key)) return;
  samples.bind(key, made, 'a path of the circumstances');
};

/** The client of a name at the case's endpoint; a session of its own. */
const clientOf = async (table: Table, endpoint: string, name: string): Promise<WireClient> => {
  const known = table.clients.get(name);
  if (known) return known;
  const { address, token } = table.host;
  const client = await openClient({ address, path: endpoint, token }, name);
  table.clients.set(name, client);
  return client;
};

/** What stands on the disk when a host is killed: its files as they are, without any farewell. */
const killAndStart = async (table: Table): Promise<void> => {
  const left = folder(table);
  cpSync(table.host.host.store.directory, left, { recursive: true });
  const dead = table.host;
  table.host = await serveTest({ data: left, apps: [notes], token: dead.token });
  await dead.close();
  table.clients = new Map();
};

const arrange = async (table: Table, given: Given, { endpoint, request }: Case): Promise<void> => {
  const { host } = table.host;
  const person = host.registry.person();
  if ('call' in given) {
    const { call, client: label = fixture.connection } = given;
    const client = await clientOf(table, endpoint, label);
    bindItems(table, call.arguments);
    const { result } = await client.typed(call.name, table.samples.ours(call.arguments), call.run && { run: call.run });
    table.made = Made.safeParse(result).data?.appended ?? table.made;
  } else if ('person' in given) {
    const { ask, decision, args, reason, opens, undo } = given.person;
    if (opens !== undefined) host.roster.personHere('home', person);
    if (undo !== undefined) {
      const change = host.events
        .after(0, 1000)
        .filter(({ kind }) => kind === 'change')
        .at(-1);
      await host.history.byPerson('home', 'undo', { change: cursorOf(change?.seq ?? 0) }, person.name);
    }
    if (ask !== undefined && decision !== undefined) {
      const open = (await host.invocations.asks('home'))[0];
      if (!open) throw new Error('nothing is asked');
      const { outcome } = await host.invocations.decide(
        'home',
        open.id,
        { decision, version: open.version, ...(args && { args }), ...(reason !== undefined && { reason }) },
        person,
      );
      if (outcome !== 'decided') throw new Error(`the decision was answered ${outcome}`);
    }
  } else if ('host' in given && given.host.startsWith('killed')) {
    // The invocation of the request runs, and what it runs never comes to an end.
    const client = await clientOf(table, endpoint, fixture.connection);
    const shared = (await host.invocations.asks('home'))[0];
    const invocation_id = String(request.params.arguments.invocation_id);
    await client.call('tilo_do', { path: shared?.path, args: shared?.args, invocation_id, wait_ms: 0 });
    await killAndStart(table);
  } else throw new Error(`no way to arrange ${JSON.stringify(given)}`);
};

/** The cursor that the recorded one of a request stands for. */
const cursorFor = (name: string, table: Table, before: Readonly<{ start: number; last: number }>): string | null => {
  if (name === 'tilo_watch.events') return cursorOf(before.start);
  if (name === 'tilo_watch.undone') return cursorOf(before.last);
  if (name === 'tilo_watch.quiet') return cursorOf(table.host.host.events.last());
  return null;
};

/** Drops the first events of a log, as time does. */
const forget = (table: Table): void => {
  const { host } = table.host;
  host.store.transaction(() => {
    for (let index = host.events.last(); index < 12; index += 1)
      host.events.append({
        workspace: 'studio',
        connection: null,
        kind: 'presence',
        ref: null,
        body: () => ({ kind: 'presence', here: [] }),
        time_ms: 0,
      });
  });
  host.store.db.prepare('DELETE FROM events WHERE seq <= 9').run();
};

/** Roster changes are logged a moment after they happen. */
const rosterMilliseconds = 350;
const settle = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });

/**
 * Plays one case on a fresh host; typed and as text.
 * @throws Error that says where the answer differs from the recorded one
 */
export const play = async (played: Case): Promise<void> => {
  for (const typed of [true, false]) {
    if (!typed && played.text === undefined) continue;
    const folders: string[] = [];
    const apps = [played.name === 'tilo_status.interrupted' ? hangingShare(notes) : notes];
    const data = folder({ folders });
    const host = await serveTest({
      data,
      apps,
      person: fixture.person,
      stopMs: 20,
      seed: (opened) => seedFixture(opened, fixture),
    });
    const table: Table = { host, clients: new Map(), folders, samples: createSamples(), made: null };
    const watches = played.name.startsWith('tilo_watch.');
    try {
      await clientOf(table, played.endpoint, fixture.connection);
      // That the client is here is logged a moment later; what comes next is told after it.
      if (watches) await settle(rosterMilliseconds);
      const before = { start: host.host.events.last(), last: 0 };
      for (const given of played.given ?? []) {
        before.last = host.host.events.last();
        await arrange(table, given, played);
      }
      if (played.name === 'tilo_watch.events') await settle(rosterMilliseconds);
      if (played.name === 'tilo_watch.old-cursor') forget(table);
      await compare(played, table, typed, before);
    } finally {
      await table.host.close();
      for (const made of folders) rmSync(made, { recursive: true, force: true });
    }
  }
};

const compare = async (
  played: Case,
  table: Table,
  typed: boolean,
  before: Readonly<{ start: number; last: number }>,
): Promise<void> => {
  const { samples } = table;
  bindItems(table, played.request.params.arguments);
  const recorded = String(played.request.params.arguments.cursor ?? '');
  const cursor = cursorFor(played.name, table, before);
  if (cursor !== null) samples.bind(recorded, cursor, 'the cursor of the request');
  const { _meta, ...params } = played.request.params;
  const meta = { ...(typeof _meta === 'object' ? _meta : {}) };
  const spoken = JSON.parse(JSON.stringify(meta).replace('"structured":true', `"structured":${typed}`));
  const client = await clientOf(table, played.endpoint, fixture.connection);
  const answer = await client.send({
    ...played.request,
    params: { ...params, arguments: samples.ours(params.arguments), _meta: spoken },
  });
  if (typed) samples.same(played.response, answer, played.name);
  else
    samples.same(
      {
        ...played.response,
        result: {
          content: [{ type: 'text', text: played.text }],
          ...(played.response.result.isError === true && { isError: true }),
        },
      },
      answer,
      `${played.name} as text`,
    );
};
