import type { Compaction, Tombstone } from '../../schemas/retention.ts';

/**
 * What may be done to a ledger beside running runs: deleting whole runs and giving space back. A run goes in one
 * transaction and leaves a tombstone; bodies that another run names stay.
 */

/** A stored run as far as deciding about it needs; nothing here asks whether its rows can be understood. */
export interface KeptRun {
  readonly runId: string;
  /** Null when the run is damaged. */
  readonly repositoryRoot: string | null;
  readonly status: string | null;
  /** Whether the run takes no more events: `status` is known and one of the final ones. */
  readonly ended: boolean;
  /** ISO 8601: when the first event was written and the last; empty when these rows are gone. */
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly events: number;
  readonly artifacts: number;
}

/** What goes with a run. */
export interface Weight {
  /** Bodies that nothing names afterwards, and their bytes. */
  readonly bodies: number;
  readonly bodyBytes: number;
  /** Bytes of its events, its trace, its state and the rows of its artifacts. */
  readonly rowBytes: number;
}

export interface Unnamed {
  readonly count: number;
  readonly bytes: number;
}

/** What asking for the deletion of a run came to. */
export type Deletion =
  | Readonly<{ outcome: 'deleted'; run: KeptRun; weight: Weight; tombstone: Tombstone }>
  /** It may still be moved by somebody and nobody said to delete it all the same, or it was moved just now. */
  | Readonly<{ outcome: 'unended'; run: KeptRun }>
  | Readonly<{ outcome: 'gone'; tombstone: Tombstone }>
  | Readonly<{ outcome: 'unknown' }>;

/** Every method throws LedgerError as those of `Ledger` do. */
export interface Retention {
  /** Every run, the one that moved last coming last. */
  runs(): readonly KeptRun[];
  run(runId: string): KeptRun | null;
  tombstone(runId: string): Tombstone | null;
  /** The runs that link a run as their prior one. */
  linkedBy(runId: string): readonly string[];
  /** What deleting these runs in this order would take away with each. */
  weigh(runIds: readonly string[]): readonly Weight[];
  /**
   * Deletes a run, whole and durably, in one transaction.
   * @param at ISO 8601, for the tombstone
   * @param force also a run that has not ended
   * @param events only while its chain has so many: somebody may have moved it since it was looked at
   */
  delete(runId: string, at: string, force: boolean, events?: number): Deletion;
  /** Bodies that no artifact names: another program left them. */
  unnamed(): Unnamed;
  deleteUnnamed(): Unnamed;
  /** Writes the file anew without what was deleted, and empties the log. Says why when another process is in the way. */
  compact(): Compaction;
  close(): void;
}
