import type { Json, Outcome, State, Touch } from '../apps/app.ts';
import type { Registry } from '../store/store.ts';
import type { ActionPlace } from '../world/world.ts';
import { changeEvent } from './changeEvent.ts';
import type { Author, History } from './history.ts';
import type { HistoryParts } from './parts.ts';
import type { HistoryStatements } from './rows.ts';
import { storedText } from './storedValue.ts';
import { distinct, pathsAfter } from './touched.ts';

/** A write that changes something, and what stood there before. */
interface Effective {
  readonly key: string;
  readonly value: Json | null;
  readonly before: string | null;
  readonly after: string | null;
}

/** The last write of each key, without those that leave it as it is. */
const effective = (state: State, ops: Outcome['ops'] = []): readonly Effective[] => {
  const lasts = new Map(ops.map(({ key, value }) => [key, value]));
  return [...lasts]
    .map(([key, value]) => ({ key, value, before: storedText(state.get(key)), after: storedText(value) }))
    .filter(({ before, after }) => before !== after);
};

/** What the outcome says it touched, each resource once; the resource of the action when it says nothing. */
const touchesOf = ({ place, offered }: ActionPlace, outcome: Outcome, changes: boolean): readonly Touch[] => {
  const said = outcome.touches ?? (offered.kind === 'read' ? [] : null);
  const touches =
    said === null || (said.length === 0 && changes) ? [{ resource: place.ref, sentence: offered.row.label }] : said;
  const sentences = new Map<string, string[]>();
  for (const { resource, sentence } of touches) {
    const known = sentences.get(resource);
    if (known === undefined) sentences.set(resource, [sentence]);
    else if (!known.includes(sentence)) known.push(sentence);
  }
  return [...sentences].map(([resource, several]) => ({ resource, sentence: several.join('; ') }));
};

/** The step that an author's changes belong to, made when it is missing; a later title of its run replaces the first. */
const stepOf = (sql: HistoryStatements, workspace: string, author: Author): number => {
  const { connection, token, label, run } = author;
  const title = run?.title ?? null;
  const known = sql.stepByKey.get(workspace, connection, author.stepKey);
  if (known !== undefined) {
    if (title !== null && title !== known.run_title) sql.nameRun.run(title, known.id);
    return known.id;
  }
  const number = sql.nextNumber.get(connection) ?? (sql.highestNumber.get(connection) ?? 0) + 1;
  const { lastInsertRowid } = sql.insertStep.run({
    workspace,
    connection,
    token,
    key: author.stepKey,
    number,
    label,
    run_id: run?.id ?? null,
    run_title: title,
  });
  return Number(lastInsertRowid);
};

/** Who did it: in a named run the person that the run works for, else the connection (D-42). */
export const byOf = (registry: Pick<Registry, 'person'>, { label, run }: Pick<Author, 'label' | 'run'>): string =>
  run === null || run.title === null ? label : registry.person().name || label;

/** @see History.prepareChange */
export const changePreparer =
  ({ store, registry, events, world, sql }: HistoryParts): History['prepareChange'] =>
  async (at, outcome, author, { effect, counter }) => {
    const { workspace, app, ref } = at.place;
    const writes = effective(store.states.of(workspace, app.id), outcome.ops);
    const changes = writes.length > 0 || effect;
    const touches = touchesOf(at, outcome, changes);
    const paths = await pathsAfter(
      world(),
      store.states,
      { workspace, app: app.id, writes },
      touches.map(({ resource }) => [resource, resource === ref ? at.place.touchedPath : resource]),
    );

    const record = (time_ms: number): void => {
      const step = stepOf(sql, workspace, author);
      const by = byOf(registry, author);
      for (const [index, { resource, sentence }] of touches.entries()) {
        const told = { workspace, ref: resource, path: paths.get(resource) ?? resource, sentence, by, time_ms };
        const seq = events.append(changeEvent({ ...told, run: author.run?.title ?? null, undone: false }));
        sql.insertChange.run({
          ...told,
          seq,
          step,
          app: app.id,
          action: at.offered.row.id,
          action_path: at.path,
          invocation: author.invocation,
          effect: effect ? 1 : 0,
          undone: 0,
          undone_by: null,
        });
        if (index > 0) continue;
        for (const [ordinal, { key, before, after }] of writes.entries())
          sql.insertOp.run({ change: seq, ordinal, workspace, app: app.id, key, before, after });
      }
    };

    return {
      ...(outcome.result !== undefined && { result: outcome.result }),
      resources: distinct(paths.values()),
      commit: (time_ms) => {
        if (writes.length > 0) store.write(workspace, app.id, writes);
        if (counter !== null) store.raiseCounter(workspace, app.id, counter);
        if (changes) record(time_ms);
      },
    };
  };
