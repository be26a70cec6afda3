import type { App, Write } from '../apps/app.ts';
import type { Store } from '../store/store.ts';
import type { OpRow } from './rows.ts';
import type { Portion, Way } from './stepView.ts';
import { storedText, storedValue } from './storedValue.ts';

/** A key that is not as the step left it. */
export interface Clash {
  readonly key: string;
  readonly portion: Portion;
}

/** What taking or putting back comes to: writes, or the keys where something else stands now. */
export type Turn = Readonly<{ writes: readonly Write[]; clashes: readonly Clash[] }>;

/** Of each key the first `before` and the last `after`: all that counts of a step that keeps growing (workspace-wire 6.3). */
const merged = (
  ops: readonly OpRow[],
): ReadonlyMap<string, Readonly<{ before: string | null; after: string | null }>> => {
  const keys = new Map<string, { before: string | null; after: string | null }>();
  for (const { key, before, after } of ops) {
    const known = keys.get(key);
    if (known === undefined) keys.set(key, { before, after });
    else known.after = after;
  }
  return keys;
};

/** Works out the writes that take portions back, or put them back, one after the other. Every key must be as it was left. */
export const turnOf = (
  store: Pick<Store, 'states'>,
  app: Pick<App, 'id' | 'mayUndo'>,
  workspace: string,
  way: Way,
  portions: readonly Portion[],
): Turn => {
  const state = store.states.of(workspace, app.id);
  const planned = new Map<string, string | null>();
  const clashes: Clash[] = [];
  for (const portion of portions)
    for (const [key, { before, after }] of merged(portion.ops)) {
      const [from, to] = way === 'undo' ? [after, before] : [before, after];
      const current = planned.has(key) ? (planned.get(key) ?? null) : storedText(state.get(key));
      const allowed =
        current === from ||
        app.mayUndo?.({ key, before: storedValue(to), after: storedValue(from) }, storedValue(current)) === true;
      if (allowed) planned.set(key, to);
      else clashes.push({ key, portion });
    }
  return {
    writes: [...planned].map(([key, text]) => ({ key, value: storedValue(text) })),
    clashes,
  };
};
