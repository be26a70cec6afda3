import type { ArtifactMeta } from './artifactMeta.ts';

/**
 * Everything that is stored of one run, as it is stored: what a verification reads and a bundle holds. Texts are kept as
 * text, for a digest is taken of the bytes and not of what they mean.
 */

/** The row of the run. */
export interface HistoryRun {
  readonly runId: string;
  readonly schemaVersion: string;
  readonly machineVersion: string;
  readonly version: number;
  /** Canonical JSON. */
  readonly context: string;
  /** The machine's persisted snapshot, JSON. */
  readonly snapshot: string;
  /** How many events the chain has, and the hash of the last. */
  readonly head: number;
  readonly headHash: string;
  readonly artifactCount: number;
  readonly traceCount: number;
  readonly denials: number;
}

export interface HistoryArtifact {
  /** From 1 in each run. */
  readonly position: number;
  readonly meta: ArtifactMeta;
  /** Canonical JSON; null when it is gone. */
  readonly body: string | null;
}

export interface HistoryTrace {
  /** From 1 in each run. */
  readonly sequence: number;
  /** A `TraceDraft` as canonical JSON. */
  readonly entry: string;
}

export interface HistoryEvent {
  readonly sequence: number;
  readonly version: number;
  readonly type: string;
  readonly at: string;
  /** Canonical JSON. */
  readonly payload: string;
  readonly previousHash: string;
  readonly hash: string;
  readonly artifacts: readonly HistoryArtifact[];
  readonly trace: readonly HistoryTrace[];
}

export interface RunHistory {
  readonly run: HistoryRun;
  /** By their sequence. */
  readonly events: readonly HistoryEvent[];
  /** Artifacts and trace rows that belong to no event of this run. */
  readonly strays: Readonly<{ artifacts: readonly HistoryArtifact[]; trace: readonly HistoryTrace[] }>;
  /** Another run of the same store whose chain has an event of this hash; null when there is none, or no store. */
  elsewhere(hash: string): string | null;
}
