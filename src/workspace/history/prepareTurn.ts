import type { App } from '../apps/app.ts';
import { WireFailure } from '../failure.ts';
import { changeEvent } from './changeEvent.ts';
import { conflictOf } from './conflict.ts';
import type { HistoryParts } from './parts.ts';
import type { Portion, Way } from './stepView.ts';
import { distinct, pathsAfter } from './touched.ts';
import { turnOf } from './turn.ts';

/** Taking or putting back, worked out; nothing is stored before `commit`. */
export interface PreparedTurn {
  /** The changes in the order in which they turn: by step, in each the oldest first. */
  readonly changes: readonly number[];
  readonly resources: readonly string[];
  commit(time_ms: number): void;
}

/**
 * Prepares to take back or put back portions of steps, all or nothing.
 *
 * @param who whose name the events tell, and the connection that does it, null for the person
 * @throws WireFailure undo_conflict
 */
export const prepareTurn = async (
  { store, events, world, sql }: HistoryParts,
  { workspace, app, way }: Readonly<{ workspace: string; app: App; way: Way }>,
  portions: readonly Portion[],
  who: Readonly<{ by: string; connection: string | null }>,
): Promise<PreparedTurn> => {
  const { writes, clashes } = turnOf(store, app, workspace, way, portions);
  if (clashes.length > 0)
    throw new WireFailure(await conflictOf({ sql, world: world(), workspace, app: app.id, way }, clashes));
  const changes = portions.flatMap(({ step, changes: turning }) => turning.map((change) => ({ step, change })));
  const paths = await pathsAfter(
    world(),
    store.states,
    { workspace, app: app.id, writes },
    changes.map(({ change }) => [change.ref, change.path]),
  );
  return {
    changes: changes.map(({ change }) => change.seq),
    resources: distinct(paths.values()),
    commit: (time_ms) => {
      if (writes.length > 0) store.write(workspace, app.id, writes);
      for (const { step, change } of changes) {
        const { ref, path, sentence, seq } = change;
        const event = events.append(
          changeEvent({
            workspace,
            ref,
            path: paths.get(ref) ?? path,
            sentence,
            by: who.by,
            run: step.run_title,
            time_ms,
            undone: way === 'undo',
            change: seq,
          }),
        );
        if (way === 'undo') sql.takeBack.run(event, who.connection, seq);
        else sql.putBack.run(seq);
      }
    },
  };
};
