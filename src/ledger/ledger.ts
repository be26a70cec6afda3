import type { RunContext } from '../../machines/context.ts';
import type { TraceEntry } from '../../machines/events.ts';
import type { AnyArtifact } from '../../machines/record.ts';
import type { Tombstone } from '../../schemas/retention.ts';
import type { ArtifactMeta } from './artifactMeta.ts';
import type { RunHistory } from './history.ts';

export type { ArtifactMeta };

/**
 * What a store of runs must do. The events are the truth; runs, artifacts and trace are projections of them, written in
 * the same transaction. A store judges nothing: it keeps what the controller hands it, or refuses the whole commit.
 */

/** JSON that a store keeps and gives back unchanged. */
export type Json = null | boolean | number | string | readonly Json[] | Readonly<{ [key: string]: Json }>;

/** One accepted event, supporting submission, check or recorded refusal: a row of the run's chain. */
export interface RecordedEvent {
  /** The machine's event type (`start`, `submit.ProblemFrame`, `user.answer` …), or `refused` for a recorded refusal. */
  readonly type: string;
  readonly at: string;
  /** Everything that replaying the event needs, bodies named by digest; canonical JSON is what the chain hashes. */
  readonly payload: Json;
}

/** A trace entry with what only the moment of writing knows. */
export interface TraceDraft extends TraceEntry {
  readonly at: string;
  /** The budgets after the event. */
  readonly budgets: RunContext['budgets'];
}

export interface TraceRow extends TraceDraft {
  readonly runId: string;
  /** Gapless from 1 in each run. */
  readonly sequence: number;
  /** `event-` and the sequence, at least four digits. */
  readonly id: string;
}

export interface Commit {
  readonly runId: string;
  /** The number of rows that the run's chain must have; anything else means that another writer was faster. 0 creates the run. */
  readonly expectedHead: number;
  readonly event: RecordedEvent;
  /** The run after the event; for events without a version step equal to the one before. */
  readonly run: Readonly<{ context: RunContext; snapshot: string; machineVersion: string }>;
  readonly artifacts: readonly AnyArtifact[];
  readonly trace: readonly TraceDraft[];
}

export interface StoredRun {
  readonly context: RunContext;
  /** The machine's persisted snapshot, JSON. */
  readonly snapshot: string;
  readonly machineVersion: string;
  /** Place in the order of the last versioned events of all runs: the newest has the greatest. */
  readonly changed: number;
  /** Number of rows of the run's chain. */
  readonly head: number;
  readonly artifactCount: number;
  readonly traceCount: number;
  /** Number of `transition_denied` events written since the version last rose. */
  readonly denials: number;
}

export interface ChainRow extends RecordedEvent {
  readonly runId: string;
  /** From 1. */
  readonly sequence: number;
  readonly version: number;
  readonly previousHash: string;
  readonly hash: string;
  /** Digests of the artifacts that the event stored, by id, in order. */
  readonly artifacts: readonly Readonly<{ id: string; sha256: string }>[];
}

/** Something stored that cannot be what was written. */
export interface LedgerFault {
  /** The event of the run's chain that it belongs to; 0 when it cannot be told. */
  readonly sequence: number;
  readonly artifactId?: string;
  readonly message: string;
}

export interface Ledger {
  /** The run's row, or null. O(1). */
  run(runId: string): StoredRun | null;
  /** What is left of a run that was deleted; null when the id was never deleted. O(log n). */
  tombstone(runId: string): Tombstone | null;
  /** Number of rows of the run's chain; 0 when there is none. O(1). */
  head(runId: string): number;
  /**
   * The newest runs first, by the ledger's own sequence of versioned events.
   * @param repositoryRoot only runs of this repository: several may share one state directory
   * @param before only runs whose `changed` is less: the rest of a list that ended there
   */
  runs(limit: number, repositoryRoot?: string, before?: number): readonly StoredRun[];
  /**
   * Artifacts with their bodies, insertion order, from a position on. Every digest is checked.
   * @throws LedgerError `integrity_failed`
   */
  artifacts(runId: string, after: number): readonly AnyArtifact[];
  /** Metadata alone, insertion order. */
  artifactMeta(runId: string, after: number, limit: number): readonly ArtifactMeta[];
  /** One artifact with its body, digest checked; null when the run has none of this id. */
  artifact(runId: string, artifactId: string): AnyArtifact | null;
  /** Whether the stored body of an artifact is there and has its digest. */
  digestStatus(runId: string, artifactId: string): 'ok' | 'missing' | 'mismatch';
  trace(runId: string, afterSequence: number, limit: number): readonly TraceRow[];
  /** The run's chain, from a sequence on. */
  chain(runId: string, afterSequence: number, limit: number): readonly ChainRow[];
  /** The event that raised the run to a version, or null. O(log n). */
  eventOfVersion(runId: string, version: number): ChainRow | null;
  /** The event that stored an artifact, or null. */
  eventOfArtifact(runId: string, artifactId: string): ChainRow | null;
  /** Allowed checks of `subagent.spawn` since the pending work node became pending. */
  spawnsOfNode(runId: string): number;
  /** The denied `permission_checked` entries of a run: an equal one is not written again. */
  deniedChecks(runId: string): readonly TraceRow[];
  /** Runs several reads over one state of the store: what other processes commit meanwhile is not seen. */
  together<T>(reads: () => T): T;
  /**
   * Every fault that the stored rows of a run can show: broken links and hashes, gaps, wrong counts, damaged bodies.
   * Empty when the run is whole, or when there is none.
   */
  verify(runId: string): readonly LedgerFault[];
  /**
   * Everything that is stored of a run, as it is stored; null when there is no row of such a run.
   * @throws LedgerError `integrity_failed` naming the row that cannot be read
   */
  history(runId: string): RunHistory | null;
  /** The ids of all runs that anything is stored of, also where the row of the run is gone. */
  runIds(): readonly string[];
  /**
   * Takes in a run that was exported elsewhere, everything or nothing, in one transaction. Whoever calls it has verified
   * the run.
   * @throws LedgerError `id_taken` when the ledger has or had a run of this id
   */
  admit(history: RunHistory): void;
  /**
   * Writes everything or nothing, durably, in one transaction.
   * @returns false when the head is not the expected one; nothing was written.
   * @throws LedgerError `state_unavailable` when the lock was not given within five seconds or the disk refuses.
   */
  commit(commit: Commit): boolean;
  close(): void;
}
