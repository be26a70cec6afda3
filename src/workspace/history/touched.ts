import type { Write } from '../apps/app.ts';
import { overlay, spaceOf } from '../store/overlay.ts';
import type { StateSource, World } from '../world/world.ts';

/** How resources are printed once planned writes are in place; gives the path of each reference. */
export const pathsAfter = async (
  world: World,
  states: StateSource,
  { workspace, app, writes }: Readonly<{ workspace: string; app: string; writes: readonly Write[] }>,
  /** References, and the path to tell where one names nothing, neither before nor after. */
  touched: Iterable<readonly [ref: string, fallback: string]>,
): Promise<ReadonlyMap<string, string>> => {
  const then = world.over(overlay(states, new Map([[spaceOf(workspace, app), writes]])));
  const paths = new Map<string, string>();
  for (const [ref, fallback] of touched) {
    if (paths.has(ref)) continue;
    // What is gone then is told by the path it had.
    const place = (await then.byRef(workspace, ref)) ?? (await world.byRef(workspace, ref));
    paths.set(ref, place?.touchedPath ?? fallback);
  }
  return paths;
};

/** Each once, in order. */
export const distinct = (texts: Iterable<string>): readonly string[] => [...new Set(texts)];
