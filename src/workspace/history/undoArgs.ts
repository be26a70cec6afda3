import { wireLimits } from '../../../schemas/wire/limits.ts';
import type { Args } from '../apps/app.ts';
import { at as pathAt, refuse, say, type WireFailure } from '../failure.ts';
import type { ActionPlace } from '../world/world.ts';

/** What a call of the host's `undo` or `redo` names: its own newest steps, or the step that holds a change. */
export type UndoArgs = Readonly<{ steps: number }> | Readonly<{ change: string }>;

/**
 * Reads the arguments of the host's `undo` and `redo` (workspace-wire 6.3). Nothing is coerced. To be asked before the
 * call is admitted, so that a corrected one may use its id again.
 *
 * @throws WireFailure invalid_arguments
 */
export const readUndoArgs = ({ path, offered }: Pick<ActionPlace, 'path' | 'offered'>, args: Args): UndoArgs => {
  const { id, params } = offered.row;
  const wrong = (what: string): WireFailure =>
    refuse('invalid_arguments', say`${id} ${what}.`, [say`tilo_ls ${pathAt(path)} lists its parameters`]);
  const unknown = Object.keys(args).filter((name) => !params.some((param) => param.name === name));
  if (unknown.length > 0) throw wrong(`has no parameter ${unknown.join(', ')}`);
  const { steps, change } = args;
  if (steps !== undefined && change !== undefined) throw wrong('takes steps or change, not both');
  if (change !== undefined) {
    if (typeof change !== 'string') throw wrong('takes the id of a change as change, a text');
    return { change };
  }
  if (steps === undefined) return { steps: 1 };
  if (typeof steps !== 'number' || !Number.isSafeInteger(steps) || steps < 1 || steps > wireLimits.undoSteps)
    throw wrong(`takes as steps a whole number from 1 to ${wireLimits.undoSteps}`);
  return { steps };
};
