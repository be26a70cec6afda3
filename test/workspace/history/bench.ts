import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { CallMeta } from '../../../schemas/wire/meta.ts';
import type { App, Args, EffectContext, Outcome, PlanContext } from '../../../src/workspace/apps/app.ts';
import { checkOutcome } from '../../../src/workspace/apps/defineApp.ts';
import { notes } from '../../../src/workspace/apps/notes/notes.ts';
import { type Caller, type Connection, groupOf } from '../../../src/workspace/caller.ts';
import { createEventLog } from '../../../src/workspace/events/eventLog.ts';
import type { EventLog, Watch } from '../../../src/workspace/events/log.ts';
import { createWatch } from '../../../src/workspace/events/watch.ts';
import { type Failure, refuse, WireFailure } from '../../../src/workspace/failure.ts';
import { createHistory } from '../../../src/workspace/history/createHistory.ts';
import type { Author, History, Prepared } from '../../../src/workspace/history/history.ts';
import { createShelf } from '../../../src/workspace/shelf.ts';
import { type Clock, systemClock, systemIds } from '../../../src/workspace/sources.ts';
import { openStore } from '../../../src/workspace/store/openStore.ts';
import { createRegistry } from '../../../src/workspace/store/registry.ts';
import type { Registry, Store } from '../../../src/workspace/store/store.ts';
import { createTurns, type Turns } from '../../../src/workspace/turns.ts';
import { createWorld } from '../../../src/workspace/world/createWorld.ts';
import type { ActionPlace, World } from '../../../src/workspace/world/world.ts';
import { type NotebookPage, notebookWrites } from '../../apps/notebook.ts';

/** The parts of a host that history and events meet, over a database of their own; actions run without asking. */
export interface Bench {
  readonly directory: string;
  readonly store: Store;
  readonly registry: Registry;
  readonly events: EventLog;
  readonly history: History;
  readonly world: World;
  readonly watch: Watch;
  /** A session of its own; of the token `Desk` unless another is named, which may open one workspace only. */
  connect(
    label: string,
    where?: Readonly<{ endpoint?: string | null; token?: string; only?: string | null }>,
  ): Connection;
  /** Runs an action; the id of its invocation is made when none is given. */
  act(connection: Connection, path: string, args?: Args, how?: How): Promise<Prepared>;
  /** The stored bytes of an app, by key. */
  docs(app?: string, workspace?: string): ReadonlyMap<string, string>;
  /** The same database, opened anew. */
  reopen(): Bench;
}

export interface How {
  readonly meta?: CallMeta;
  readonly invocation?: string;
}

export interface BenchOptions {
  readonly directory?: string;
  readonly apps?: readonly App[];
  readonly pages?: readonly NotebookPage[];
  readonly clock?: Clock;
  /** Events of one watch. */
  readonly most?: number;
}

export const callerOf = (connection: Connection, meta: CallMeta = {}, signal?: AbortSignal): Caller => ({
  connection,
  group: groupOf(connection.id, meta),
  signal: signal ?? new AbortController().signal,
});

export const authorOf = (connection: Connection, invocation: string, meta: CallMeta = {}): Author => {
  const group = groupOf(connection.id, meta);
  return {
    token: connection.token.id,
    connection: connection.id,
    invocation,
    label: connection.label,
    stepKey: group?.runId ?? invocation,
    run: group && { id: group.runId, title: group.title ?? null },
  };
};

interface Worked {
  readonly outcome: Outcome;
  readonly effect: boolean;
  readonly counter: number;
}

/** Works out what an app's action does, as the host would. */
const worked = async (
  { store, clock }: Readonly<{ store: Store; clock: Clock }>,
  { place, offered }: ActionPlace,
  args: Args,
  invocation: string,
): Promise<Worked> => {
  if (offered.by === 'host') throw new Error('an action of the host has no plan');
  const { action } = offered;
  let counter = store.counter(place.workspace, place.app.id);
  const ctx: PlanContext & EffectContext = {
    get: place.resource.get,
    list: place.resource.list,
    resource: place.resource,
    now_ms: clock.now(),
    newItem: () => {
      const item = counter.toString(36).padStart(4, '0');
      counter += 1;
      return item;
    },
    fail: (code, message) => {
      throw refuse(code, [message]);
    },
    signal: new AbortController().signal,
    idempotencyKey: invocation,
    publish: async () => 'copy-1',
  };
  if ('plan' in action) {
    const outcome = await action.plan(ctx, args);
    checkOutcome(place.app, action, outcome);
    return { outcome, effect: false, counter };
  }
  const { ops, ...rest } = await action.effect(ctx, args);
  const outcome = { ...rest, ...(ops && { ops: ops(place.resource) }) };
  checkOutcome(place.app, action, outcome);
  return { outcome, effect: action.operationsOnly !== true, counter };
};

let benches = 0;

