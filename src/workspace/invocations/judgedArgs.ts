import { wireLimits } from '../../../schemas/wire/limits.ts';
import type { Params } from '../apps/app.ts';
import { type CheckedArgs, checkArgs } from '../apps/args.ts';
import type { Caller } from '../caller.ts';
import { at, say, WireFailure } from '../failure.ts';
import type { ActionPlace, World } from '../world/world.ts';

type Sent = Readonly<Record<string, unknown>>;

/** The parameters of the host's own actions, whose rows the world lists. */
const hostParams: Readonly<Record<'undo' | 'redo', Params>> = {
  undo: { steps: { type: 'integer', required: false }, change: { type: 'text', required: false } },
  redo: { steps: { type: 'integer', required: false } },
};

const judgeHost = async (place: ActionPlace, way: 'undo' | 'redo', args: Sent, item: string): Promise<CheckedArgs> => {
  const checked = await checkArgs({ id: way, params: hostParams[way] }, args, {
    path: place.path,
    item,
    resolves: () => false,
  });
  if (!checked.ok) return checked;
  const { steps, change } = checked.args;
  const wrong = (param: string, sentence: string): CheckedArgs => ({
    ok: false,
    failure: {
      code: 'invalid_arguments',
      message: [sentence],
      next: [say`tilo_ls ${at(place.path)} lists its parameters`],
    },
    messages: { [param]: sentence },
  });
  if (typeof steps === 'number' && (steps < 1 || steps > wireLimits.undoSteps))
    return wrong('steps', `${way} takes steps only as a number from 1 to ${wireLimits.undoSteps}.`);
  if (steps !== undefined && change !== undefined)
    return wrong('change', `${way} takes either steps or change, not both.`);
  return checked;
};

/** `redo` can be listed only while something can be put back; what it stands beside can be always. */
const listable = ({ place, offered }: ActionPlace, checked: CheckedArgs): CheckedArgs =>
  checked.ok || offered.by === 'app' || offered.way === 'undo'
    ? checked
    : { ...checked, failure: { ...checked.failure, next: [say`tilo_ls ${at(place.path)} lists its actions`] } };

/**
 * Judges the arguments of a call, of an app's action or of the host's own, exactly as the action takes them.
 *
 * @param resolves whether a path, as it stands in the arguments, leads to a resource
 */
export const judgeArgs = (
  place: ActionPlace,
  args: Sent,
  resolves: (path: string) => Promise<boolean>,
): Promise<CheckedArgs> => {
  const { item } = place.place.resource;
  return place.offered.by === 'host'
    ? judgeHost(place, place.offered.way, args, item).then((checked) => listable(place, checked))
    : checkArgs(place.offered.action, args, { path: place.path, item, resolves });
};

/** Whether a path, as it stands in the arguments of a call, leads to a resource of the workspace that the call is in. */
export const leadsInto =
  (world: World, caller: Pick<Caller, 'connection'>, workspace: string) =>
  async (path: string): Promise<boolean> => {
    try {
      return (await world.locate(caller, path)).workspace === workspace;
    } catch (error) {
      if (error instanceof WireFailure) return false;
      throw error;
    }
  };
