import { parsePath } from '../../../schemas/wire/path.ts';
import type { App } from '../apps/app.ts';
import { type Branch, branchOf, rootOf } from './places.ts';
import { ambiguousPath, unknownPath } from './refusals.ts';
import { meant } from './siblings.ts';
import type { Place, StateSource } from './world.ts';

/** A place, and whether the last segment that led there was its key. */
export interface Found {
  readonly place: Place;
  readonly by: 'key' | 'name';
}

/**
 * Walks down from an app's root. A segment is an item key first, then a name (D-03).
 *
 * @param below the segments below the app
 * @throws WireFailure unknown_path, ambiguous_path
 */
export const walkDown = async (
  states: StateSource,
  workspace: string,
  app: App,
  below: readonly string[],
): Promise<Found> => {
  let place = rootOf(states, workspace, app);
  let by: Found['by'] = 'key';
  for (const segment of below) {
    const branch: Branch = await branchOf(place);
    const found = meant(branch.siblings, segment);
    const [only, ...more] = found.siblings;
    if (only === undefined) throw unknownPath(place, branch, segment);
    if (more.length > 0) throw ambiguousPath(place, found.siblings, segment);
    place = branch.placeOf(only);
    ({ by } = found);
  }
  return { place, by };
};

/** Walks down by keys alone; null where one of them is not there. */
export const walkKeys = async (
  states: StateSource,
  workspace: string,
  app: App,
  keys: readonly string[],
): Promise<Place | null> => {
  let place = rootOf(states, workspace, app);
  for (const key of keys) {
    const branch: Branch = await branchOf(place);
    const found = branch.siblings.find(({ item }) => item === key);
    if (found === undefined) return null;
    place = branch.placeOf(found);
  }
  return place;
};

/** The keys of a reference, the app's id first; none when it is no path. */
export const keysOf = (ref: string): readonly string[] => {
  const parsed = parsePath(ref);
  return parsed.ok && parsed.path.action === undefined ? parsed.path.segments : [];
};