/** Opens a bench; its database goes when the test ends. */
export const openBench = (options: BenchOptions = {}): Bench => {
  const { apps = [notes], clock = systemClock } = options;
  const directory = options.directory ?? mkdtempSync(join(tmpdir(), 'telic-history-'));
  const store = openStore({ directory, clock, ids: systemIds });
  // What a power cut would do is not asked here.
  store.db.pragma('synchronous = OFF');
  const registry = createRegistry(store, { clock, ids: systemIds });
  onTestFinished(() => {
    if (store.db.open) store.close();
    if (options.directory === undefined) rmSync(directory, { recursive: true, force: true });
  });
  if (options.directory === undefined) {
    registry.setPerson('Mira');
    const ids = JSON.stringify(apps.map(({ id }) => id));
    store.db.prepare('UPDATE workspaces SET apps = ?').run(ids);
    registry.createWorkspace(
      'studio',
      'Studio',
      apps.map(({ id }) => id),
    );
    if (options.pages) store.write('home', 'notes', notebookWrites(options.pages));
  }
  const turns: Turns = createTurns();
  const events = createEventLog({ store, clock });
  const history = createHistory({ store, registry, events, turns, clock, world: () => world });
  const world: World = createWorld(store.states, {
    store,
    ...createShelf(apps, () => {}),
    workspaces: registry.workspaces,
    canRedo: history.canRedo,
    lastChanges: history.lastChanges,
  });
  const watch = createWatch({ store, events, world: () => world }, options.most);
  const tokens = new Map<string, string>();

  const ran = (
    { id }: Connection,
    { place, path }: ActionPlace,
    { run, invocation }: Author,
    phase: string,
    time_ms: number,
  ): void => {
    events.append({
      workspace: place.workspace,
      connection: id,
      kind: 'run',
      ref: place.ref,
      time_ms,
      body: () => ({
        kind: 'run',
        phase,
        invocation_id: invocation,
        path,
        ...(run?.title && { run: run.title }),
        ...(run && { run_id: run.id }),
        time_ms,
      }),
    });
  };

  return {
    directory,
    store,
    registry,
    events,
    history,
    world,
    watch,
    connect: (label, { endpoint = 'home', token: name = 'Desk', only = null } = {}) => {
      let text = tokens.get(name);
      if (text === undefined) {
        ({ text } = registry.createToken({
          label: name,
          workspace: only,
          max: 'outside',
          expires_ms: null,
          run: null,
        }));
        tokens.set(name, text);
      }
      const token = registry.tokenOf(text);
      if (token === null) throw new Error('a new token is unknown');
      return registry.openSession(token, endpoint, { label, name: label, version: '1', protocol: '2025-06-18' })
        .connection;
    },
    act: async (connection, path, args = {}, how = {}) => {
      benches += 1;
      const author = authorOf(connection, how.invocation ?? `i${benches}`, how.meta);
      const caller = callerOf(connection, how.meta);
      const { place } = await world.locateAction(caller, path);
      const done = await turns.take(place.workspace, async () => {
        const at = await world.locateAction(caller, path);
        store.transaction(() => ran(connection, at, author, 'started', clock.now()));
        const { offered } = at;
        let prepared: Prepared;
        if (offered.by === 'host') prepared = await history.prepareUndo(at, offered.way, args, author);
        else {
          const { outcome, ...rest } = await worked({ store, clock }, at, args, author.invocation);
          prepared = await history.prepareChange(at, outcome, author, rest);
        }
        store.transaction(() => {
          const time_ms = clock.now();
          prepared.commit(time_ms);
          ran(connection, at, author, 'succeeded', time_ms);
        });
        return prepared;
      });
      events.wake();
      return done;
    },
    docs: (app = 'notes', workspace = 'home') =>
      new Map(
        store.db
          .prepare<[string, string], [string, string]>(
            'SELECT key, value FROM docs WHERE workspace = ? AND app = ? ORDER BY key',
          )
          .raw()
          .all(workspace, app),
      ),
    reopen: () => {
      watch.release();
      store.close();
      return openBench({ ...options, directory });
    },
  };
};

/** How a call failed. */
export const failureOf = async (work: Promise<unknown>): Promise<Failure> => {
  try {
    await work;
  } catch (error) {
    if (error instanceof WireFailure) return error.failure;
    throw error;
  }
  throw new Error('it did not fail');
};

/** The notebook that the wire's cases start with. */
export const garden: readonly NotebookPage[] = [
  {
    item: '0a01',
    title: 'Garden',
    pinned: true,
    blocks: [
      { item: 'a101', type: 'checkbox', text: 'Water the tomatoes', done: false },
      { item: 'a102', type: 'checkbox', text: 'Order seeds', done: true },
      { item: 'a103', type: 'paragraph', text: 'Compost is ready in May' },
    ],
  },
  {
    item: '0b02',
    title: 'Reading list',
    pinned: false,
    blocks: [
      { item: 'b201', type: 'checkbox', text: 'Piranesi', done: true },
      { item: 'b202', type: 'checkbox', text: 'Middlemarch', done: false },
    ],
  },
  {
    item: '0c03',
    title: 'House move',
    pinned: true,
    blocks: [
      { item: 'c301', type: 'checkbox', text: 'Book the van', done: false },
      { item: 'c302', type: 'checkbox', text: 'Return the keys', done: false },
    ],
  },
];
