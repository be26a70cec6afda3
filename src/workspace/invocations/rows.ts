import { z } from 'zod';
import { ActionRow } from '../../../schemas/wire/answers.ts';
import { AskState } from '../../../schemas/wire/person.ts';
import { ActionKind } from '../../../schemas/wire/vocabulary.ts';
import type { Args, Json } from '../apps/app.ts';
import type { Failure, Phrase } from '../failure.ts';
import type { Store } from '../store/store.ts';
import type { Key } from './waiters.ts';

/** A column of JSON, read as its shape. */
const inJson = <T extends z.ZodType>(shape: T): z.ZodPipe<z.ZodPipe<z.ZodString, z.ZodTransform<unknown, string>>, T> =>
  z
    .string()
    .transform((text): unknown => JSON.parse(text))
    .pipe(shape);

const Stored: z.ZodType<Json> = z.json();
const StoredArgs: z.ZodType<Args> = z.record(z.string(), Stored);
const StoredPhrase: z.ZodType<Phrase> = z.array(z.union([z.string(), z.object({ path: z.string() })]));
const StoredFailure: z.ZodType<Failure> = z.object({
  code: z.string(),
  message: StoredPhrase,
  next: z.array(StoredPhrase),
});

const Context = z.object({
  kind: ActionKind,
  preAllowed: z.boolean(),
  abortable: z.boolean(),
  replayKey: z.boolean(),
  secret: z.boolean(),
  version: z.int(),
  edited: z.boolean(),
  deadlineMs: z.int().nullable(),
});

/** What an action gave and what it touched, without the workspace. */
const Ended = z.object({ result: Stored.optional(), resources: z.array(z.string()).readonly() });

const InvocationRow = z.object({
  token: z.string(),
  id: z.string(),
  workspace: z.string(),
  ask_id: z.string().nullable(),
  announced: z.int(),
  connection: z.string(),
  label: z.string(),
  step: z.string(),
  run_id: z.string().nullable(),
  run_title: z.string().nullable(),
  app: z.string(),
  ref: z.string(),
  resource_kind: z.string(),
  resource_label: z.string(),
  action: z.string(),
  path: z.string(),
  written_path: z.string(),
  action_kind: ActionKind,
  action_row: inJson(ActionRow),
  destroys: z.int().transform((flag) => flag === 1),
  args_json: inJson(StoredArgs),
  args_mac: z.string(),
  state: AskState,
  version: z.int(),
  context_json: inJson(Context),
  edited_json: inJson(StoredArgs).nullable(),
  result_json: inJson(Ended).nullable(),
  error_json: inJson(StoredFailure).nullable(),
  reason: z.string().nullable(),
  created_ms: z.int(),
  decided_ms: z.int().nullable(),
  decided_by: z.string().nullable(),
  started_ms: z.int().nullable(),
  ended_ms: z.int().nullable(),
  deadline_ms: z.int().nullable(),
});
/** An invocation as it is stored. */
export type InvocationRow = z.infer<typeof InvocationRow>;

/** The columns that a transition changes; the others stay as they were admitted. */
export type Moved = Pick<
  InvocationRow,
  | 'ask_id'
  | 'announced'
  | 'state'
  | 'version'
  | 'context_json'
  | 'edited_json'
  | 'result_json'
  | 'error_json'
  | 'reason'
  | 'decided_ms'
  | 'decided_by'
  | 'started_ms'
  | 'ended_ms'
  | 'deadline_ms'
>;

const columns = Object.keys(InvocationRow.shape);

const movedColumns = [
  'ask_id',
  'announced',
  'state',
  'version',
  'context_json',
  'edited_json',
  'result_json',
  'error_json',
  'reason',
  'decided_ms',
  'decided_by',
  'started_ms',
  'ended_ms',
  'deadline_ms',
] as const satisfies readonly (keyof Moved)[];

const cell = (value: unknown): unknown => {
  if (typeof value === 'boolean') return value ? 1 : 0;
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
};

const cells = (row: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(row).map(([column, value]) => [column, cell(value)]));

/** How often the same was refused lately (D-22). */
export type SameCall = Pick<InvocationRow, 'token' | 'workspace' | 'ref' | 'action' | 'args_mac'>;

/** How many asks are listed. */
export interface MostAsks {
  /** Of either kind, however large. */
  readonly usual: number;
  /** Of open ones, as long as the arguments of all together have at most so many characters. */
  readonly open: number;
  readonly characters: number;
}

