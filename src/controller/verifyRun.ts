import type { Difference, NotJudged } from '../../schemas/verification.ts';
import { schemaVersion } from '../../schemas/vocabulary.ts';
import { LedgerError } from '../ledger/errors.ts';
import type { RunHistory } from '../ledger/history.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { verifyChain } from '../ledger/verifyChain.ts';
import { parse, read, UnreadableEvent } from './executeRecorded.ts';
import { snapshotDigest } from './payload.ts';
import { LeavingPayload } from './recorded.ts';
import { type PriorReader, reexecute } from './reexecute.ts';
import { priorOf } from './runStore.ts';

/** What a verification found of one run. */
export interface Verification {
  readonly runId: string;
  readonly events: number;
  readonly artifacts: number;
  readonly trace: number;
  /** Empty when the run is what was written. */
  readonly differences: readonly Difference[];
  /** Empty when every event could be judged again. */
  readonly notJudged: readonly NotJudged[];
}

/** What the last event says that it left, against the row of the run: told also where nothing can be executed again. */
const headDifferences = ({ run, events }: RunHistory): readonly Difference[] => {
  const last = events.at(-1);
  if (!last || last.sequence !== run.head) return [];
  try {
    const left = read(LeavingPayload, parse(last.payload, 'its payload')).after;
    if (!left) return [];
    const differences: Difference[] = [];
    if (left.machine !== run.machineVersion)
      differences.push({ sequence: 0, kind: 'written_by', expected: left.machine, found: run.machineVersion });
    if (left.schema !== run.schemaVersion)
      differences.push({ sequence: 0, kind: 'written_by', expected: left.schema, found: run.schemaVersion });
    parse(run.snapshot, 'the snapshot of the run');
    const found = snapshotDigest(run.snapshot);
    if (found !== left.snapshot) differences.push({ sequence: 0, kind: 'snapshot', expected: left.snapshot, found });
    return differences;
  } catch (error) {
    if (!(error instanceof UnreadableEvent)) throw error;
    return [{ sequence: 0, kind: 'unreadable', expected: 'JSON', found: error.message }];
  }
};

const counted = (history: RunHistory): Pick<Verification, 'runId' | 'events' | 'artifacts' | 'trace'> => ({
  runId: history.run.runId,
  events: history.events.length,
  artifacts: history.events.reduce((sum, event) => sum + event.artifacts.length, 0),
  trace: history.events.reduce((sum, event) => sum + event.trace.length, 0),
});

/**
 * Verifies one run: the chain and every digest, then the machine over every event again. Writes nothing.
 *
 * @param priorOf the linked run as it can be read here
 */
export const verifyHistory = (history: RunHistory, priorOf: PriorReader): Verification => {
  const stored = [...verifyChain(history), ...headDifferences(history)];
  const { schemaVersion: written } = history.run;
  if (written !== schemaVersion)
    return {
      ...counted(history),
      differences: stored,
      notJudged: [{ sequence: 0, why: `schema version ${written} wrote it; version ${schemaVersion} is here` }],
    };
  const { differences, notJudged } = reexecute(history, priorOf);
  return { ...counted(history), differences: [...stored, ...differences], notJudged };
};

const unread = (runId: string, kind: 'unreadable' | 'run_row', expected: string, found: string): Verification => ({
  runId,
  events: 0,
  artifacts: 0,
  trace: 0,
  differences: [{ sequence: 0, kind, expected, found }],
  notJudged: [],
});

/**
 * Verifies a run of a ledger, over one state of it.
 *
 * @throws LedgerError `state_unavailable` when the ledger cannot be read at all; what is damaged is told, not thrown
 */
export const verifyRun = (ledger: Ledger, runId: string): Verification =>
  ledger.together(() => {
    try {
      const history = ledger.history(runId);
      if (history) return verifyHistory(history, (prior) => priorOf(ledger, prior));
      return unread(runId, 'run_row', 'the row of the run', 'none');
    } catch (error) {
      if (!(error instanceof LedgerError) || error.code !== 'integrity_failed') throw error;
      return unread(runId, 'unreadable', 'a run', error.message);
    }
  });
