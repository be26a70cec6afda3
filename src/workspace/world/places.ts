import { printSegment } from '../../../schemas/wire/path.ts';
import type { App, Kind } from '../apps/app.ts';
import { AppError } from '../apps/appError.ts';
import { pathsOf, type Sibling, siblingsOf } from './siblings.ts';
import type { Place, StateSource } from './world.ts';

/** The kind of a place. @throws AppError when the app told of a kind that it does not define */
export const kindOf = (app: App, name: string): Kind => {
  const kind = app.kinds[name];
  if (kind === undefined) throw new AppError(app.id, `kind ${name}`, 'is told of and not defined');
  return kind;
};

/** Whether what is of this kind holds others: a kind with lists does, empty ones too. */
export const holds = (kind: Pick<Kind, 'lists'>): boolean => Object.keys(kind.lists).length > 0;

/** The place of an app's root. Its state is read anew each time it is asked. */
export const rootOf = (states: StateSource, workspace: string, app: App): Place => {
  const state = states.of(workspace, app.id);
  return {
    workspace,
    app,
    resource: {
      get: (key) => state.get(key),
      list: (prefix) => state.list(prefix),
      workspace,
      app: app.id,
      kind: app.root.kind,
      item: app.id,
      items: [],
      path: app.id,
      label: app.label,
    },
    ref: app.id,
    path: app.id,
    touchedPath: app.id,
  };
};

/** A place and what it holds. */
export interface Branch {
  readonly siblings: readonly Sibling[];
  /** The path of one of them as listings print it. */
  pathOf(sibling: Sibling): string;
  placeOf(sibling: Sibling): Place;
}

/** Asks the app what a place holds. */
export const branchOf = async (place: Place): Promise<Branch> => {
  const { app, resource, workspace } = place;
  const kind = kindOf(app, resource.kind);
  const siblings = holds(kind) ? siblingsOf(kind, await kind.children(resource)) : [];
  const pathOf = pathsOf(siblings, place.path);
  return {
    siblings,
    pathOf,
    placeOf: (sibling) => {
      const ref = `${place.ref}/${printSegment(sibling.item)}`;
      const path = pathOf(sibling);
      return {
        workspace,
        app,
        resource: {
          get: resource.get,
          list: resource.list,
          workspace,
          app: app.id,
          kind: sibling.kind,
          item: sibling.item,
          items: [...resource.items, sibling.item],
          path: ref,
          label: sibling.label,
        },
        ref,
        path,
        touchedPath: holds(kindOf(app, sibling.kind)) ? path : `${place.path}/${printSegment(sibling.item)}`,
      };
    },
  };
};
