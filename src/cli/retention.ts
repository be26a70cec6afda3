import { Age, type CollectReport, type DeletedRun, type DeleteReport } from '../../schemas/retention.ts';
import { dropActiveSession } from '../controller/activeSession.ts';
import { systemClock } from '../controller/sources.ts';
import type { KeptRun, Retention, Weight } from '../ledger/retention.ts';
import { openRetention, openRetentionReadOnly } from '../ledger/sqlite/sqliteRetention.ts';
import type { StateDirectory } from '../ledger/stateDirectory.ts';
import { CommandError } from './terminal.ts';

/** `telic delete` and `telic gc` (mcp-surface sections 7 and 8). */

export type DeleteOptions = Readonly<{
  yes?: boolean | undefined;
  force?: boolean | undefined;
  compact?: boolean | undefined;
}>;

export type CollectOptions = Readonly<{
  olderThan?: string | undefined;
  dryRun?: boolean | undefined;
  force?: boolean | undefined;
  compact?: boolean | undefined;
}>;

const using = <T>(retention: Retention, work: (retention: Retention) => T): T => {
  try {
    return work(retention);
  } finally {
    retention.close();
  }
};

const deletedRun = (run: KeptRun, weight: Weight): DeletedRun => ({
  runId: run.runId,
  status: run.status,
  createdAt: run.createdAt,
  updatedAt: run.updatedAt,
  events: run.events,
  artifacts: run.artifacts,
  bodies: weight.bodies,
  bytes: weight.bodyBytes + weight.rowBytes,
});

