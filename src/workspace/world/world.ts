import type { ActionRow, Found, Listing, Reading } from '../../../schemas/wire/answers.ts';
import type { FindArguments, LsArguments, ReadArguments } from '../../../schemas/wire/arguments.ts';
import type { ActionKind } from '../../../schemas/wire/vocabulary.ts';
import type { Action, App, Resource } from '../apps/app.ts';
import type { Caller } from '../caller.ts';
import type { Phrase } from '../failure.ts';
import type { StateSource, Store } from '../store/store.ts';

export type { StateSource } from '../store/store.ts';

/** A resource that a path led to. */
export interface Place {
  readonly workspace: string;
  readonly app: App;
  readonly resource: Resource;
  /** Its path by keys, the identity: `notes/0a01/a101`. Never changes and is never given to another thing. */
  readonly ref: string;
  /** As listings print it: by names where they are unique (D-04). Without the workspace. */
  readonly path: string;
  /** As `resources` and change events print it: like `path` for kinds with lists, else ending in its key (D-04). */
  readonly touchedPath: string;
}

/** What an action is, whether the app's own or the host's `undo` and `redo`. */
export type Offered =
  | Readonly<{ by: 'app'; action: Action; row: ActionRow; kind: ActionKind }>
  | Readonly<{ by: 'host'; way: 'undo' | 'redo'; row: ActionRow; kind: 'undoable' }>;

/** A place and one of its actions. */
export interface ActionPlace {
  readonly place: Place;
  readonly offered: Offered;
  /** `path#action`, in the form of listings. */
  readonly path: string;
}

/** A call that would work, as an app names it: a text, or parts of which `{ path }` is a path of keys or names. */
export type NextStep = string | readonly (string | Readonly<{ path: string }>)[];

/** What is in the workspaces, read through one state source. Failures are WireFailures. */
export interface World {
  /** Resolves a path as a caller wrote it; an item key wins over a name, two equal names are ambiguous (D-03). */
  locate(caller: Pick<Caller, 'connection'>, path: string): Promise<Place>;
  /** Resolves `path#action`, and says why where the action cannot be tried now. */
  locateAction(caller: Pick<Caller, 'connection'>, path: string): Promise<ActionPlace>;
  /** The resource of a reference; null when it is gone. */
  byRef(workspace: string, ref: string): Promise<Place | null>;
  /** Every action of a place that can be tried now, the host's last. */
  actionsAt(caller: Pick<Caller, 'connection'>, place: Place): Promise<readonly Offered[]>;
  /**
   * Next steps as an app names them (`absent.next`, the third argument of `ctx.fail`), as phrases: a `{ path }` of keys
   * is printed as listings do.
   */
  phrases(workspace: string, next: readonly NextStep[]): Promise<readonly Phrase[]>;
  ls(caller: Caller, args: LsArguments): Promise<Listing>;
  read(caller: Caller, args: ReadArguments): Promise<Reading>;
  find(caller: Caller, args: FindArguments): Promise<Found>;
  /** The same world over other states. */
  over(states: StateSource): World;
}

/** What the world asks of the rest of the host. */
export interface WorldPorts {
  /** The workspaces that exist, in order, with the ids of their apps. */
  workspaces(): readonly Readonly<{ name: string; label: string; apps: readonly string[] }>[];
  /** The app, started; fails with `app_stopped` when it is installed only or crashed. */
  app(id: string): Promise<App>;
  /** The app's definition, whatever its state. */
  definition(id: string): Readonly<{ app: App; state: App['state'] }> | null;
  /** Whether the connection has something to put back in this app. */
  canRedo(connection: string, workspace: string, app: string): boolean;
  /** The sequence of the latest change of each resource of an app, by reference: what was changed more recently ranks first. */
  lastChanges(workspace: string, app: string): ReadonlyMap<string, number>;
  /** Where the index is that `find` searches. Without it, as over an overlay, `find` is not available. */
  readonly store?: Store;
  /** Takes one line for the log about an app that a search had to leave out. */
  report?(line: string): void;
}
