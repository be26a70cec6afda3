import type { App, Kind } from './apps/app.ts';
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

/** The same function, whose exceptions say which app they come from. */
const guard =
  <A extends readonly unknown[], R>(app: string, work: (...args: A) => Maybe<R>) =>
  (...args: A): Maybe<R> => {
    try {
      const made = work(...args);
      return made instanceof Promise
        ? made.catch((error: unknown) => {
            throw fault(app, error);
          })
        : made;
    } catch (error) {
      throw fault(app, error);
    }
  };

const guardedKind = (app: string, kind: Kind): Kind => ({
  ...kind,
  children: guard(app, kind.children),
  read: guard(app, kind.read),
  find: guard(app, kind.find),
  actions: (resource) => {
    try {
      return kind.actions(resource);
    } catch (error) {
      throw fault(app, error);
    }
  },
});

/** The same app, whose kinds throw nothing but refusals and its own faults (workspace-wire 3.1: exceptions from an app). */
export const guardedApp = (app: App): App => ({
  ...app,
  kinds: Object.fromEntries(Object.entries(app.kinds).map(([name, kind]) => [name, guardedKind(app.id, kind)])),
});
