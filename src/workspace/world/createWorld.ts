import type { Listing, Reading } from '../../../schemas/wire/answers.ts';
import type { LsArguments, ReadArguments } from '../../../schemas/wire/arguments.ts';
import { parsePath } from '../../../schemas/wire/path.ts';
import { actionRow } from '../apps/rows.ts';
import { type Caller, prefixFor } from '../caller.ts';
import { at, type Phrase, refuse, say, WireFailure } from '../failure.ts';
import { aboveResources, appsOf, unknownApp, type Written, workspacesOf, writtenPath } from './endpoint.ts';
import { find } from './find/find.ts';
import { createFindIndex, type FindIndex } from './find/findIndex.ts';
import { hostActionsOf } from './hostActions.ts';
import { listApps, listResource, listWorkspaces, partOf, present } from './ls.ts';
import { kindOf } from './places.ts';
import { readPlace } from './read.ts';
import { absentAction, noHistory, noRedo, notAnAction, notAResource, unknownAction } from './refusals.ts';
import { type Found, keysOf, walkDown, walkKeys } from './resolve.ts';
import type { ActionPlace, NextStep, Offered, Place, StateSource, World, WorldPorts } from './world.ts';

type Asker = Pick<Caller, 'connection'>;

const worldOver = (states: StateSource, ports: WorldPorts, index: FindIndex | null): World => {
  /** What a written path leads to. */
  const follow = async (caller: Asker, { workspace, segments }: Written): Promise<Found> => {
    const [id, ...below] = segments;
    if (workspace === null || id === undefined) throw aboveResources(caller, workspace);
    if (!appsOf(ports, workspace).includes(id)) throw unknownApp(ports, caller, workspace, id);
    return walkDown(states, workspace.name, await ports.app(id), below);
  };

  const canRedo =
    (caller: Asker, { workspace, app }: Place) =>
    (): boolean =>
      ports.canRedo(caller.connection.id, workspace, app.id);

  const offeredBy = (place: Place, redo: () => boolean): readonly Offered[] => [
    ...kindOf(place.app, place.resource.kind)
      .actions(place.resource)
      .filter(present)
      .map((action): Offered => ({ by: 'app', action, row: actionRow(action), kind: action.kind })),
    ...hostActionsOf(place.app, redo),
  ];

  /** An action of a place; the host's `redo` also while nothing can be put back, which history itself says. */
  const actionOf = async (place: Place, id: string): Promise<ActionPlace> => {
    const offered = offeredBy(place, () => true);
    const found = offered.find(({ row }) => row.id === id);
    if (found !== undefined) return { place, offered: found, path: `${place.path}#${id}` };
    if (id === 'undo' || id === 'redo') throw noHistory(place, id);
    const absent = kindOf(place.app, place.resource.kind)
      .actions(place.resource)
      .find((action) => action.id === id)?.absent;
    throw absent
      ? absentAction(place, absent.message, await phrases(place.workspace, absent.next ?? []))
      : unknownAction(place, offered, id);
  };

  /** A written path that is to lead to a resource. */
  const resourceOf = async (caller: Asker, written: Written): Promise<Found> => {
    const found = await follow(caller, written);
    const { action } = written;
    if (action === undefined) return found;
    const known = offeredBy(found.place, canRedo(caller, found.place)).some(({ row }) => row.id === action);
    throw notAResource(found.place, action, known);
  };

  const byRef = async (workspace: string, ref: string): Promise<Place | null> => {
    const row = ports.workspaces().find(({ name }) => name === workspace);
    const [id, ...keys] = keysOf(ref);
    if (row === undefined || id === undefined || !appsOf(ports, row).includes(id)) return null;
    return walkKeys(states, workspace, await ports.app(id), keys);
  };

  /** A path of keys or names in the form of listings; as it is where it leads nowhere now. */
  const printed = async (workspace: string, path: string): Promise<string> => {
    const parsed = parsePath(path);
    if (!parsed.ok) return path;
    const [id, ...below] = parsed.path.segments;
    const row = ports.workspaces().find(({ name }) => name === workspace);
    if (row === undefined || id === undefined || !appsOf(ports, row).includes(id)) return path;
    try {
      const { place } = await walkDown(states, workspace, await ports.app(id), below);
      return parsed.path.action === undefined ? place.path : `${place.path}#${parsed.path.action}`;
    } catch (error) {
      if (error instanceof WireFailure) return path;
      throw error;
    }
  };

  const phrases = (workspace: string, next: readonly NextStep[]): Promise<readonly Phrase[]> =>
    Promise.all(
      next.map(async (step) =>
        typeof step === 'string'
          ? [step]
          : Promise.all(
              step.map(async (part) => (typeof part === 'string' ? part : at(await printed(workspace, part.path)))),
            ),
      ),
    );

  const ls = async (caller: Caller, args: LsArguments): Promise<Listing> => {
    const written = writtenPath(ports, caller, args.path);
    const { workspace, segments, action } = written;
    if (segments.length === 0 && action !== undefined) throw aboveResources(caller, workspace);
    if (workspace === null) return listWorkspaces(workspacesOf(ports, caller), args);
    const prefix = prefixFor(caller, workspace.name);
    if (segments.length === 0) return listApps(ports, workspace, prefix, args);
    const told = (path: string): string => (prefix === null ? path : `${prefix}/${path}`);
    const { place } = await follow(caller, written);
    const redo = canRedo(caller, place);
    if (action === undefined) {
      const actions = offeredBy(place, redo).map(({ row }) => row);
      return listResource(place, actions, told, args);
    }
    const { offered, path } = await actionOf(place, action);
    if (offered.by === 'host' && offered.way === 'redo' && !redo()) throw noRedo(place);
    partOf(args, at(path));
    return { path: told(path), kind: place.resource.kind, rows: [], actions: [offered.row] };
  };

  const read = async (caller: Caller, { path, item, cursor }: ReadArguments): Promise<Reading> => {
    const { place, by } = await resourceOf(caller, writtenPath(ports, caller, path, item));
    const prefix = prefixFor(caller, place.workspace);
    return readPlace(
      place,
      // What holds nothing and was named by its key is called so, as the row of its parent's reading calls it.
      by === 'key' ? place.touchedPath : place.path,
      (own) => (prefix === null ? own : `${prefix}/${own}`),
      cursor,
    );
  };

  return {
    locate: async (caller, path) => (await resourceOf(caller, writtenPath(ports, caller, path))).place,
    locateAction: async (caller, path) => {
      const written = writtenPath(ports, caller, path);
      const { place } = await follow(caller, written);
      if (written.action === undefined) throw notAnAction(place);
      return actionOf(place, written.action);
    },
    byRef,
    actionsAt: async (caller, place) => offeredBy(place, canRedo(caller, place)),
    phrases,
    ls,
    read,
    find: async (caller, args) => {
      if (index === null) throw refuse('not_available', say`What is only planned cannot be searched.`);
      return find(states, ports, index, caller, args);
    },
    over: (others) => worldOver(others, ports, null),
  };
};

/**
 * What is in the workspaces of a host (workspace-wire 1.1, 2.2, 4.1, 4.2, 4.5). Every call reads the states anew.
 *
 * @param ports its `store` is where the search keeps its index; without it `find` is not available
 */
export const createWorld = (states: StateSource, ports: WorldPorts): World =>
  worldOver(states, ports, ports.store === undefined ? null : createFindIndex(ports.store));
