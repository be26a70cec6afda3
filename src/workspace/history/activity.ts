import { cursorOf, sequenceOf } from '../../../schemas/wire/cursor.ts';
import type { Activity, ActivityStep } from '../../../schemas/wire/person.ts';
import type { History } from './history.ts';
import type { HistoryStatements } from './rows.ts';
import { distinct } from './touched.ts';

/** Steps of one page of the activity. */
const pageSteps = 50;

const stepOf = (sql: HistoryStatements, id: number, app: string): ActivityStep | null => {
  const step = sql.step.get(id);
  const changes = sql.changes.all(id, app);
  const latest = changes.at(-1);
  if (step === undefined || latest === undefined) return null;
  const written = new Set(sql.ops.all(id, app).map(({ change }) => change));
  const reversible = new Set(changes.filter(({ seq }) => written.has(seq)).map(({ invocation }) => invocation));
  const turning = changes.filter(({ invocation }) => reversible.has(invocation));
  return {
    step: step.number,
    by: latest.by,
    ...(step.run_title !== null && { run: step.run_title }),
    ...(step.run_id !== null && { run_id: step.run_id }),
    app,
    time_ms: latest.time_ms,
    undone: turning.length > 0 && turning.every(({ undone }) => undone > 0),
    outside: [...distinct(changes.filter(({ effect }) => effect === 1).map(({ action_path }) => action_path))],
    changes: changes.map(({ seq, path, sentence, time_ms, undone }) => ({
      change: cursorOf(seq),
      path,
      sentence,
      time_ms,
      undone: undone > 0,
    })),
  };
};

/** @see History.activity */
export const activityOf =
  (sql: HistoryStatements): History['activity'] =>
  (workspace, before): Activity => {
    const end = before === undefined ? null : sequenceOf(before);
    const rows = sql.activity.all(workspace, end ?? Number.MAX_SAFE_INTEGER, pageSteps + 1);
    const shown = rows.slice(0, pageSteps);
    const last = shown.at(-1);
    return {
      steps: shown.flatMap(({ step, app }) => stepOf(sql, step, app) ?? []),
      ...(rows.length > shown.length && last !== undefined && { before: cursorOf(last.latest) }),
    };
  };
