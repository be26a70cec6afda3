import { z } from 'zod';
import type { AnyArtifact } from '../../../machines/record.ts';
import { machineVersion } from '../../../machines/step.ts';
import { bodySchemas } from '../../../schemas/artifacts/index.ts';
import { digestOfText } from '../../../schemas/canonical.ts';
import type { Tombstone } from '../../../schemas/retention.ts';
import { schemaVersion } from '../../../schemas/vocabulary.ts';
import { damagedArtifact, damagedRun, LedgerError } from '../errors.ts';
import type { ArtifactMeta, ChainRow, Ledger, StoredRun, TraceRow } from '../ledger.ts';
import {
  ArtifactRow,
  ArtifactWithBody,
  byEvent,
  EventRow,
  isRunContext,
  isTraceDraft,
  References,
  RunRow,
  readJson,
  readRow,
  TombstoneRow,
  TraceLine,
} from './rows.ts';
import type { Statements } from './statements.ts';

/** A run whose words this version does not know: another one wrote it (traps T34). */
const isForeign = (row: RunRow): boolean =>
  row.machine_version !== machineVersion && !isRunContext(readJson(row.context, row.run_id, 'its context'));

const storedRun = (row: RunRow): StoredRun => {
  if (isForeign(row))
    throw new LedgerError(
      'incompatible',
      `Run ${row.run_id} was written by machine version ${row.machine_version}, in words that version ${machineVersion} does not know.`,
      ['Use the version of Telic that wrote the run; other runs are not touched by this.'],
      { runId: row.run_id },
    );
  const context = readJson(row.context, row.run_id, 'its context');
  if (!isRunContext(context) || context.runId !== row.run_id || context.version !== row.version)
    throw damagedRun(row.run_id, 'its context is not the one of this run');
  return {
    context,
    snapshot: row.snapshot,
    machineVersion: row.machine_version,
    changed: row.changed,
    head: row.head,
    artifactCount: row.artifact_count,
    traceCount: row.trace_count,
    denials: row.denials,
  };
};

export const metaOf = (row: ArtifactRow): ArtifactMeta => ({
  id: row.id,
  runId: row.run_id,
  type: row.type,
  schemaVersion,
  producer: row.producer,
  sha256: row.sha256,
  sourceRefs: readRow(
    References,
    readJson(row.source_refs, row.run_id, `the references of artifact ${row.id}`),
    row.run_id,
    `the references of artifact ${row.id}`,
  ),
  redaction: row.redaction,
  createdAt: row.created_at,
});

export const tombstoneOf = (row: TombstoneRow): Tombstone => ({
  runId: row.run_id,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  deletedAt: row.deleted_at,
  head: row.head,
  headHash: row.head_hash,
});

type Read = Omit<ArtifactMeta, 'schemaVersion'> & Readonly<{ body: unknown }>;

/** Whether the body of what was read was parsed by the schema of its type. */
const isArtifact = (_value: Read, parsed: boolean): _value is Read & AnyArtifact => parsed;

/** Whether a stored body is there and is what its name says. */
export const statusOf = (row: ArtifactWithBody | null): 'ok' | 'missing' | 'mismatch' => {
  if (row === null || row.body === null) return 'missing';
  return digestOfText(row.body) === row.sha256 ? 'ok' : 'mismatch';
};

const artifactOf = (row: ArtifactWithBody): AnyArtifact => {
  const status = statusOf(row);
  if (status === 'missing' || row.body === null) throw damagedArtifact(row.run_id, row.id, 'its body is missing');
  if (status === 'mismatch') throw damagedArtifact(row.run_id, row.id, 'its body does not have its digest');
  const { schemaVersion: _, ...meta } = metaOf(row);
  const parsed = bodySchemas[row.type].safeParse(readJson(row.body, row.run_id, `the body of artifact ${row.id}`));
  // Keys in the order of the schema, as in the process that took the body: what is told of a run must not depend on who reads it.
  const artifact = { ...meta, body: parsed.data };
  if (!isArtifact(artifact, parsed.success))
    throw new LedgerError(
      'incompatible',
      `Artifact ${row.id} of run ${row.run_id} is intact, but not a ${row.type} as this version of Telic knows it.`,
      ['Use the version of Telic that wrote the run.'],
      { runId: row.run_id, artifactId: row.id },
    );
  return artifact;
};

/** The run that a row of the list is about, readable or not. */
const idOf = (row: unknown): string => RunRow.pick({ run_id: true }).safeParse(row).data?.run_id ?? '(without an id)';

const everything = -1;

/** The reads of the `Ledger` interface. */
export type LedgerReads = Omit<Ledger, 'together' | 'verify' | 'history' | 'runIds' | 'admit' | 'commit' | 'close'>;

/** The reads, and the rows under them for who writes and verifies. */
export interface Reading extends LedgerReads {
  rowOf(runId: string): RunRow | null;
  eventRows(runId: string, rows: readonly unknown[]): readonly EventRow[];
}

