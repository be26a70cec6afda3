import type { ChangeRow, HistoryStatements, OpRow, StepRow } from './rows.ts';

export type Way = 'undo' | 'redo';

/** What one step did in one app, as far as it is to be taken or put back. */
export interface Portion {
  readonly step: StepRow;
  /** The changes that turn, oldest first. */
  readonly changes: readonly ChangeRow[];
  /** Their operations, oldest first. */
  readonly ops: readonly OpRow[];
  /** Actions whose effects stay, by their paths. */
  readonly effects: readonly string[];
}

const pathsOf = (changes: readonly ChangeRow[]): readonly string[] => [
  ...new Set(changes.filter(({ effect }) => effect === 1).map(({ action_path }) => action_path)),
];

/**
 * What is in place of a step in an app; null when nothing is. A change that only reached outside stays in place; a step
 * of nothing else has such a portion, without changes (workspace-wire 6.3: it counts, and cannot be taken back).
 */
export const inPlaceOf = (sql: HistoryStatements, step: StepRow, app: string): Portion | null => {
  const all = sql.changes.all(step.id, app);
  const ops = sql.ops.all(step.id, app);
  const written = new Set(ops.map(({ change }) => change));
  // The operations of an invocation stand at its first change; the others go and come with it.
  const reversible = new Set(all.filter(({ seq }) => written.has(seq)).map(({ invocation }) => invocation));
  const canTurn = ({ effect, invocation }: ChangeRow): boolean => effect === 0 || reversible.has(invocation);
  const changes = all.filter((change) => change.undone === 0 && canTurn(change));
  if (changes.length === 0 && (all.length === 0 || all.some(canTurn))) return null;
  const turning = new Set(changes.map(({ seq }) => seq));
  return {
    step,
    changes,
    ops: ops.filter(({ change }) => turning.has(change)),
    effects: pathsOf(all.filter(({ undone }) => undone === 0)),
  };
};

/** What of a step may be put back in an app: what was taken back since its connection last changed something there. */
export const takenBackOf = (sql: HistoryStatements, step: StepRow, app: string): Portion | null => {
  const isLost = ({ undone }: ChangeRow): boolean =>
    sql.changedSince.get(step.workspace, app, undone, step.connection) !== undefined;
  const changes = sql.changes.all(step.id, app).filter((change) => change.undone > 0 && !isLost(change));
  if (changes.length === 0) return null;
  const turning = new Set(changes.map(({ seq }) => seq));
  return { step, changes, ops: sql.ops.all(step.id, app).filter(({ change }) => turning.has(change)), effects: [] };
};

/** Whose steps in which app; of one step when a key is given. */
export interface Whose {
  readonly workspace: string;
  readonly app: string;
  readonly connection: string;
  readonly key: string | null;
}

/** The steps of a connection that have something in place in an app, newest first. */
function* stepsInPlace(
  sql: HistoryStatements,
  { workspace, app, connection, key }: Whose,
  window: number,
): Generator<StepRow> {
  if (key !== null) {
    const step = sql.stepByKey.get(workspace, connection, key);
    if (step !== undefined) yield step;
    return;
  }
  for (let before = Number.MAX_SAFE_INTEGER; ; ) {
    const rows = sql.inPlace.all(workspace, app, before, connection, window);
    for (const row of rows) {
      const step = sql.step.get(row.step);
      if (step !== undefined) yield step;
      before = row.seq;
    }
    if (rows.length < window) return;
  }
}

/** The newest portions of a connection in an app, at most `count`. A step is as new as its latest change in place. */
export const newestInPlace = (sql: HistoryStatements, whose: Whose, count: number): readonly Portion[] => {
  const found: Portion[] = [];
  for (const step of stepsInPlace(sql, whose, count)) {
    const portion = inPlaceOf(sql, step, whose.app);
    if (portion !== null) found.push(portion);
    if (found.length === count) break;
  }
  return found;
};

/** What a connection took back last in an app, or somebody took back of what it did; the latest first, at most `count`. */
export const lastTakenBack = (
  sql: HistoryStatements,
  { workspace, app, connection, key }: Whose,
  count: number,
): readonly Portion[] => {
  const found: Portion[] = [];
  for (const row of sql.takenBack.all(workspace, app, connection, connection)) {
    // Who has gone on since puts nothing back, of others' steps neither; what was taken back earlier is lost as well.
    if (sql.changedSince.get(workspace, app, row.latest, connection) !== undefined) break;
    if (key !== null && (row.key !== key || row.connection !== connection)) continue;
    const step = sql.step.get(row.step);
    const portion = step && takenBackOf(sql, step, app);
    if (portion) found.push(portion);
    if (found.length === count) break;
  }
  return found;
};
