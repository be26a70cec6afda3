import { cursorOf, sequenceOf } from '../../../schemas/wire/cursor.ts';
import { type Phrase, at as pathAt, refuse, say, type WireFailure } from '../failure.ts';
import { shownWord } from '../world/refusals.ts';
import type { ActionPlace } from '../world/world.ts';
import type { Author, History } from './history.ts';
import type { HistoryParts } from './parts.ts';
import { byOf } from './prepareChange.ts';
import { prepareTurn } from './prepareTurn.ts';
import type { HistoryStatements } from './rows.ts';
import { inPlaceOf, lastTakenBack, newestInPlace, type Portion, takenBackOf, type Way } from './stepView.ts';
import { distinct } from './touched.ts';
import { readUndoArgs } from './undoArgs.ts';

const nothing = (at: ActionPlace, way: Way, what: string): WireFailure =>
  refuse(way === 'undo' ? 'nothing_to_undo' : 'nothing_to_redo', say`${what}`, [
    say`tilo_ls ${pathAt(at.place.path)} lists what can be done there`,
  ]);

/** Says of actions, by their paths, that what they did stays. */
const reachedOutside = (effects: readonly string[]): Phrase => [
  'What ',
  ...effects.flatMap((path, index) => (index === 0 ? [pathAt(path)] : [', ', pathAt(path)])),
  ' did reached outside and cannot be taken back.',
];

/** The portion of the step that holds a change, which the same token must have made in this app. */
const portionOfChange = (
  sql: HistoryStatements,
  at: ActionPlace,
  way: Way,
  id: string,
  author: Author,
): readonly Portion[] => {
  const { workspace, app, path } = at.place;
  const seq = sequenceOf(id);
  const change = seq === null ? undefined : sql.change.get(workspace, seq);
  const step = change && sql.step.get(change.step);
  if (change?.app !== app.id || step?.token !== author.token)
    throw refuse('invalid_arguments', say`${shownWord(id)} is no change that you made in ${app.label}.`, [
      say`tilo_do ${pathAt(`${path}#${way}`)} without change goes by your own steps`,
    ]);
  const portion = way === 'undo' ? inPlaceOf(sql, step, app.id) : takenBackOf(sql, step, app.id);
  if (portion !== null) return [portion];
  throw nothing(
    at,
    way,
    way === 'undo'
      ? `The step that holds ${id} has been taken back already.`
      : `Of the step that holds ${id} nothing can be put back.`,
  );
};

const ownPortions = (
  sql: HistoryStatements,
  at: ActionPlace,
  way: Way,
  steps: number,
  { connection, run }: Author,
): readonly Portion[] => {
  const { workspace, app } = at.place;
  const whose = { workspace, app: app.id, connection, key: run?.id ?? null };
  const found = way === 'undo' ? newestInPlace(sql, whose, steps) : lastTakenBack(sql, whose, steps);
  if (found.length > 0) return found;
  const what = way === 'undo' ? 'taken back' : 'put back';
  throw nothing(
    at,
    way,
    run === null
      ? `Nothing of yours in ${app.label} can be ${what}.`
      : `Nothing of this run in ${app.label} can be ${what}.`,
  );
};

/** @see History.prepareUndo */
export const undoPreparer =
  (parts: HistoryParts): History['prepareUndo'] =>
  async (at, way, args, author) => {
    const { sql, registry } = parts;
    const { workspace, app } = at.place;
    const named = readUndoArgs(at, args);
    const found =
      'change' in named
        ? portionOfChange(sql, at, way, named.change, author)
        : ownPortions(sql, at, way, named.steps, author);
    const effects = distinct(found.flatMap((portion) => portion.effects));
    const portions = found.filter(({ changes }) => changes.length > 0);
    if (portions.length === 0)
      throw refuse('nothing_to_undo', reachedOutside(effects), [
        say`tilo_ls ${pathAt(at.place.path)} lists what can be done there`,
      ]);
    const who = { by: byOf(registry, author), connection: author.connection };
    const { changes, resources, commit } = await prepareTurn(parts, { workspace, app, way }, portions, who);
    // An answer names paths as the endpoint of its connection does.
    const prefix = sql.endpoint.get(author.connection) === null ? `${workspace}/` : '';
    return {
      result: {
        steps: portions.length,
        [way === 'undo' ? 'undone' : 'redone']: changes.map(cursorOf),
        ...(effects.length > 0 && { not_undone: effects.map((path) => `${prefix}${path}`) }),
      },
      resources,
      commit,
    };
  };