/** Reads over the prepared statements of one connection; each throws LedgerError as `Ledger` says. */
export const readingOf = (sql: Statements): Reading => {
  const rowOf = (runId: string): RunRow | null => {
    const row = sql.run.get(runId);
    return row === undefined ? null : readRow(RunRow, row, runId, 'its row');
  };

  const artifactRow = (runId: string, artifactId: string): ArtifactWithBody | null => {
    const row = sql.artifact.get(runId, artifactId);
    return row === undefined ? null : readRow(ArtifactWithBody, row, runId, `the row of artifact ${artifactId}`);
  };

  const eventRows = (runId: string, rows: readonly unknown[]): readonly EventRow[] =>
    rows.map((row) => readRow(EventRow, row, runId, 'a row of its chain'));

  /** The rows of the artifacts that events stored, by the event's sequence. */
  const artifactsOf = (runId: string, events: readonly EventRow[]): ReadonlyMap<number, readonly ArtifactRow[]> => {
    const [first, last] = [events[0], events.at(-1)];
    if (first === undefined || last === undefined) return new Map();
    return byEvent(
      sql.artifactsOfEvents
        .all(runId, first.sequence - 1, last.sequence)
        .map((row) => readRow(ArtifactRow, row, runId, 'the row of an artifact')),
    );
  };

  const chainRows = (runId: string, events: readonly EventRow[]): readonly ChainRow[] => {
    const stored = artifactsOf(runId, events);
    return events.map((event) => ({
      runId,
      sequence: event.sequence,
      version: event.version,
      type: event.type,
      at: event.at,
      payload: readJson(event.payload, runId, `the payload of event ${event.sequence}`),
      previousHash: event.previous_hash,
      hash: event.hash,
      artifacts: (stored.get(event.sequence) ?? []).map(({ id, sha256 }) => ({ id, sha256 })),
    }));
  };

  const traceRows = (runId: string, rows: readonly unknown[]): readonly TraceRow[] =>
    rows.map((row) => {
      const line = readRow(TraceLine, row, runId, 'a row of its trace');
      const draft: unknown = readJson(line.entry, runId, `trace event ${line.sequence}`);
      if (!isTraceDraft(draft)) throw damagedRun(runId, `trace event ${line.sequence} cannot be read`);
      return { ...draft, runId, sequence: line.sequence, id: `event-${String(line.sequence).padStart(4, '0')}` };
    });

  return {
    rowOf,
    eventRows,

    run: (runId) => {
      const row = rowOf(runId);
      if (row === null) return null;
      if (row.schema_version !== schemaVersion)
        throw new LedgerError(
          'incompatible',
          `Run ${runId} was written under schema version ${row.schema_version}; this version of Telic reads ${schemaVersion}.`,
          ['Use the version of Telic that wrote the run; other runs are not touched by this.'],
          { runId },
        );
      return storedRun(row);
    },

    tombstone: (runId) => {
      const row = sql.tombstone.get(runId);
      return row === undefined ? null : tombstoneOf(readRow(TombstoneRow, row, runId, 'its tombstone'));
    },

    head: (runId) => z.int().parse(sql.head.get(runId) ?? 0),

    runs: (limit, root, before) =>
      sql.newestRuns
        .all(schemaVersion, root ?? null, root ?? null, before ?? Number.MAX_SAFE_INTEGER, limit)
        .map((row) => readRow(RunRow, row, idOf(row), 'its row'))
        .filter((row) => !isForeign(row))
        .map(storedRun),

    artifacts: (runId, after) =>
      sql.artifacts
        .all(runId, after, everything)
        .map((row) => artifactOf(readRow(ArtifactWithBody, row, runId, 'the row of an artifact'))),

    artifactMeta: (runId, after, limit) =>
      sql.artifactMeta
        .all(runId, after, limit)
        .map((row) => metaOf(readRow(ArtifactRow, row, runId, 'the row of an artifact'))),

    artifact: (runId, artifactId) => {
      const row = artifactRow(runId, artifactId);
      return row === null ? null : artifactOf(row);
    },

    digestStatus: (runId, artifactId) => statusOf(artifactRow(runId, artifactId)),

    trace: (runId, afterSequence, limit) => traceRows(runId, sql.trace.all(runId, afterSequence, limit)),

    deniedChecks: (runId) => traceRows(runId, sql.deniedChecks.all(runId)),

    chain: (runId, afterSequence, limit) =>
      chainRows(runId, eventRows(runId, sql.events.all(runId, afterSequence, limit))),

    eventOfArtifact: (runId, artifactId) =>
      chainRows(runId, eventRows(runId, sql.eventOfArtifact.all(runId, artifactId)))[0] ?? null,

    spawnsOfNode: (runId) => Number(sql.spawnsOfNode.get(runId, runId) ?? 0),

    eventOfVersion: (runId, version) =>
      chainRows(runId, eventRows(runId, sql.eventOfVersion.all(runId, version)))[0] ?? null,
  };
};
