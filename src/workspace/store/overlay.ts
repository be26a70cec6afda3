import type { State } from '../apps/app.ts';
import { type Changes, changesOf, merged } from './keyOrder.ts';
import type { Overlay, StateSource } from './store.ts';

/** The name of an app's state among those of all workspaces, `home/notes`: what an overlay's writes are found by. */
export const spaceOf = (workspace: string, app: string): string => `${workspace}/${app}`;

const overState = (base: State, changes: Changes): State => ({
  get: (key) => {
    const value = changes.get(key);
    return value === undefined ? base.get(key) : (value ?? undefined);
  },
  list: (prefix) => merged(base.list(prefix), new Map([...changes].filter(([key]) => key.startsWith(prefix)))),
});

/**
 * States with planned writes on top: they read exactly as they would after the writes were applied. The writes are
 * found by `spaceOf`; writes that are added to the map later are not seen.
 *
 * @throws CanonicalError, RangeError as a store does that writes them
 */
export const overlay: Overlay = (base, writes) => {
  const planned = new Map<string, Changes>();
  for (const [space, list] of writes) planned.set(space, changesOf(list));
  return {
    of: (workspace, app): State => {
      const state = base.of(workspace, app);
      const changes = planned.get(spaceOf(workspace, app));
      return changes === undefined ? state : overState(state, changes);
    },
  } satisfies StateSource;
};
