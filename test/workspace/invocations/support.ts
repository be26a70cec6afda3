import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { Done } from '../../../schemas/wire/answers.ts';
import type { Ask, Decision } from '../../../schemas/wire/person.ts';
import type { ActionKind } from '../../../schemas/wire/vocabulary.ts';
import type { App } from '../../../src/workspace/apps/app.ts';
import { notes } from '../../../src/workspace/apps/notes/notes.ts';
import { type Caller, groupOf, type Token } from '../../../src/workspace/caller.ts';
import type { Host } from '../../../src/workspace/host.ts';
import type { Decided } from '../../../src/workspace/invocations/invocations.ts';
import { openHost } from '../../../src/workspace/openHost.ts';
import type { IdSource } from '../../../src/workspace/sources.ts';
import { createLab, type Lab } from '../../apps/lab.ts';
import { notebookWrites } from '../../apps/notebook.ts';

/** Hosts of this process without doors, with the notes of a garden and the lab in `home` and `studio`. */

export const hour = 3_600_000;

interface CallerOptions {
  readonly endpoint?: string | null;
  readonly token?: Token;
  readonly run?: Readonly<{ id: string; title: string }>;
  readonly step?: string;
  readonly signal?: AbortSignal;
}

export interface Table {
  readonly host: Host;
  readonly lab: Lab;
  readonly log: readonly string[];
  readonly clock: { now_ms: number };
  token(label: string, max?: ActionKind): Token;
  /** The same name and endpoint are the same connection. */
  caller(name?: string, options?: CallerOptions): Caller;
  /** The one ask that is open in `home`. */
  ask(): Promise<Ask>;
  decide(decision: Omit<Decision, 'version'>, ask?: Ask): Promise<Decided>;
  /** What a host finds that starts on the files as they are now, as after a kill; this one goes on beside it. */
  killed(apps?: readonly App[]): Promise<Table>;
  close(): Promise<void>;
}

const garden = notebookWrites([
  {
    item: '0a01',
    title: 'Garden',
    pinned: true,
    blocks: [
      { item: 'a101', type: 'checkbox', text: 'Water the tomatoes', done: false },
      { item: 'a102', type: 'paragraph', text: 'Compost is ready in May' },
    ],
  },
  { item: '0c03', title: 'House move', pinned: false, blocks: [] },
]);

/** Ids that are the same on each host that asks for as many; `start` keeps those of a second process apart. */
const countedIds = (start: number): IdSource => {
  let drawn = start;
  const next = (): string => {
    drawn += 1;
    return drawn.toString(16);
  };
  return {
    hex: () => next().padStart(32, '0'),
    ask: () => next().padStart(12, '0'),
    bytes: (count) => Buffer.alloc(count, next()),
  };
};

