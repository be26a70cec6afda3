import type { Listing, ListRow } from '../../../schemas/wire/answers.ts';
import type { LsArguments } from '../../../schemas/wire/arguments.ts';
import { wireLimits } from '../../../schemas/wire/limits.ts';
import type { Action } from '../apps/app.ts';
import { actionRow } from '../apps/rows.ts';
import { at } from '../failure.ts';
import type { Workspace } from './endpoint.ts';
import { branchOf, holds, kindOf } from './places.ts';
import { badCursor } from './refusals.ts';
import type { Sibling } from './siblings.ts';
import type { Place, WorldPorts } from './world.ts';

/** The part of an order that one answer shows (workspace-wire 1.2): the cursor is an offset into it. */
interface Part {
  readonly from: number;
  readonly to: number;
}

/**
 * @param path of the listing, in a phrase
 * @throws WireFailure invalid_cursor
 */
export const partOf = (
  { limit = wireLimits.defaultListRows, cursor }: LsArguments,
  path: string | Readonly<{ path: string }>,
): Part => {
  if (cursor === undefined) return { from: 0, to: limit };
  const from = /^(?:0|[1-9][0-9]{0,14})$/.test(cursor) ? Number(cursor) : null;
  if (from === null) throw badCursor(cursor, 'tilo_ls', path);
  return { from, to: from + limit };
};

const cursorAfter = ({ to }: Part, count: number): Pick<Listing, 'next_cursor'> =>
  count > to ? { next_cursor: String(to) } : {};

/** Narrowed to a kind, then cut to the part: what a listing of rows that are all at hand shows. */
const shown = (rows: readonly ListRow[], { kind }: LsArguments, part: Part): Pick<Listing, 'rows' | 'next_cursor'> => {
  const kept = kind === undefined ? rows : rows.filter((row) => row.kind === kind);
  return { rows: kept.slice(part.from, part.to), ...cursorAfter(part, kept.length) };
};

const listed = (path: string, kind: string, { rows, next_cursor }: Pick<Listing, 'rows' | 'next_cursor'>): Listing => ({
  path,
  kind,
  rows,
  actions: [],
  ...(next_cursor !== undefined && { next_cursor }),
});

/** The workspaces of an account. */
export const listWorkspaces = (workspaces: readonly Workspace[], args: LsArguments): Listing =>
  listed(
    'workspaces',
    'workspaces',
    shown(
      workspaces.map(({ name, label }) => ({
        path: name,
        name,
        label,
        kind: 'workspace',
        state: 'running',
        has_children: true,
        actions: [],
      })),
      args,
      partOf(args, 'workspaces'),
    ),
  );

/**
 * The apps of a workspace (D-16).
 *
 * @param prefix the workspace at the account endpoint, whose listing this is there; else null
 */
export const listApps = (
  { definition }: Pick<WorldPorts, 'definition'>,
  { apps }: Workspace,
  prefix: string | null,
  args: LsArguments,
): Listing => {
  const rows = apps.flatMap((id): readonly ListRow[] => {
    const known = definition(id);
    return known === null
      ? []
      : [
          {
            path: prefix === null ? id : `${prefix}/${id}`,
            name: id,
            label: known.app.label,
            kind: 'app',
            state: known.state,
            has_children: true,
            actions: [],
          },
        ];
  });
  const path = prefix ?? 'apps';
  return listed(path, prefix === null ? 'apps' : 'workspace', shown(rows, args, partOf(args, path)));
};

/** What can be tried now. */
export const present = ({ absent }: Action): boolean => absent === undefined || absent === null;

/**
 * What a resource holds. Rows are made for the part that is shown only: a page of a large list costs what it shows.
 *
 * @param told prints a path as this caller writes it
 */
export const listResource = async (
  place: Place,
  actions: Listing['actions'],
  told: (path: string) => string,
  args: LsArguments,
): Promise<Listing> => {
  const part = partOf(args, at(place.path));
  const branch = await branchOf(place);
  const kept =
    args.kind === undefined ? branch.siblings : branch.siblings.filter((sibling) => sibling.kind === args.kind);
  const rowOf = (sibling: Sibling): ListRow => {
    const { path, resource } = branch.placeOf(sibling);
    const kind = kindOf(place.app, sibling.kind);
    const has_children = holds(kind);
    return {
      path: told(path),
      name: sibling.name,
      label: sibling.label,
      kind: sibling.kind,
      has_children,
      actions: has_children ? [] : kind.actions(resource).filter(present).map(actionRow),
    };
  };
  return {
    path: told(place.path),
    kind: place.resource.kind,
    rows: kept.slice(part.from, part.to).map(rowOf),
    actions,
    ...cursorAfter(part, kept.length),
  };
};
