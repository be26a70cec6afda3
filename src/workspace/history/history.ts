import type { Activity, UndoAnswer, UndoRequest } from '../../../schemas/wire/person.ts';
import type { Args, Json, Outcome } from '../apps/app.ts';
import type { ActionPlace } from '../world/world.ts';

/** Whose work a change is, fixed when its invocation was admitted. */
export interface Author {
  readonly token: string;
  readonly connection: string;
  readonly invocation: string;
  /** What history calls who did it outside a named run: the connection's label. */
  readonly label: string;
  /** Changes with one key of one connection are one step: the group's run id, or the (first) invocation. */
  readonly stepKey: string;
  /** The group's id and title, when the call named a run or step. */
  readonly run: Readonly<{ id: string; title: string | null }> | null;
}

/** What a turn has worked out; nothing is stored before `commit`. */
export interface Prepared {
  readonly result?: Json;
  /** What it touched, as `resources` prints it, without the workspace. */
  readonly resources: readonly string[];
  /** Stores the writes, the changes, their step and their events. Called inside the transaction that ends the invocation. */
  commit(time_ms: number): void;
}

/** What was done, what it can be taken back with, and doing that (workspace-wire 6.3). Called inside a turn of the workspace. */
export interface History {
  /**
   * Prepares the outcome of an app's action. `effect` is true for an outside action that did more than operations.
   * `counter` is the app's next item number after the plan.
   */
  prepareChange(
    at: ActionPlace,
    outcome: Outcome,
    author: Author,
    options: Readonly<{ effect: boolean; counter: number | null }>,
  ): Promise<Prepared>;
  /** Prepares the host's `undo` or `redo` for a caller; `result` is `{steps, undone | redone, not_undone?}`. @throws WireFailure undo_conflict, nothing_to_undo, nothing_to_redo, invalid_arguments */
  prepareUndo(at: ActionPlace, way: 'undo' | 'redo', args: Args, author: Author): Promise<Prepared>;
  /**
   * The person, told by name, takes back or puts back, in turns of its own; each app's step on its own. Nothing is
   * thrown for what cannot be done: it is a conflict (`nothing_to_undo` of the app `''` where nothing is named).
   */
  byPerson(workspace: string, way: 'undo' | 'redo', request: UndoRequest, person: string): Promise<UndoAnswer>;
  canRedo(connection: string, workspace: string, app: string): boolean;
  lastChanges(workspace: string, app: string): ReadonlyMap<string, number>;
  /** Steps of a workspace, newest first, a page at a time; `before` as an earlier page gave it. */
  activity(workspace: string, before?: string): Activity;
}
