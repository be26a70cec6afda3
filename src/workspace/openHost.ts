import { userInfo } from 'node:os';
import type { FailedAnswer } from '../../schemas/wire/failure.ts';
import type { WireAnswers, WireArguments } from '../../schemas/wire/index.ts';
import { parsePath } from '../../schemas/wire/path.ts';
import type { WireTool } from '../../schemas/wire/vocabulary.ts';
import { appAtFault } from './appFault.ts';
import type { Caller } from './caller.ts';
import { createEventLog } from './events/eventLog.ts';
import { createRoster } from './events/roster.ts';
import { createWatch } from './events/watch.ts';
import { failedAnswer, incident } from './failedAnswer.ts';
import { type Failure, refuse, say, WireFailure } from './failure.ts';
import { createHistory } from './history/createHistory.ts';
import type { Host, HostOptions } from './host.ts';
import { createInvocations } from './invocations/createInvocations.ts';
import { boundOf } from './invocations/grants.ts';
import { outsideActionsOf } from './outsideActions.ts';
import { createPoller } from './poller.ts';
import { createShelf } from './shelf.ts';
import { systemClock, systemIds } from './sources.ts';
import { openStore } from './store/openStore.ts';
import { createRegistry } from './store/registry.ts';
import { trimHistory } from './store/trimHistory.ts';
import { createTurns } from './turns.ts';
import { createWorld } from './world/createWorld.ts';
import type { World } from './world/world.ts';

const hour = 3_600_000;
/** How often open asks and unused permissions are looked through for those whose time is up. */
const sweepMilliseconds = 1000;

type Tools = { readonly [T in WireTool]: (caller: Caller, args: WireArguments[T]) => Promise<WireAnswers[T]> };

/**
 * Opens a host of workspaces: composes its rooms over one data directory and lets go on what the last process left.
 *
 * @throws what `openStore` throws when the directory or the database cannot be used
 */
export const openHost = async (options: HostOptions): Promise<Host> => {
  const { clock = systemClock, ids = systemIds, report = () => {} } = options;
  const store = openStore({ directory: options.data, clock, ids });
  const registry = createRegistry(store, { clock, ids });
  const name = options.person ?? (registry.person().name || userInfo().username);
  if (name !== registry.person().name) registry.setPerson(name);
  const shelf = createShelf(options.apps, report);
  const turns = createTurns();
  const events = createEventLog({ store, clock });
  const worldOf = (): World => world;
  const history = createHistory({ store, registry, world: worldOf, events, turns, clock });
  const world: World = createWorld(store.states, {
    store,
    ...shelf,
    workspaces: registry.workspaces,
    canRedo: history.canRedo,
    lastChanges: history.lastChanges,
    report,
  });
  const invocations = createInvocations({
    store,
    registry,
    world: worldOf,
    history,
    events,
    turns,
    clock,
    ids,
    address: options.address,
    askMs: (options.askHours ?? 24) * hour,
    ...(options.stopMs !== undefined && { stopMs: options.stopMs }),
    report,
  });
  const roster = createRoster({ store, events, clock }, report);
  const watch = createWatch({ store, events, world: worldOf });
  const poller = createPoller({ store, registry, events, world, clock }, shelf.apps, report);

  await invocations.recover();
  /** What a timer does: a disk that takes nothing now ends no host, and the next turn comes by itself. */
  const later = (what: string, work: () => void): void => {
    try {
      work();
    } catch (error) {
      report(`${what} failed: ${error instanceof Error ? error.stack : error}`);
    }
  };
  const sweeper = setInterval(() => later('looking for what is overdue', invocations.sweep), sweepMilliseconds);
  sweeper.unref();
  const trim = (): void => {
    events.trim();
    trimHistory(store, clock.now());
  };
  trim();
  const trimmer = setInterval(() => later('dropping what is old', trim), hour);
  trimmer.unref();

  const tools: Tools = {
    tilo_ls: (caller, args) => world.ls(caller, args),
    tilo_read: (caller, args) => world.read(caller, args),
    tilo_find: (caller, args) => world.find(caller, args),
    tilo_do: (caller, args) => invocations.do(caller, args),
    tilo_status: (caller, args) => invocations.status(caller, args),
    tilo_watch: async (caller, args) => {
      const seen = poller.watched();
      try {
        const watched = await watch.watch(caller, args);
        // What happened after the token had ended is none of its holder's business.
        const { token, endpoint } = caller.connection;
        if (boundOf({ registry, clock }, token, endpoint) === null)
          throw refuse('not_granted', say`The token of this call no longer opens what it watched.`);
        return watched;
      } finally {
        seen();
      }
    },
    // Listed from the start, so that clients know the tool; programs come with the language (workspace-wire section 7).
    tilo: async (caller) => ({
      ...failedAnswer(
        refuse('not_available', say`This version does not run programs.`, [
          caller.connection.endpoint === null
            ? say`tilo_ls workspaces lists what there is; tilo_do runs single actions`
            : say`tilo_ls apps lists what there is; tilo_do runs single actions`,
        ]).failure,
        null,
      ),
      output: [],
      changed: 0,
      steps: [],
    }),
  };

  /** The workspace that a path of the account endpoint names, where there is one. */
  const prefixOf = (caller: Caller, args: object): string | null => {
    if (caller.connection.endpoint !== null || !('path' in args) || typeof args.path !== 'string') return null;
    const parsed = parsePath(args.path);
    const first = parsed.ok ? parsed.path.segments[0] : undefined;
    return registry.workspaces().find(({ name: known }) => known === first)?.name ?? null;
  };

  const stopping = new AbortController();
  let releasing: Promise<void> | null = null;
  const release = (): Promise<void> => {
    releasing ??= (async () => {
      stopping.abort();
      clearInterval(sweeper);
      clearInterval(trimmer);
      poller.stop();
      watch.release();
      await invocations.shutDown();
    })();
    return releasing;
  };

  return {
    store,
    registry,
    world,
    history,
    invocations,
    events,
    roster,
    watching: poller.watched,
    call: async <T extends WireTool>(
      tool: T,
      args: WireArguments[T],
      caller: Caller,
    ): Promise<WireAnswers[T] | FailedAnswer> => {
      try {
        return await tools[tool](caller, args);
      } catch (error) {
        const failure: Failure = error instanceof WireFailure ? error.failure : incident(error, null, ids, report);
        return failedAnswer(failure, prefixOf(caller, args));
      }
    },
    outsideActions: async (workspace) => {
      const known = registry.workspaces().find((row) => row.name === workspace)?.apps ?? [];
      const found = await Promise.all(
        shelf.apps
          .filter(({ id }) => known.includes(id))
          .map(async (app) => {
            try {
              return await outsideActionsOf(world, workspace, app);
            } catch (error) {
              // An app that broke or did not start has none that could be tried; the settings show those of the others.
              if (!(error instanceof WireFailure) && appAtFault(error) === null) throw error;
              report(
                `the settings of ${workspace} left out ${app.id}: ${error instanceof Error ? error.stack : error}`,
              );
              return [];
            }
          }),
      );
      return found.flat();
    },
    stopping: stopping.signal,
    release,
    close: async () => {
      await release();
      roster.stop();
      store.close();
    },
  };
};