const open = async (
  folders: Readonly<{ data: string; lab: string }>,
  clock: { now_ms: number },
  ids: IdSource,
  apps?: readonly App[],
): Promise<Table> => {
  const lab = createLab(folders.lab);
  const log: string[] = [];
  const host = await openHost({
    data: folders.data,
    apps: apps ?? [notes, ...lab.apps],
    address: () => 'http://127.0.0.1:4747',
    person: 'Mira',
    clock: { now: () => clock.now_ms },
    ids,
    report: (line) => {
      log.push(line);
    },
  });
  const tokens = new Map<string, Token>();
  const callers = new Map<string, Caller['connection']>();
  const others: Table[] = [];

  const token = (label: string, max: ActionKind = 'outside'): Token => {
    const known = tokens.get(label) ?? host.registry.tokens().find((row) => row.label === label);
    if (known !== undefined) return known;
    const { text } = host.registry.createToken({ label, workspace: null, max, expires_ms: null, run: null });
    const made = host.registry.tokenOf(text);
    if (made === null) throw new Error('A token that was just made is unknown.');
    tokens.set(label, made);
    return made;
  };

  const ask = async (): Promise<Ask> => {
    const [first, second] = (await host.invocations.asks('home')).filter(({ state }) => state === 'asking');
    if (first === undefined || second !== undefined) throw new Error('Not one ask is open.');
    return first;
  };

  return {
    host,
    lab,
    log,
    clock,
    token,
    caller: (name = 'Desk agent', options = {}) => {
      const { endpoint = 'home', token: of = token('desk'), run, step, signal } = options;
      const key = `${of.id} ${endpoint} ${name}`;
      const connection =
        callers.get(key) ??
        host.registry.openSession(of, endpoint, { label: name, name, version: '1', protocol: '2025-06-18' }).connection;
      callers.set(key, connection);
      const group = groupOf(connection.id, { ...(run && { run }), ...(step !== undefined && { step }) });
      return { connection, group, signal: signal ?? new AbortController().signal };
    },
    ask,
    decide: async (decision, of) => {
      const asked = of ?? (await ask());
      return host.invocations.decide('home', asked.id, { ...decision, version: asked.version }, host.registry.person());
    },
    killed: async (then) => {
      const data = mkdtempSync(join(tmpdir(), 'telic-invocations-'));
      cpSync(folders.data, data, { recursive: true });
      const table = await open({ data, lab: folders.lab }, clock, countedIds(0x1000), then);
      others.push(table);
      return table;
    },
    close: async () => {
      for (const other of others) await other.close();
      await host.close();
      rmSync(folders.data, { recursive: true, force: true });
      rmSync(folders.lab, { recursive: true, force: true });
    },
  };
};

/** A fresh host with its garden. */
export const openTable = async (): Promise<Table> => {
  const [data, lab] = ['data', 'lab'].map((name) => mkdtempSync(join(tmpdir(), `telic-invocations-${name}-`)));
  if (data === undefined || lab === undefined) throw new Error('Two folders were made.');
  const table = await open({ data, lab }, { now_ms: 1_772_442_845_000 }, countedIds(0));
  const { registry, store } = table.host;
  const [home] = registry.workspaces();
  const apps = ['notes', 'lab', 'echo', 'attic', 'brittle', 'weather'];
  if (home === undefined) throw new Error('home exists from the start.');
  store.db.prepare('UPDATE workspaces SET apps = ? WHERE name = ?').run(JSON.stringify(apps), 'home');
  registry.createWorkspace('studio', 'Studio', apps);
  store.transaction(() => {
    for (const workspace of ['home', 'studio']) {
      store.write(workspace, 'notes', garden);
      store.raiseCounter(workspace, 'notes', Number.parseInt('zzzz', 36) + 1);
    }
  });
  return table;
};

/** The answer of one action. */
export const done = (answer: unknown): Done => Done.parse(answer);

/** Everything that a host stores, but for what search keeps for itself: equal contents, equal states. */
export const contents = ({ host }: Pick<Table, 'host'>): Readonly<Record<string, readonly unknown[]>> => {
  const { db } = host.store;
  const names = db
    .prepare<[], string>(
      `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'find%' AND name NOT LIKE 'sqlite%'
         AND name NOT IN ('tokens', 'connections', 'person_sessions') ORDER BY name`,
    )
    .pluck()
    .all();
  return Object.fromEntries(names.map((name) => [name, db.prepare(`SELECT * FROM ${name}`).all()]));
};

/** The run events of the log, as `phase id`. */
export const runEvents = ({ host }: Pick<Table, 'host'>, id?: string): readonly string[] =>
  host.events
    .after(0, 10_000)
    .filter(({ kind, body }) => kind === 'run' && (id === undefined || body.invocation_id === id))
    .map(({ body }) => `${body.phase} ${body.invocation_id}`);

/** How many asks were opened, put anew or closed so far, by the log. */
export const askEvents = ({ host }: Pick<Table, 'host'>, ask: string): number =>
  host.events.after(0, 10_000).filter(({ kind, body }) => kind === 'ask' && body.ask === ask).length;

/** Waits until something has come to be, without naming a time. */
export const until = async (holds: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await holds())) await setImmediate();
};
