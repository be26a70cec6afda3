import { isDeepStrictEqual } from 'node:util';
import type { Database } from '../../../src/ledger/sqlite/driver.ts';
import { openStore } from '../../../src/workspace/store/openStore.ts';
import { clock, draws, type Folders, idsFrom } from './place.ts';

type Row = Readonly<Record<string, unknown>>;
/** Every row of every table. */
export type Contents = Readonly<Record<string, readonly Row[]>>;

/** All that a database holds, but for the pages of the search's own index. */
export const contentsOf = (db: Database): Contents => {
  const names = db
    .prepare<[], string>(
      `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'find_index%' AND name NOT LIKE 'sqlite%'
       ORDER BY name`,
    )
    .pluck()
    .all();
  return Object.fromEntries(names.map((name) => [name, db.prepare<[], Row>(`SELECT * FROM ${name}`).all()]));
};

/** What a killed process left, before any host looks at it. */
export const left = ({ data }: Folders): Contents => {
  const store = openStore({ directory: data, clock, ids: idsFrom(draws.again) });
  try {
    return contentsOf(store.db);
  } finally {
    store.close();
  }
};

export const rowsOf = (contents: Contents, table: string): readonly Row[] => {
  const rows = contents[table];
  if (rows === undefined) throw new Error(`There is no table ${table}.`);
  return rows;
};

/** The contents without the count of moves of invocations: a restart is a move, which nobody else is told of. */
export const withoutMoves = (contents: Contents): Contents => ({
  ...contents,
  invocations: rowsOf(contents, 'invocations').map(({ version, context_json, ...row }) => row),
});

/** How often watchers were told of an invocation, and what. */
export const phasesOf = (contents: Contents, invocation: string): readonly unknown[] =>
  rowsOf(contents, 'events')
    .filter(({ kind }) => kind === 'run')
    .map(({ body }): Row => JSON.parse(String(body)))
    .filter(({ invocation_id }) => invocation_id === invocation)
    .map(({ phase }) => phase);

const ends: Readonly<Record<string, string>> = {
  succeeded: 'succeeded',
  failed: 'failed',
  refused: 'failed',
  cancelled: 'cancelled',
};

/**
 * Where the tables contradict each other: each invocation was told to begin and to end as it did, each change has its
 * event, its step and its invocation that succeeded, and the documents are what the operations in place made of those before them.
 */
export const contradictions = (contents: Contents, seed: Contents): readonly string[] => {
  const [invocations, changes, ops, steps] = ['invocations', 'changes', 'ops', 'steps'].map((name) =>
    rowsOf(contents, name),
  );
  if (!invocations || !changes || !ops || !steps) throw new Error('Four tables were read.');
  const wrong: string[] = [];
  const must = (holds: boolean, sentence: string): void => {
    if (!holds) wrong.push(sentence);
  };

  for (const { id, state } of invocations) {
    const end = ends[String(state)];
    const told = phasesOf(contents, String(id));
    must(
      JSON.stringify(told) === JSON.stringify(['started', ...(end === undefined ? [] : [end])]),
      `${id} is ${state}, and watchers were told ${told.join(', ')}`,
    );
  }

  const inPlace = new Set<unknown>();
  const events = new Map(rowsOf(contents, 'events').map((row) => [row.seq, row]));
  for (const { seq, invocation, step, undone } of changes) {
    must(events.get(seq)?.kind === 'change', `change ${seq} has no event`);
    must(undone === 0 || events.get(undone)?.kind === 'change', `nothing tells that change ${seq} was taken back`);
    must(
      steps.some(({ id }) => id === step),
      `change ${seq} belongs to no step`,
    );
    const maker = invocations.find(({ id }) => id === invocation);
    must(maker?.state === 'succeeded', `change ${seq} is of ${invocation}, which is ${maker?.state}`);
    if (undone === 0) inPlace.add(seq);
  }
  for (const { id, connection, number } of steps) {
    must(
      changes.some(({ step }) => step === id),
      `step ${id} has no change`,
    );
    const last = rowsOf(contents, 'connections').find((row) => row.id === connection)?.last_step;
    must(Number(last) >= Number(number), `step number ${number} was given, and ${last} is the last`);
  }

  const keyOf = ({ workspace, app, key }: Row): string => `${workspace}/${app}/${key}`;
  const expected = new Map(rowsOf(seed, 'docs').map((row) => [keyOf(row), String(row.value)]));
  const before = new Set(rowsOf(seed, 'changes').map(({ seq }) => seq));
  // What was in place before is in those documents, and what was taken back of it since is in these no more.
  for (const row of [...ops].reverse())
    if (before.has(row.change) && !inPlace.has(row.change)) put(expected, keyOf(row), row.before);
  for (const row of ops) if (inPlace.has(row.change)) put(expected, keyOf(row), row.after);
  const found = new Map(rowsOf(contents, 'docs').map((row) => [keyOf(row), String(row.value)]));
  for (const key of new Set([...expected.keys(), ...found.keys()]))
    must(expected.get(key) === found.get(key), `${key} is ${found.get(key)}, by its operations ${expected.get(key)}`);
  return wrong;
};

const put = (documents: Map<string, string>, key: string, value: unknown): void => {
  if (value === null) documents.delete(key);
  else documents.set(key, String(value));
};

/** How far a single call came, by what it left: every other state is one that lies between two of these. */
export const stageOf = (
  found: Contents,
  { seed, done, call }: Readonly<{ seed: Contents; done: Contents; call: string }>,
): 'untouched' | 'admitted' | 'done' | 'in part' => {
  const equal = (one: unknown, other: unknown): boolean => isDeepStrictEqual(one, other);
  if (equal(found, seed)) return 'untouched';
  if (equal(withoutMoves(found), withoutMoves(done))) return 'done';
  const rest = ({ invocations, events, ...others }: Contents): unknown => others;
  const [row, ...more] = rowsOf(found, 'invocations').filter(({ id }) => id === call);
  const admitted =
    row?.state === 'running' &&
    more.length === 0 &&
    rowsOf(found, 'invocations').length === rowsOf(seed, 'invocations').length + 1 &&
    rowsOf(found, 'events').length === rowsOf(seed, 'events').length + 1 &&
    equal(phasesOf(found, call), ['started']) &&
    equal(rest(found), rest(seed));
  return admitted ? 'admitted' : 'in part';
};