/** The table of invocations. */
export interface InvocationRows {
  find(key: Key): InvocationRow | null;
  byAsk(workspace: string, ask: string): InvocationRow | null;
  /** Inside a transaction. */
  insert(row: InvocationRow): void;
  /** Inside a transaction. @throws Error when the stored version is no longer `from`. */
  move(key: Key, from: number, to: Moved): void;
  /** The open ask is put anew: neither state nor version moves. Inside a transaction. */
  announce(key: Key): void;
  /** Refusals of the same after a time. */
  refusals(same: SameCall, after_ms: number): number;
  /** What waits and whose time is up. */
  overdue(now_ms: number): readonly Key[];
  /** What runs, in the order in which it began. */
  unfinished(): readonly Key[];
  /** Open asks first, then the others that were put to the person; newest first. One that cannot be read hides no other. */
  asks(workspace: string, most: MostAsks): readonly InvocationRow[];
}

export const createInvocationRows = ({ db }: Pick<Store, 'db'>): InvocationRows => {
  const read = (row: unknown): InvocationRow => InvocationRow.parse(row);
  const one = (row: unknown): InvocationRow | null => (row === undefined ? null : read(row));
  const all = columns.join(', ');
  const sql = {
    find: db.prepare(`SELECT ${all} FROM invocations WHERE token = ? AND id = ?`),
    byAsk: db.prepare(`SELECT ${all} FROM invocations WHERE workspace = ? AND ask_id = ?`),
    insert: db.prepare(`INSERT INTO invocations (${all}) VALUES (${columns.map((name) => `@${name}`).join(', ')})`),
    move: db.prepare(
      `UPDATE invocations SET ${movedColumns.map((name) => `${name} = @${name}`).join(', ')}
       WHERE token = @token AND id = @id AND version = @from`,
    ),
    announce: db.prepare('UPDATE invocations SET announced = announced + 1 WHERE token = ? AND id = ?'),
    refusals: db
      .prepare<SameCall & { after_ms: number }, number>(
        `SELECT count(*) FROM invocations
         WHERE token = @token AND args_mac = @args_mac AND state = 'refused' AND workspace = @workspace AND ref = @ref
           AND action = @action AND decided_ms > @after_ms`,
      )
      .pluck(),
    overdue: db.prepare<[number], Key>(
      `SELECT token, id FROM invocations WHERE state IN ('asking', 'allowed') AND deadline_ms <= ?
       ORDER BY deadline_ms, token, id`,
    ),
    unfinished: db.prepare<[], Key>(
      `SELECT token, id FROM invocations WHERE state IN ('running', 'cancelling') ORDER BY started_ms, token, id`,
    ),
    openAsks: db.prepare(
      `SELECT ${all} FROM (
         SELECT *, row_number() OVER newest AS place, sum(length(args_json)) OVER newest AS size
         FROM invocations WHERE workspace = ? AND state = 'asking'
         WINDOW newest AS (ORDER BY created_ms DESC, ask_id))
       WHERE place <= ? OR place <= ? AND size <= ? ORDER BY place`,
    ),
    otherAsks: db.prepare(
      `SELECT ${all} FROM invocations WHERE workspace = ? AND ask_id IS NOT NULL AND state <> 'asking'
       ORDER BY coalesce(decided_ms, created_ms) DESC, created_ms DESC, ask_id LIMIT ?`,
    ),
  };

  const openAsks = (workspace: string, { usual, open, characters }: MostAsks): readonly unknown[] =>
    sql.openAsks.all(workspace, usual, open, characters);

  return {
    find: ({ token, id }) => one(sql.find.get(token, id)),
    byAsk: (workspace, ask) => one(sql.byAsk.get(workspace, ask)),
    insert: (row) => {
      sql.insert.run(cells(row));
    },
    move: ({ token, id }, from, to) => {
      const picked = Object.fromEntries(movedColumns.map((name) => [name, to[name]]));
      if (sql.move.run({ ...cells(picked), token, id, from }).changes !== 1)
        throw new Error(`Invocation ${id} moved on from version ${from} within its own transaction.`);
    },
    announce: ({ token, id }) => {
      sql.announce.run(token, id);
    },
    refusals: ({ token, workspace, ref, action, args_mac }, after_ms) =>
      sql.refusals.get({ token, workspace, ref, action, args_mac, after_ms }) ?? 0,
    overdue: (now_ms) => sql.overdue.all(now_ms),
    unfinished: () => sql.unfinished.all(),
    asks: (workspace, most) =>
      [...openAsks(workspace, most), ...sql.otherAsks.all(workspace, most.usual)].flatMap((row) => {
        const { success, data } = InvocationRow.safeParse(row);
        return success ? [data] : [];
      }),
  };
};
