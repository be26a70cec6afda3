import type { Found } from '../../../../schemas/wire/answers.ts';
import type { FindArguments } from '../../../../schemas/wire/arguments.ts';
import { wireLimits } from '../../../../schemas/wire/limits.ts';
import { appAtFault } from '../../appFault.ts';
import type { App } from '../../apps/app.ts';
import { type Caller, prefixFor } from '../../caller.ts';
import { refuse, say, WireFailure } from '../../failure.ts';
import { appsOf, unknownApp, type Workspace, workspacesOf } from '../endpoint.ts';
import { quoted } from '../refusals.ts';
import type { StateSource, WorldPorts } from '../world.ts';
import type { FindIndex } from './findIndex.ts';
import { byRank, type Match, matchOf, queryOf, type Ranked, told } from './rank.ts';
import { walkApp } from './walk.ts';

interface Searched {
  readonly workspace: Workspace;
  readonly app: App;
}

/** The app when it runs; null for one that does not, unless it was asked for by name. */
const running = async (ports: WorldPorts, id: string, named: boolean): Promise<App | null> => {
  if (!named && ports.definition(id)?.state === 'installed') return null;
  try {
    return await ports.app(id);
  } catch (error) {
    if (!named && error instanceof WireFailure && error.failure.code === 'app_stopped') return null;
    throw error;
  }
};

/** What a search looks through: every app of every workspace that the caller sees, or the one it names. */
const searchedBy = async (
  ports: WorldPorts,
  caller: Caller,
  named: string | undefined,
): Promise<readonly Searched[]> => {
  const searched: Searched[] = [];
  const workspaces = workspacesOf(ports, caller);
  let known = named === undefined;
  for (const workspace of workspaces)
    for (const id of appsOf(ports, workspace)) {
      if (named !== undefined && id !== named) continue;
      known = true;
      const app = await running(ports, id, named !== undefined);
      if (app !== null) searched.push({ workspace, app });
    }
  const [only] = workspaces;
  if (known || named === undefined) return searched;
  throw only !== undefined && caller.connection.endpoint !== null
    ? unknownApp(ports, caller, only, named)
    : refuse('unknown_app', say`No workspace has an app called ${quoted(named)}.`, [
        say`tilo_ls workspaces lists the workspaces, each with its apps`,
      ]);
};

/**
 * Searches (workspace-wire 4.5). The index is brought up to date first; what follows looks at it in one go, so that one
 * answer shows one state of it.
 *
 * @throws WireFailure unknown_app, app_stopped
 */
export const find = async (
  states: StateSource,
  ports: WorldPorts,
  index: FindIndex,
  caller: Caller,
  { query: written, app: named, kind, limit = wireLimits.defaultFindHits }: FindArguments,
): Promise<Found> => {
  const searched: Searched[] = [];
  for (const each of await searchedBy(ports, caller, named)) {
    const { workspace, app } = each;
    try {
      await index.refresh(workspace.name, app, () => walkApp(states, workspace.name, app));
      searched.push(each);
    } catch (error) {
      // A broken app is left out, unless it was asked for by name: the others are searched all the same.
      if (named !== undefined || appAtFault(error) === null) throw error;
      ports.report?.(
        `a search of ${workspace.name} left out ${app.id}: ${error instanceof Error ? error.stack : error}`,
      );
    }
  }

  const query = queryOf(written);
  const asked = new Map<string, ReadonlyMap<number, number>>();
  const holding = (word: string): ReadonlyMap<number, number> => {
    const found = asked.get(word) ?? index.holding(word);
    asked.set(word, found);
    return found;
  };
  const ranked = searched.flatMap(({ workspace: { name }, app: { id } }): readonly Ranked[] => {
    const matches = index.rows(name, id).flatMap((row): readonly Match[] => {
      if (query.words.length === 0 || (kind !== undefined && row.kind !== kind)) return [];
      const match = matchOf(row, query, holding);
      return match === null ? [] : [match];
    });
    if (matches.length === 0) return [];
    const prefix = prefixFor(caller, name);
    const changes = ports.lastChanges(name, id);
    return told(matches).map((match) => ({
      ...match,
      path: prefix === null ? match.row.path : `${prefix}/${match.row.path}`,
      changed: changes.get(match.row.ref) ?? 0,
    }));
  });
  return {
    hits: ranked
      .sort(byRank)
      .slice(0, limit)
      .map(({ path, row }) => ({ path, kind: row.kind, label: row.label, action: row.action })),
    query: written,
  };
};
