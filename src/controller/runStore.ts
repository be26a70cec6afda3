import { type Artifact, emptyRecord, type PriorRun, type RunRecord } from '../../machines/record.ts';
import { checkKey } from '../../machines/rules/recordedDenials.ts';
import { machineVersion, type RunSnapshot, thaw } from '../../machines/step.ts';
import { canonicalJson } from '../../schemas/canonical.ts';
import type { Tombstone } from '../../schemas/retention.ts';
import { damagedRun } from '../ledger/errors.ts';
import type { Ledger, StoredRun } from '../ledger/ledger.ts';
import { snapshotDigest } from './payload.ts';
import { LeavingPayload } from './recorded.ts';
import { TelicError } from './telicError.ts';

/** A run as it stands: the machine's snapshot, what rules read, and how far the ledger's chain had come. */
export interface LoadedRun {
  readonly snapshot: RunSnapshot;
  readonly record: RunRecord;
  readonly head: number;
}

/** Runs kept in memory; a run that another process has moved is read again. */
export interface RunStore {
  /**
   * @throws TelicError `run_not_found`, `incompatible`
   * @throws LedgerError `integrity_failed` when something stored is damaged
   */
  load(runId: string): LoadedRun;
  /** What a commit of this process left; saves reading it back. */
  keep(runId: string, run: LoadedRun): void;
  forget(runId: string): void;
}

/** Enough for the runs that one repository's hosts follow at a time; an evicted run is only read again. */
const most = 32;

/**
 * Why a run of another version of the machine takes no event and shows no next action here; null for one of this version.
 * Its snapshot is never read: that could fail later, outside the call (T34). What is stored of it can be read.
 */
export const incompatibleRun = (runId: string, stored: StoredRun): TelicError | null => {
  if (stored.machineVersion === machineVersion) return null;
  return new TelicError(
    'incompatible',
    `Run ${runId} was written by machine version ${stored.machineVersion}; this is version ${machineVersion}, which can read the run, but neither move it nor tell its next action.`,
    {
      nextSteps: [
        'Continue the run with the version of Telic that wrote it, or start a new run.',
        `Read what it holds with telic_get_run, telic_get_artifact and telic_get_trace (run_id ${runId}).`,
      ],
    },
  );
};

/**
 * Refuses a run whose row is not what its last event left: going on from it would write over the only sign of the change.
 * Ledgers of earlier versions do not say what an event left.
 */
const requireUnchanged = (
  ledger: Ledger,
  runId: string,
  { context, snapshot, head }: StoredRun,
  thawed: RunSnapshot,
): void => {
  const left = LeavingPayload.safeParse(ledger.chain(runId, head - 1, 1)[0]?.payload).data?.after;
  const isLeft = left === undefined || left.snapshot === snapshotDigest(snapshot);
  if (isLeft && canonicalJson(context) === canonicalJson(thawed.context)) return;
  throw damagedRun(runId, 'its row is not what its last event left');
};

/**
 * The linked prior run, read when a rule first asks for one of its artifacts; its Evidence is read once: it has ended.
 * Whether it is still there is asked each time: it may be deleted while a run that links it goes on (admission LIN-07).
 */
export const priorOf = (ledger: Ledger, runId: string): PriorRun => {
  const stored = ledger.run(runId);
  const exists = (): boolean => ledger.head(runId) > 0;
  let evidence: readonly Artifact<'Evidence'>[] | null = null;
  return {
    runId,
    repositoryRoot: stored?.context.repositoryRoot ?? '',
    get exists() {
      return exists();
    },
    get: (id) => ledger.artifact(runId, id) ?? undefined,
    evidence: () => {
      if (!exists()) return [];
      evidence ??= ledger.artifacts(runId, 0).filter((artifact) => artifact.type === 'Evidence');
      return evidence;
    },
  };
};

/** @param tombstone what is left of the run, if it was deleted */
export const runNotFound = (runId: string, tombstone: Tombstone | null): TelicError => {
  const message =
    tombstone === null
      ? `No run ${runId} in this ledger.`
      : `Run ${runId} was deleted from this ledger at ${tombstone.deletedAt}.`;
  const fix = 'Call telic_list_runs for the ids of this repository.';
  return new TelicError('run_not_found', message, {
    findings: [{ path: 'run_id', code: 'ADM-TR-01', message, fix }],
    nextSteps: [fix],
  });
};

export const createRunStore = (ledger: () => Ledger): RunStore => {
  const kept = new Map<string, LoadedRun>();

  const keep = (runId: string, run: LoadedRun): void => {
    kept.delete(runId);
    kept.set(runId, run);
    const oldest = kept.keys().next();
    if (kept.size > most && !oldest.done) kept.delete(oldest.value);
  };

  const read = (runId: string): LoadedRun =>
    ledger().together(() => {
      const stored = ledger().run(runId);
      if (!stored) throw runNotFound(runId, ledger().tombstone(runId));
      const incompatible = incompatibleRun(runId, stored);
      if (incompatible) throw incompatible;
      const snapshot = thaw(stored.snapshot);
      requireUnchanged(ledger(), runId, stored, snapshot);
      const { priorRunId } = stored.context;
      const record = emptyRecord(runId, priorRunId === null ? null : priorOf(ledger(), priorRunId));
      const deniedChecks = ledger().deniedChecks(runId).map(checkKey);
      return {
        snapshot,
        record: record.extend(ledger().artifacts(runId, 0), {
          added: stored.traceCount,
          denials: stored.denials,
          spawned: ledger().spawnsOfNode(runId),
          deniedChecks,
        }),
        head: stored.head,
      };
    });

  return {
    load: (runId) => {
      const known = kept.get(runId);
      if (known && ledger().head(runId) === known.head) return known;
      kept.delete(runId);
      const run = read(runId);
      keep(runId, run);
      return run;
    },
    keep,
    forget: (runId) => {
      kept.delete(runId);
    },
  };
};
