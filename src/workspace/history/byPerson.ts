import { cursorOf, sequenceOf } from '../../../schemas/wire/cursor.ts';
import type { UndoAnswer, UndoRequest } from '../../../schemas/wire/person.ts';
import { type Failure, refuse, say, spoken, WireFailure } from '../failure.ts';
import type { Clock } from '../sources.ts';
import type { Turns } from '../turns.ts';
import type { History } from './history.ts';
import type { HistoryParts } from './parts.ts';
import { prepareTurn } from './prepareTurn.ts';
import type { HistoryStatements, StepRow } from './rows.ts';
import { inPlaceOf, takenBackOf, type Way } from './stepView.ts';

interface Target {
  readonly step: StepRow;
  readonly app: string;
}

type Done = UndoAnswer['done'][number];

/** What is asked for: a step in the app of its change, or every app's step of a run. */
const targetsOf = (sql: HistoryStatements, workspace: string, request: UndoRequest): readonly Target[] => {
  if ('run_id' in request)
    return sql.stepsOfRun
      .all(workspace, request.run_id)
      .flatMap((step) => sql.appsOfStep.all(step.id).map((app) => ({ step, app })));
  const seq = sequenceOf(request.change);
  const change = seq === null ? undefined : sql.change.get(workspace, seq);
  const step = change && sql.step.get(change.step);
  return change && step ? [{ step, app: change.app }] : [];
};

const nothing = (way: Way): Failure => ({
  code: way === 'undo' ? 'nothing_to_undo' : 'nothing_to_redo',
  message: say`Nothing is left here to ${way === 'undo' ? 'take back' : 'put back'}.`,
  next: [],
});

/** @see History.byPerson */
export const personsTurns = (parts: HistoryParts & Readonly<{ turns: Turns; clock: Clock }>): History['byPerson'] => {
  const { sql, store, events, world, turns, clock } = parts;

  const turn = async (workspace: string, way: Way, { step, app }: Target, person: string): Promise<Done> => {
    const portion = way === 'undo' ? inPlaceOf(sql, step, app) : takenBackOf(sql, step, app);
    if (portion === null) throw new WireFailure(nothing(way));
    if (portion.changes.length === 0)
      throw refuse('nothing_to_undo', say`What ${portion.effects.join(', ')} did reached outside and stays.`);
    const root = await world().byRef(workspace, app);
    if (root === null) throw refuse('app_stopped', say`The app ${app} is not running.`);
    const prepared = await prepareTurn(parts, { workspace, app: root.app, way }, [portion], {
      by: person,
      connection: null,
    });
    store.transaction(() => prepared.commit(clock.now()));
    events.wake();
    return { app, undone: prepared.changes.map(cursorOf), resources: [...prepared.resources] };
  };

  return async (workspace, way, request, person) => {
    const answer: UndoAnswer = { done: [], conflicts: [] };
    const targets = targetsOf(sql, workspace, request);
    for (const target of targets)
      try {
        answer.done.push(await turns.take(workspace, () => turn(workspace, way, target, person)));
      } catch (error) {
        if (!(error instanceof WireFailure)) throw error;
        const { code, message } = error.failure;
        answer.conflicts.push({ app: target.app, code, message: spoken(message, null) });
      }
    if (targets.length === 0) {
      const { code, message } = nothing(way);
      answer.conflicts.push({ app: '', code, message: spoken(message, null) });
    }
    return answer;
  };
};
