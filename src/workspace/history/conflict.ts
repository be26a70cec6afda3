import { cursorOf } from '../../../schemas/wire/cursor.ts';
import type { Action } from '../apps/app.ts';
import { at, type Failure, type Phrase, say } from '../failure.ts';
import type { Place, World } from '../world/world.ts';
import type { ChangeRow, HistoryStatements } from './rows.ts';
import type { Way } from './stepView.ts';
import type { Clash } from './turn.ts';

const done = { undo: 'taken back', redo: 'put back' } as const satisfies Record<Way, string>;

/** The newest other change of a key that is in place, else the one taken back last; null when history has none any more. */
const culpritOf = (
  sql: HistoryStatements,
  workspace: string,
  app: string,
  { key, portion }: Clash,
): ChangeRow | null => {
  const own = new Set(portion.changes.map(({ seq }) => seq));
  const others = sql.writers.all(workspace, app, key).filter(({ seq }) => !own.has(seq));
  const inPlace = others.filter(({ undone }) => undone === 0);
  const newestTakenBack = [...others].sort((one, other) => other.undone - one.undone)[0];
  return inPlace[0] ?? newestTakenBack ?? null;
};

const canBeTriedAgain = ({ place, action }: Readonly<{ place: Place; action: string }>): boolean => {
  const actions: readonly Action[] = place.app.kinds[place.resource.kind]?.actions(place.resource) ?? [];
  return actions.some(
    ({ id, kind, destroys, absent }) => id === action && kind === 'undoable' && destroys !== true && !absent,
  );
};

/** Calls that show or change what stands in the way: at the resource that was changed, or the nearest above that is left. */
const waysOut = async (world: World, workspace: string, { ref, action }: ChangeRow): Promise<readonly Phrase[]> => {
  const place = await world.byRef(workspace, ref);
  if (place !== null) {
    const path = place.touchedPath;
    return [
      ...(canBeTriedAgain({ place, action }) ? [say`tilo_do ${at(`${path}#${action}`)} changes it by hand`] : []),
      say`tilo_read ${at(path)} shows it as it is`,
    ];
  }
  for (let above = ref; above.includes('/'); ) {
    above = above.slice(0, above.lastIndexOf('/'));
    const left = await world.byRef(workspace, above);
    if (left !== null) return [say`tilo_ls ${at(left.path)} lists what is there now`];
  }
  return [];
};

/**
 * Says who stands in the way of taking or putting back, with what, and how to go on (workspace-wire 6.3). Of several
 * changes in the way the newest is named.
 */
export const conflictOf = async (
  {
    sql,
    world,
    workspace,
    app,
    way,
  }: Readonly<{
    sql: HistoryStatements;
    world: World;
    workspace: string;
    app: string;
    way: Way;
  }>,
  clashes: readonly Clash[],
): Promise<Failure> => {
  const culprits = clashes.flatMap((clash) => culpritOf(sql, workspace, app, clash) ?? []);
  const [culprit] = culprits.sort((one, other) => Math.max(other.seq, other.undone) - Math.max(one.seq, one.undone));
  const so = `so the step cannot be ${done[way]}.`;
  if (culprit === undefined)
    return {
      code: 'undo_conflict',
      message: say`What it changed has changed since, ${so}`,
      next: [say`tilo_ls ${at(app)} lists what is there now`],
    };
  const { by, sentence, seq, undone } = culprit;
  return {
    code: 'undo_conflict',
    message:
      undone === 0
        ? say`${by} has since ${sentence} (${cursorOf(seq)}), ${so}`
        : say`What ${by} did (${sentence}, ${cursorOf(seq)}) has since been taken back, ${so}`,
    next: await waysOut(world, workspace, culprit),
  };
};
