import { z } from 'zod';
import type { App, Children, Kind, Read, Searchable } from './apps/app.ts';
import { AppError } from './apps/appError.ts';
import { WireFailure } from './failure.ts';

/** What an app threw where nobody foresaw it: the app is at fault and not the host, and no other app with it. */
export class AppFault extends Error {
  override readonly name = 'AppFault';
  /** The id of the app. */
  readonly app: string;

  constructor(app: string, cause: unknown) {
    super(`app ${app} failed: ${cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)}`, { cause });
    this.app = app;
  }
}

/** The app that is at fault for an error; null when none is known to be. */
export const appAtFault = (error: unknown): string | null =>
  error instanceof AppFault || error instanceof AppError ? error.app : null;

const fault = (app: string, error: unknown): unknown =>
  error instanceof WireFailure || appAtFault(error) !== null ? error : new AppFault(app, error);

type Maybe<T> = T | Promise<T>;

/** The same function, whose exceptions say which app they come from; what it gives is looked at before it is handed on. */
const guard =
  <A extends readonly unknown[], R>(app: string, work: (...args: A) => Maybe<R>, look: (made: R) => R) =>
  (...args: A): Maybe<R> => {
    try {
      const made = work(...args);
      if (!(made instanceof Promise)) return look(made);
      return made.then(look).catch((error: unknown) => {
        throw fault(app, error);
      });
    } catch (error) {
      throw fault(app, error);
    }
  };

const isText = (value: unknown): boolean => typeof value === 'string';

/** What an app without types may give in place of what it was asked for. */
const lookers = (app: string, name: string, shape: Kind['fields']) => {
  const wrong = (what: string): AppError => new AppError(app, `kind ${name}`, what);
  const children = (made: Children): Children => {
    for (const [list, held] of Object.entries(made))
      for (const { item, name: called, label } of held)
        if (!isText(item) || item === '' || !isText(called) || !(label === undefined || isText(label)))
          throw wrong(`gave a child in ${list} without a key or a name`);
    return made;
  };
  return {
    children,
    /** As JSON brings the fields to the caller: what it cannot say is no difference between two renderings. */
    read: (made: Read): Read => {
      const fields: Read['fields'] = JSON.parse(JSON.stringify(made.fields));
      const { error } = shape.safeParse(fields);
      if (error) throw wrong(`gave other fields than its own: ${z.prettifyError(error)}`);
      return { ...made, fields, children: children(made.children) };
    },
    find: (made: Searchable): Searchable => {
      if (!isText(made.label) || !isText(made.content) || !(made.action === null || isText(made.action)))
        throw wrong('gave no label, content and action to a search');
      return made;
    },
  };
};

const guardedKind = (app: string, name: string, kind: Kind): Kind => {
  const look = lookers(app, name, kind.fields);
  return {
    ...kind,
    children: guard(app, kind.children, look.children),
    read: guard(app, kind.read, look.read),
    find: guard(app, kind.find, look.find),
    actions: (resource) => {
      try {
        return kind.actions(resource);
      } catch (error) {
        throw fault(app, error);
      }
    },
  };
};

/** The same app, whose kinds throw nothing but refusals and its own faults (workspace-wire 3.1: exceptions from an app). */
export const guardedApp = (app: App): App => ({
  ...app,
  kinds: Object.fromEntries(Object.entries(app.kinds).map(([name, kind]) => [name, guardedKind(app.id, name, kind)])),
});
