import { parsePath } from '../../../schemas/wire/path.ts';
import type { Caller } from '../caller.ts';
import { refuse, say, type WireFailure } from '../failure.ts';
import { nearest } from './nearest.ts';
import { near, nearNames, quoted } from './refusals.ts';
import type { WorldPorts } from './world.ts';

/** One workspace, with the ids of its apps. */
export type Workspace = ReturnType<WorldPorts['workspaces']>[number];

type Known = Pick<WorldPorts, 'workspaces' | 'definition'>;
type Asker = Pick<Caller, 'connection'>;

/** The workspaces that a caller may see: at the account endpoint those of its token, else the endpoint's own. */
export const workspacesOf = ({ workspaces }: Known, { connection }: Asker): readonly Workspace[] => {
  const only = connection.endpoint ?? connection.token.workspace;
  return only === null ? workspaces() : workspaces().filter(({ name }) => name === only);
};

/** The apps of a workspace that this host knows, in order. */
export const appsOf = ({ definition }: Known, { apps }: Workspace): readonly string[] =>
  apps.filter((id) => definition(id) !== null);

/** What a path of a caller leads to before any app is asked. */
export interface Written {
  /** Null: the list of workspaces itself. */
  readonly workspace: Workspace | null;
  /** From the app downwards; empty: the apps of the workspace. */
  readonly segments: readonly string[];
  /** What stands behind the first `#`, whether or not it could be an action. */
  readonly action?: string;
}

/** Where the apps of a workspace are listed, as this caller writes it. */
const appsPath = ({ connection }: Asker, { name }: Workspace): string => (connection.endpoint === null ? name : 'apps');

const unknownWorkspace = (ports: Known, caller: Asker, written: string): WireFailure =>
  refuse('unknown_workspace', say`There is no workspace called ${quoted(written)}.`, [
    say`tilo_ls workspaces lists the workspaces`,
    ...nearest(workspacesOf(ports, caller), ({ name }) => name, written, nearNames).map(
      ({ name }, index) => say`tilo_ls ${name} ${near(index, 'lists')}`,
    ),
  ]);

/** An app that a workspace does not have. */
export const unknownApp = (ports: Known, caller: Asker, workspace: Workspace, written: string): WireFailure =>
  refuse('unknown_app', say`${workspace.label} has no app called ${quoted(written)}.`, [
    say`tilo_ls ${appsPath(caller, workspace)} lists its apps`,
    ...nearest(appsOf(ports, workspace), (id) => id, written, nearNames).map((id, index) => {
      const path = caller.connection.endpoint === null ? `${workspace.name}/${id}` : id;
      return say`tilo_ls ${path} ${near(index, 'lists')}`;
    }),
  ]);

/** A path that ends above the apps, where a resource is wanted. */
export const aboveResources = (caller: Asker, workspace: Workspace | null): WireFailure =>
  workspace === null
    ? refuse('unknown_path', say`That is the list of workspaces, and something in a workspace is wanted here.`, [
        say`tilo_ls workspaces lists the workspaces`,
      ])
    : refuse('unknown_path', say`That is the workspace ${workspace.name}, and something in an app is wanted here.`, [
        say`tilo_ls ${appsPath(caller, workspace)} lists its apps`,
      ]);

/** The words for the list itself: `apps` at both endpoints, `workspaces` at the account. A workspace called `apps` is meant by its name. */
const isTheList = (written: string, known: readonly Workspace[]): boolean =>
  written === 'workspaces' || (written === 'apps' && !known.some(({ name }) => name === 'apps'));

/**
 * Reads a path as a caller wrote it: splits off the action, and at the account endpoint the workspace (workspace-wire 2.2).
 *
 * @param item an item key that continues the path
 * @throws WireFailure unknown_path for what is no path, unknown_workspace
 */
export const writtenPath = (ports: Known, caller: Asker, text: string | undefined, item?: string): Written => {
  const known = workspacesOf(ports, caller);
  const { endpoint } = caller.connection;
  const own = known.find(({ name }) => name === endpoint) ?? null;
  if (endpoint !== null && own === null) throw unknownWorkspace(ports, caller, endpoint);
  if (text === undefined) return { workspace: own, segments: [] };

  const hash = text.indexOf('#');
  const parsed = parsePath(hash < 0 ? text : text.slice(0, hash));
  if (!parsed.ok)
    throw refuse('unknown_path', [parsed.wrong], [say`tilo_ls ${own ? 'apps' : 'workspaces'} lists what there is`]);
  const segments = [...parsed.path.segments, ...(item === undefined ? [] : [item])];
  const action = hash < 0 ? {} : { action: text.slice(hash + 1) };
  const [first = ''] = segments;
  if (own !== null)
    return { workspace: own, segments: segments.length === 1 && first === 'apps' ? [] : segments, ...action };
  if (segments.length === 1 && isTheList(first, known)) return { workspace: null, segments: [], ...action };
  const workspace = known.find(({ name }) => name === first);
  if (workspace === undefined) throw unknownWorkspace(ports, caller, first);
  const rest = segments.slice(1);
  return { workspace, segments: rest.length === 1 && rest[0] === 'apps' ? [] : rest, ...action };
};