const countOf = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`;

const stateText = ({ status }: KeptRun): string => (status === null ? 'in a state that cannot be read' : status);

const unknown = (runId: string): CommandError =>
  new CommandError(`The ledger of this repository has no run ${runId}. See telic runs.`);
const gone = (runId: string, deletedAt: string): CommandError =>
  new CommandError(`Run ${runId} was deleted already, at ${deletedAt}.`);
const unended = (run: KeptRun): CommandError =>
  new CommandError(
    `Run ${run.runId} is ${stateText(run)}: finish or cancel it first, or delete it all the same with --force.`,
  );

/** Judges what can be judged before anything is opened for writing; deleting judges again under the lock. */
const runToDelete = (from: Retention, state: StateDirectory, runId: string, force: boolean): KeptRun => {
  const run = from.run(runId);
  if (run === null) {
    const tombstone = from.tombstone(runId);
    throw tombstone === null ? unknown(runId) : gone(runId, tombstone.deletedAt);
  }
  if (run.repositoryRoot !== state.repositoryRoot && !force)
    throw new CommandError(
      `Run ${runId} belongs to the repository ${run.repositoryRoot ?? '(unreadable)'}: name it with --repo, or delete the run all the same with --force.`,
    );
  if (!run.ended && !force) throw unended(run);
  return run;
};

/**
 * Deletes one run for good.
 *
 * @throws CommandError when there is no such run, it has not ended, it is another repository's, or `--yes` is missing
 * @throws LedgerError as `openRetention`
 */
export const deleteRun = (state: StateDirectory, runId: string, options: DeleteOptions): DeleteReport => {
  const { yes = false, force = false, compact = true } = options;
  using(openRetentionReadOnly(state), (from) => {
    const run = runToDelete(from, state, runId, force);
    if (yes) return;
    const [weight] = from.weigh([runId]);
    const bytes = weight === undefined ? 0 : weight.bodyBytes + weight.rowBytes;
    throw new CommandError(
      `This would delete run ${runId} (${stateText(run)}, ${countOf(run.events, 'event')}, ${countOf(run.artifacts, 'artifact')}, ${countOf(bytes, 'byte')}) for good: say so with --yes.`,
    );
  });
  return using(openRetention(state), (from) => {
    const linkedBy = [...from.linkedBy(runId)];
    const done = from.delete(runId, systemClock.now(), force);
    if (done.outcome === 'unknown') throw unknown(runId);
    if (done.outcome === 'gone') throw gone(runId, done.tombstone.deletedAt);
    if (done.outcome === 'unended') throw unended(done.run);
    dropActiveSession(state.session, runId);
    return {
      deleted: deletedRun(done.run, done.weight),
      tombstone: done.tombstone,
      linkedBy,
      compaction: compact ? from.compact() : null,
    };
  });
};

const beforeOf = (olderThan: string, now: string): string => {
  const age = Age.safeParse(olderThan);
  if (!age.success)
    throw new CommandError(`--older-than ${age.error.issues[0]?.message ?? ''}, not ${JSON.stringify(olderThan)}.`);
  return new Date(Date.parse(now) - age.data).toISOString();
};

type Skipped = CollectReport['skipped'][number];

const skipped = ({ runId, status, updatedAt }: KeptRun, why: string): Skipped => ({ runId, status, updatedAt, why });

const stillGoing = 'it has not ended; --force deletes it, too';

/** The runs of the repository that rest since before a time, those that go and those that stay. */
const restingRuns = (from: Retention, state: StateDirectory, before: string, force: boolean) => {
  // A time that cannot be read says nothing of age.
  const old = from
    .runs()
    .filter((run) => run.repositoryRoot === state.repositoryRoot && Date.parse(run.updatedAt) < Date.parse(before));
  return {
    going: old.filter((run) => run.ended || force),
    staying: old.filter((run) => !run.ended && !force).map((run) => skipped(run, stillGoing)),
  };
};

const sum = (runs: readonly DeletedRun[]): number => runs.reduce((bytes, run) => bytes + run.bytes, 0);

/** What would be deleted, looked at without changing anything. */
const dryRun = (state: StateDirectory, before: string | null, force: boolean): CollectReport =>
  using(openRetentionReadOnly(state), (from) => {
    const { going, staying } = before === null ? { going: [], staying: [] } : restingRuns(from, state, before, force);
    const weights = from.weigh(going.map(({ runId }) => runId));
    const runs = going.flatMap((run, index) => {
      const weight = weights[index];
      return weight === undefined ? [] : [deletedRun(run, weight)];
    });
    const unnamedBodies = from.unnamed();
    const bytes = sum(runs) + unnamedBodies.bytes;
    return { dryRun: true, before, runs, skipped: staying, unnamedBodies, bytes, compaction: null };
  });

/**
 * Deletes the ended runs of the repository that rest for longer than an age, each in a transaction of its own, and the
 * bodies that no artifact names. Runs that somebody moves meanwhile stay.
 *
 * @throws CommandError when the age is none
 * @throws LedgerError as `openRetention`
 */
export const collect = (state: StateDirectory, options: CollectOptions): CollectReport => {
  const { olderThan, force = false, compact = true } = options;
  const now = systemClock.now();
  const before = olderThan === undefined ? null : beforeOf(olderThan, now);
  if (options.dryRun === true) return dryRun(state, before, force);
  return using(openRetention(state), (from) => {
    const { going, staying } = before === null ? { going: [], staying: [] } : restingRuns(from, state, before, force);
    const runs: DeletedRun[] = [];
    for (const { runId, events } of going) {
      const done = from.delete(runId, now, force, events);
      // Another process deleted or moved it meanwhile.
      if (done.outcome !== 'deleted') continue;
      dropActiveSession(state.session, runId);
      runs.push(deletedRun(done.run, done.weight));
    }
    const unnamedBodies = from.deleteUnnamed();
    const changed = runs.length > 0 || unnamedBodies.count > 0;
    return {
      dryRun: false,
      before,
      runs,
      skipped: staying,
      unnamedBodies,
      bytes: sum(runs) + unnamedBodies.bytes,
      compaction: compact && changed ? from.compact() : null,
    };
  });
};
