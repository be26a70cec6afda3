import type { BodyOf } from '../schemas/artifacts/index.ts';
import type { LogicalRole, Redaction, StoredType } from '../schemas/vocabulary.ts';

/** An accepted artifact of a run, as stored. */
export interface Artifact<T extends StoredType = StoredType> {
  readonly id: string;
  readonly runId: string;
  readonly type: T;
  readonly producer: LogicalRole;
  readonly sha256: string;
  readonly sourceRefs: readonly string[];
  readonly redaction: Redaction;
  readonly createdAt: string;
  readonly body: BodyOf<T>;
}

/** Any artifact, discriminated by its type. */
export type AnyArtifact = { [T in StoredType]: Artifact<T> }[StoredType];

/** What may be read of the run that `prior_run_id` links: its Evidence, nothing else. */
export interface PriorRun {
  readonly runId: string;
  readonly repositoryRoot: string;
  /** False when the prior run was deleted after this one had been started. */
  readonly exists: boolean;
  /** The artifact, or undefined when that run has none of this id. */
  get(id: string): AnyArtifact | undefined;
  /** Its Evidence in insertion order, where whoever links the run can list it; the brief of a frame offers it. */
  evidence?(): readonly Artifact<'Evidence'>[];
}

/**
 * The immutable, indexed view of a run's accepted artifacts that rules and projection read.
 * `extend` costs O(1): views share one append-only log, each sees only its own length.
 */
export interface RunRecord {
  readonly runId: string;
  /** Number of stored artifacts, every kind counted. */
  readonly size: number;
  /** Number of trace events so far. */
  readonly traceLength: number;
  /** Number of `transition_denied` events at the current version. */
  readonly denials: number;
  /** Sub-agents that checks have allowed since the pending work node became pending. */
  readonly spawned: number;
  readonly prior: PriorRun | null;
  get(id: string): AnyArtifact | undefined;
  /** Insertion position of an id, or -1. */
  indexOf(id: string): number;
  /** Every artifact of a type, insertion order. */
  all<T extends StoredType>(type: T): readonly Artifact<T>[];
  /** The artifact of a type that was stored last. */
  latest<T extends StoredType>(type: T): Artifact<T> | undefined;
  /** Every artifact, insertion order. */
  entries(): readonly AnyArtifact[];
  /** Whether a permission refusal of exactly this content stands in the trace already (`checkKey`). */
  hasDeniedCheck(key: string): boolean;
  /** Whether any permission refusal stands in the trace. */
  hasDeniedChecks(): boolean;
  extend(artifacts: readonly AnyArtifact[], trace: TraceGrowth): RunRecord;
}

/** How the trace grew with an event. */
export interface TraceGrowth {
  readonly added: number;
  /** `transition_denied` events at the version that the run has after the event. */
  readonly denials: number;
  /** Allowed sub-agents of the pending node after the event; 0 when it is left out. */
  readonly spawned?: number;
  /** Keys of the denied `permission_checked` events among the added ones. */
  readonly deniedChecks?: readonly string[];
}

interface Log {
  readonly entries: AnyArtifact[];
  readonly positions: Map<string, number>;
  readonly byType: Map<StoredType, AnyArtifact[]>;
  /** Only ever grows, and only refusals of one content read it: an older view may see a newer key. */
  readonly deniedChecks: Set<string>;
}

const isOfType = <T extends StoredType>(artifact: AnyArtifact, type: T): artifact is AnyArtifact & Artifact<T> =>
  artifact.type === type;

const append = (log: Log, artifact: AnyArtifact): void => {
  log.positions.set(artifact.id, log.entries.length);
  log.entries.push(artifact);
  const same = log.byType.get(artifact.type);
  if (same) same.push(artifact);
  else log.byType.set(artifact.type, [artifact]);
};

const copyOf = (log: Log, size: number): Log => {
  const fresh: Log = { entries: [], positions: new Map(), byType: new Map(), deniedChecks: new Set(log.deniedChecks) };
  for (const artifact of log.entries.slice(0, size)) append(fresh, artifact);
  return fresh;
};

const view = (
  runId: string,
  log: Log,
  size: number,
  counts: Readonly<{ traceLength: number; denials: number; spawned: number }>,
  prior: PriorRun | null,
): RunRecord => {
  const indexOf = (id: string): number => {
    const at = log.positions.get(id);
    return at !== undefined && at < size ? at : -1;
  };
  const all = <T extends StoredType>(type: T): readonly Artifact<T>[] => {
    const found: Artifact<T>[] = [];
    for (const artifact of log.byType.get(type) ?? [])
      if (isOfType(artifact, type) && indexOf(artifact.id) >= 0) found.push(artifact);
    return found;
  };
  return {
    runId,
    size,
    ...counts,
    prior,
    indexOf,
    get: (id) => (indexOf(id) >= 0 ? log.entries[indexOf(id)] : undefined),
    all,
    latest: (type) => {
      const same = log.byType.get(type) ?? [];
      for (let at = same.length - 1; at >= 0; at -= 1) {
        const artifact = same[at];
        if (artifact && isOfType(artifact, type) && indexOf(artifact.id) >= 0) return artifact;
      }
      return undefined;
    },
    entries: () => (size === log.entries.length ? log.entries : log.entries.slice(0, size)),
    hasDeniedChecks: () => log.deniedChecks.size > 0,
    hasDeniedCheck: (key) => log.deniedChecks.has(key),
    extend: (artifacts, trace) => {
      // Only the newest view may append to the shared log; an older one branches off with a copy.
      const own = log.entries.length === size ? log : copyOf(log, size);
      for (const artifact of artifacts) append(own, artifact);
      for (const key of trace.deniedChecks ?? []) own.deniedChecks.add(key);
      const grown = {
        traceLength: counts.traceLength + trace.added,
        denials: trace.denials,
        spawned: trace.spawned ?? 0,
      };
      return view(runId, own, size + artifacts.length, grown, prior);
    },
  };
};

/** The record of a run that holds nothing yet. */
export const emptyRecord = (runId: string, prior: PriorRun | null = null): RunRecord =>
  view(
    runId,
    { entries: [], positions: new Map(), byType: new Map(), deniedChecks: new Set() },
    0,
    { traceLength: 0, denials: 0, spawned: 0 },
    prior,
  );

/** `artifact://<run>/<id>` */
export const artifactUri = (runId: string, id: string): string => `artifact://${runId}/${id}`;

/** The URI of an artifact of a record. */
export const uriOf = (artifact: Pick<Artifact, 'runId' | 'id'>): string => artifactUri(artifact.runId, artifact.id);

/** Splits `artifact://run/id`; null when it has not exactly one id segment. */
export const parseArtifactUri = (uri: string): Readonly<{ runId: string; id: string }> | null => {
  const match = /^artifact:\/\/([^/]+)\/([^/]+)$/.exec(uri);
  return match?.[1] && match[2] ? { runId: match[1], id: match[2] } : null;
};
