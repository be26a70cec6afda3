import type Sqlite from 'better-sqlite3';
import type { Database } from './driver.ts';

/** Values by the names that the statement gives them. */
type Named = [values: Readonly<Record<string, string | number | null>>];

/** Everything that the store ever asks SQLite; the parameters of each, by position. */
export interface Statements {
  readonly run: Sqlite.Statement<[runId: string]>;
  readonly tombstone: Sqlite.Statement<[runId: string]>;
  readonly head: Sqlite.Statement<[runId: string]>;
  readonly newestRuns: Sqlite.Statement<
    [schemaVersion: string, anyRoot: string | null, root: string | null, before: number, limit: number]
  >;
  readonly artifacts: Sqlite.Statement<[runId: string, after: number, limit: number]>;
  readonly artifactMeta: Sqlite.Statement<[runId: string, after: number, limit: number]>;
  readonly artifact: Sqlite.Statement<[runId: string, id: string]>;
  readonly artifactsOfEvents: Sqlite.Statement<[runId: string, after: number, last: number]>;
  readonly trace: Sqlite.Statement<[runId: string, after: number, limit: number]>;
  readonly deniedChecks: Sqlite.Statement<[runId: string]>;
  readonly eventOfVersion: Sqlite.Statement<[runId: string, version: number]>;
  readonly eventOfArtifact: Sqlite.Statement<[runId: string, artifactId: string]>;
  readonly spawnsOfNode: Sqlite.Statement<[runId: string, sameRunId: string]>;
  readonly events: Sqlite.Statement<[runId: string, after: number, limit: number]>;
  readonly insertRun: Sqlite.Statement<Named>;
  readonly updateRun: Sqlite.Statement<Named>;
  readonly insertEvent: Sqlite.Statement<Named>;
  readonly insertArtifact: Sqlite.Statement<Named>;
  readonly insertBody: Sqlite.Statement<[sha256: string, body: string]>;
  readonly holdsBody: Sqlite.Statement<[body: string, sha256: string]>;
  readonly hasArtifact: Sqlite.Statement<[runId: string, id: string]>;
  readonly insertTrace: Sqlite.Statement<[runId: string, sequence: number, eventSequence: number, entry: string]>;
}

/** Prepares them, once a connection. */
export const prepareStatements = (db: Database): Statements => ({
  run: db.prepare('SELECT * FROM runs WHERE run_id = ?'),
  tombstone: db.prepare('SELECT * FROM tombstones WHERE run_id = ?'),
  head: db.prepare('SELECT head FROM runs WHERE run_id = ?').pluck(),
  // A run of another schema version does not hide the others; asking for it by its id says what is wrong with it.
  newestRuns: db.prepare(
    `SELECT * FROM runs WHERE schema_version = ? AND (? IS NULL OR context ->> 'repositoryRoot' = ?) AND changed < ?
     ORDER BY changed DESC LIMIT ?`,
  ),
  artifacts: db.prepare(
    `SELECT a.*, b.body FROM artifacts a LEFT JOIN bodies b ON b.sha256 = a.sha256
     WHERE a.run_id = ? AND a.position > ? ORDER BY a.position LIMIT ?`,
  ),
  artifactMeta: db.prepare('SELECT * FROM artifacts WHERE run_id = ? AND position > ? ORDER BY position LIMIT ?'),
  artifact: db.prepare(
    `SELECT a.*, b.body FROM artifacts a LEFT JOIN bodies b ON b.sha256 = a.sha256
     WHERE a.run_id = ? AND a.id = ?`,
  ),
  artifactsOfEvents: db.prepare(
    `SELECT * FROM artifacts WHERE run_id = ? AND event_sequence > ? AND event_sequence <= ?
     ORDER BY event_sequence, position`,
  ),
  trace: db.prepare('SELECT * FROM trace WHERE run_id = ? AND sequence > ? ORDER BY sequence LIMIT ?'),
  // The conditions are those of the index that holds nothing else.
  deniedChecks: db.prepare(
    `SELECT * FROM trace
     WHERE run_id = ? AND entry ->> 'event' = 'permission_checked' AND entry ->> '$.decision.decision' = 'deny'
     ORDER BY sequence`,
  ),
  eventOfVersion: db.prepare('SELECT * FROM events WHERE run_id = ? AND version = ? ORDER BY sequence LIMIT 1'),
  eventOfArtifact: db.prepare(
    `SELECT e.* FROM artifacts a JOIN events e ON e.run_id = a.run_id AND e.sequence = a.event_sequence
     WHERE a.run_id = ? AND a.id = ?`,
  ),
  // A node becomes pending with the micro pack, with its plan, or with the result of the node before it.
  spawnsOfNode: db
    .prepare<[string, string]>(
      `SELECT count(*) FROM trace
       WHERE run_id = ? AND entry ->> 'event' = 'broker_decision' AND entry ->> '$.decision.decision' = 'allow'
         AND entry ->> '$.decision.capability' = 'subagent.spawn'
         AND sequence > coalesce((SELECT max(sequence) FROM trace WHERE run_id = ?
           AND entry ->> 'event' = 'phase_submitted'
           AND entry ->> 'phase' IN ('agent_1_frame', 'agent_3_plan', 'agent_4_execute')), 0)`,
    )
    .pluck(),
  events: db.prepare('SELECT * FROM events WHERE run_id = ? AND sequence > ? ORDER BY sequence LIMIT ?'),

  insertRun: db.prepare(
    `INSERT INTO runs (run_id, schema_version, machine_version, version, changed, context, snapshot, head, head_hash,
                       artifact_count, trace_count, denials)
     VALUES (@runId, @schemaVersion, @machineVersion, @version, (SELECT coalesce(max(changed), 0) + 1 FROM runs),
             @context, @snapshot, @head, @headHash, @artifactCount, @traceCount, @denials)`,
  ),
  updateRun: db.prepare(
    `UPDATE runs SET machine_version = @machineVersion, version = @version, context = @context, snapshot = @snapshot,
            head = @head, head_hash = @headHash, artifact_count = @artifactCount, trace_count = @traceCount,
            denials = @denials,
            changed = CASE WHEN @version > version THEN (SELECT max(changed) + 1 FROM runs) ELSE changed END
     WHERE run_id = @runId`,
  ),
  insertEvent: db.prepare(
    `INSERT INTO events (run_id, sequence, version, type, at, payload, previous_hash, hash)
     VALUES (@runId, @sequence, @version, @type, @at, @payload, @previousHash, @hash)`,
  ),
  insertBody: db.prepare('INSERT INTO bodies (sha256, body) VALUES (?, ?) ON CONFLICT (sha256) DO NOTHING'),
  holdsBody: db.prepare('SELECT body = ? FROM bodies WHERE sha256 = ?').pluck(),
  hasArtifact: db.prepare('SELECT 1 FROM artifacts WHERE run_id = ? AND id = ?').pluck(),
  insertArtifact: db.prepare(
    `INSERT INTO artifacts (run_id, position, event_sequence, id, type, producer, sha256, source_refs, redaction,
                            created_at)
     VALUES (@runId, @position, @eventSequence, @id, @type, @producer, @sha256, @sourceRefs, @redaction, @createdAt)`,
  ),
  insertTrace: db.prepare('INSERT INTO trace (run_id, sequence, event_sequence, entry) VALUES (?, ?, ?, ?)'),
});
