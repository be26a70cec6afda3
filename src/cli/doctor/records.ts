import { statSync } from 'node:fs';
import { z } from 'zod';
import { actionIdOf } from '../../../machines/context.ts';
import { readActiveSession } from '../../controller/activeSession.ts';
import type { StoredRun } from '../../ledger/ledger.ts';
import type { Database } from '../../ledger/sqlite/driver.ts';
import { readingOf } from '../../ledger/sqlite/reading.ts';
import { prepareStatements } from '../../ledger/sqlite/statements.ts';
import { type StateDirectory, standsAt } from '../../ledger/stateDirectory.ts';
import { type Check, verdict } from './verdict.ts';

/** What the ledger and the session file hold; each is read over one open database. */

export type IntegrityCheck = Check & Readonly<{ faults: readonly string[] | null }>;
type Named = Readonly<{ runId: string; createdAt: string }>;
export type RunsCheck = Check &
  Readonly<{ count: number | null; deleted: number | null; oldest: Named | null; newest: Named | null }>;
export type SizesCheck = Check &
  Readonly<{ databaseBytes: number | null; logBytes: number | null; bodies: number | null; bodyBytes: number | null }>;
export type UnnamedCheck = Check & Readonly<{ count: number | null; bytes: number | null }>;
export type SessionCheck = Check &
  Readonly<{ exists: boolean; runId: string | null; runVersion: number | null; current: boolean }>;
export type ClockCheck = Check & Readonly<{ now: string; newestEvent: string | null }>;

const mostFaults = 8;

const Lines = z.array(z.string());

/** The structure of the file, and whether what a row names is there. */
export const integrityCheck = (db: Database): IntegrityCheck => {
  const lines = Lines.parse(db.prepare(`PRAGMA quick_check(${mostFaults})`).pluck().all()).filter(
    (line) => line !== 'ok',
  );
  const dangling = z.array(z.object({ table: z.string(), parent: z.string() })).parse(db.pragma('foreign_key_check'));
  const faults = [
    ...lines,
    ...dangling.map(({ table, parent }) => `a row of ${table} names a row of ${parent} that is missing`),
  ].slice(0, mostFaults);
  const hint =
    'The ledger is damaged: stop every process that uses it, keep a copy, and restore the state directory from a copy of before.';
  return { ...verdict(faults.length > 0 ? hint : null), faults };
};

const FirstEvent = z.object({ run_id: z.string(), at: z.string() }).optional();
const Count = z.int().min(0);

/** The order is the one in which events were written, whatever the clocks said (decisions 14). */
const startedRun = (db: Database, order: 'ASC' | 'DESC'): Named | null => {
  const row = FirstEvent.parse(
    db.prepare(`SELECT run_id, at FROM events WHERE sequence = 1 ORDER BY rowid ${order} LIMIT 1`).get(),
  );
  return row ? { runId: row.run_id, createdAt: row.at } : null;
};

export const runsCheck = (db: Database): RunsCheck => ({
  ...verdict(null),
  count: Count.parse(db.prepare('SELECT count(*) FROM runs').pluck().get()),
  deleted: Count.parse(db.prepare('SELECT count(*) FROM tombstones').pluck().get()),
  oldest: startedRun(db, 'ASC'),
  newest: startedRun(db, 'DESC'),
});

const Bodies = z.object({ count: Count, bytes: Count });
const bodiesWhere = (db: Database, condition: string): z.infer<typeof Bodies> =>
  Bodies.parse(
    db
      .prepare(
        `SELECT count(*) AS count, coalesce(sum(octet_length(body)), 0) AS bytes FROM bodies b WHERE ${condition}`,
      )
      .get(),
  );

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

export const sizesCheck = (db: Database, state: StateDirectory): SizesCheck => {
  const { count, bytes } = bodiesWhere(db, 'true');
  return {
    ...verdict(null),
    databaseBytes: sizeOf(state.database),
    logBytes: sizeOf(`${state.database}-wal`),
    bodies: count,
    bodyBytes: bytes,
  };
};

/** A commit writes a body together with the artifact that names it, so there should be none. */
export const unnamedCheck = (db: Database): UnnamedCheck => {
  const found = bodiesWhere(db, 'NOT EXISTS (SELECT 1 FROM artifacts a WHERE a.sha256 = b.sha256)');
  return {
    ...verdict(
      found.count > 0
        ? 'Another program wrote or deleted rows of the ledger. These bodies are read by nothing and only take space: telic gc deletes them. The runs that are left can be used.'
        : null,
    ),
    ...found,
  };
};

/** Why a gate that follows the session file would ask about the wrong thing; null when it would not. */
const outdated = (
  session: NonNullable<ReturnType<typeof readActiveSession>>,
  run: StoredRun | null,
  state: StateDirectory,
): string | null => {
  if (session.repositoryRoot !== state.repositoryRoot) return `it names the repository ${session.repositoryRoot}`;
  if (run === null) return `it names the run ${session.runId}, which the ledger does not have`;
  const { context } = run;
  if (context.status !== 'running') return `it names the run ${session.runId}, which is ${context.status}`;
  if (context.version !== session.runVersion || actionIdOf(context) !== session.actionId)
    return `it names version ${session.runVersion} of the run ${session.runId}, which is at version ${context.version}`;
  return null;
};

/** @param db null while there is no ledger */
export const sessionCheck = (db: Database | null, state: StateDirectory): SessionCheck => {
  const none = { exists: false, runId: null, runVersion: null, current: false } as const;
  if (standsAt(state, state.session) === null) return { ...verdict(null), ...none };
  const session = readActiveSession(state.session);
  if (session === null)
    return { ...verdict(`Remove ${state.session}: it is no session file of this version.`), ...none, exists: true };
  const run = db && readingOf(prepareStatements(db)).run(session.runId);
  const why = outdated(session, run, state);
  return {
    ...verdict(
      why && `${state.session} is not current: ${why}. The next step of a run rewrites it; else remove the file.`,
    ),
    exists: true,
    runId: session.runId,
    runVersion: session.runVersion,
    current: why === null,
  };
};

/** Earlier than Telic itself: no clock that is right says so. */
const earliest = '2025-01-01T00:00:00.000Z';
/** Clocks are set by a little all the time. */
const leeway = 60_000;

/**
 * Orders come from sequence numbers, so that a wrong clock breaks nothing; but the times in the trace would mislead.
 *
 * @param now and `newestEvent`: ISO 8601 in UTC
 */
export const clockVerdict = (now: string, newestEvent: string | null): ClockCheck => {
  const ahead = newestEvent !== null && Date.parse(newestEvent) > Date.parse(now) + leeway;
  const wrong = now < earliest ? 'the time is long past' : ahead ? `the ledger has events of ${newestEvent}` : null;
  return { ...verdict(wrong && `Set the clock of this machine: it says ${now}, but ${wrong}.`), now, newestEvent };
};

/** The latest time that any event was given. */
export const newestEventOf = (db: Database): string | null =>
  z.string().nullable().parse(db.prepare('SELECT max(at) FROM events').pluck().get());
