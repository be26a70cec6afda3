import { type Artifact, emptyRecord, type PriorRun, type RunRecord } from '../../machines/record.ts';
import { checkKey } from '../../machines/rules/recordedDenials.ts';
import { machineVersion, type RunSnapshot, thaw } from '../../machines/step.ts';
import { canonicalJson } from '../../schemas/canonical.ts';
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

/** Refuses runs that another version of the machine wrote: reading their snapshot could fail later, outside the call (T34). */
const requireVersion = (runId: string, stored: StoredRun): void => {
  if (stored.machineVersion === machineVersion) return;
  throw new TelicError(
    'incompatible',
    `Run ${runId} was written by machine version ${stored.machineVersion}; this server runs version ${machineVersion}.`,
    { nextSteps: [`Continue the run with the version of Telic that started it, or start a new run.`] },
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

/** The linked prior run, read when a rule first asks for one of its artifacts; its Evidence is read once: it has ended. */
export const priorOf = (ledger: Ledger, runId: string): PriorRun => {
  const stored = ledger.run(runId);
  let evidence: readonly Artifact<'Evidence'>[] | null = null;
  return {
    runId,
    repositoryRoot: stored?.context.repositoryRoot ?? '',
    exists: stored !== null,
    get: (id) => ledger.artifact(runId, id) ?? undefined,
    evidence: () => {
      evidence ??= ledger.artifacts(runId, 0).filter((artifact) => artifact.type === 'Evidence');
      return evidence;
    },
  };
};

export const runNotFound = (runId: string): TelicError =>
  new TelicError('run_not_found', `No run ${runId} in this ledger.`, {
    findings: [
      {
        path: 'run_id',
        code: 'ADM-TR-01',
        message: `No run ${runId} in this ledger.`,
        fix: 'Call telic_list_runs for the ids of this repository.',
      },
    ],
    nextSteps: ['Call telic_list_runs for the ids of this repository.'],
  });

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
      if (!stored) throw runNotFound(runId);
      requireVersion(runId, stored);
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
