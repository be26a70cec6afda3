import { z } from 'zod';
import { LedgerError } from '../errors.ts';
import type { StateDirectory } from '../stateDirectory.ts';
import type { Database } from './driver.ts';

/** Marks a SQLite file as a ledger of ours: the letters `Tlic`. */
const applicationId = 0x54_6c_69_63;

/**
 * Format 1. `events` is the truth, one chain a run; `runs`, `artifacts` and `trace` are written with it. Numbers count
 * from 1. `changed` orders runs by their last versioned event, whatever the clocks say (decisions 14).
 */
const format1 = `
  CREATE TABLE runs (
    run_id TEXT PRIMARY KEY,
    schema_version TEXT NOT NULL,
    machine_version TEXT NOT NULL,
    version INTEGER NOT NULL CHECK (version >= 1),
    changed INTEGER NOT NULL UNIQUE,
    context TEXT NOT NULL,
    snapshot TEXT NOT NULL,
    head INTEGER NOT NULL CHECK (head >= 1),
    head_hash TEXT NOT NULL,
    artifact_count INTEGER NOT NULL,
    trace_count INTEGER NOT NULL,
    denials INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE events (
    run_id TEXT NOT NULL REFERENCES runs (run_id),
    sequence INTEGER NOT NULL CHECK (sequence >= 1),
    version INTEGER NOT NULL,
    type TEXT NOT NULL,
    at TEXT NOT NULL,
    payload TEXT NOT NULL,
    previous_hash TEXT NOT NULL,
    hash TEXT NOT NULL,
    PRIMARY KEY (run_id, sequence)
  ) STRICT;

  CREATE INDEX events_by_version ON events (run_id, version, sequence);

  CREATE TABLE bodies (
    sha256 TEXT PRIMARY KEY,
    body TEXT NOT NULL
  ) STRICT;

  CREATE TABLE artifacts (
    run_id TEXT NOT NULL,
    position INTEGER NOT NULL CHECK (position >= 1),
    event_sequence INTEGER NOT NULL,
    id TEXT NOT NULL,
    type TEXT NOT NULL,
    producer TEXT NOT NULL,
    sha256 TEXT NOT NULL REFERENCES bodies (sha256),
    source_refs TEXT NOT NULL,
    redaction TEXT NOT NULL,
    created_at TEXT NOT NULL,
    PRIMARY KEY (run_id, position),
    UNIQUE (run_id, id),
    FOREIGN KEY (run_id, event_sequence) REFERENCES events (run_id, sequence)
  ) STRICT;
  CREATE INDEX artifacts_by_body ON artifacts (sha256);
  CREATE INDEX artifacts_by_event ON artifacts (run_id, event_sequence, position);

  CREATE TABLE trace (
    run_id TEXT NOT NULL,
    sequence INTEGER NOT NULL CHECK (sequence >= 1),
    event_sequence INTEGER NOT NULL,
    entry TEXT NOT NULL,
    PRIMARY KEY (run_id, sequence),
    FOREIGN KEY (run_id, event_sequence) REFERENCES events (run_id, sequence)
  ) STRICT;

  CREATE INDEX denied_checks ON trace (run_id, sequence)
    WHERE entry ->> 'event' = 'permission_checked' AND entry ->> '$.decision.decision' = 'deny';

  CREATE TRIGGER events_stay BEFORE UPDATE ON events BEGIN SELECT raise(ABORT, 'events are immutable'); END;
  CREATE TRIGGER bodies_stay BEFORE UPDATE ON bodies BEGIN SELECT raise(ABORT, 'bodies are immutable'); END;
  CREATE TRIGGER artifacts_stay BEFORE UPDATE ON artifacts BEGIN SELECT raise(ABORT, 'artifacts are immutable'); END;
  CREATE TRIGGER trace_stays BEFORE UPDATE ON trace BEGIN SELECT raise(ABORT, 'the trace is immutable'); END;
`;

/**
 * Format 2. Rows of a run go with the whole run or not at all. The tombstone is the deletion: writing one takes every
 * row of its run away in the same statement, and a run goes in no other way. A body goes with the last artifact that
 * names it. The tombstone stays, and its id can never be a run again.
 */
const format2 = `
  CREATE TABLE tombstones (
    run_id TEXT PRIMARY KEY,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    deleted_at TEXT NOT NULL,
    head INTEGER NOT NULL CHECK (head >= 1),
    head_hash TEXT NOT NULL
  ) STRICT;

  CREATE TRIGGER tombstones_stand_for_runs BEFORE INSERT ON tombstones
    WHEN NOT EXISTS (SELECT 1 FROM runs WHERE run_id = NEW.run_id AND head = NEW.head AND head_hash = NEW.head_hash)
    BEGIN SELECT raise(ABORT, 'a tombstone holds the head of the run that it deletes'); END;
  -- The run first: the triggers below keep its rows for as long as it is there.
  CREATE TRIGGER tombstones_delete AFTER INSERT ON tombstones BEGIN
    DELETE FROM runs WHERE run_id = NEW.run_id;
    DELETE FROM trace WHERE run_id = NEW.run_id;
    DELETE FROM artifacts WHERE run_id = NEW.run_id;
    DELETE FROM events WHERE run_id = NEW.run_id;
  END;
  CREATE TRIGGER artifacts_take_their_bodies AFTER DELETE ON artifacts
    WHEN NOT EXISTS (SELECT 1 FROM artifacts WHERE sha256 = OLD.sha256)
    BEGIN DELETE FROM bodies WHERE sha256 = OLD.sha256; END;
  CREATE TRIGGER runs_go_by_their_tombstone BEFORE DELETE ON runs
    WHEN NOT EXISTS (SELECT 1 FROM tombstones WHERE run_id = OLD.run_id)
    BEGIN SELECT raise(ABORT, 'runs are immutable but for their last state'); END;
  CREATE TRIGGER tombstones_are_final BEFORE UPDATE ON tombstones
    BEGIN SELECT raise(ABORT, 'tombstones are immutable'); END;
  CREATE TRIGGER tombstones_stay BEFORE DELETE ON tombstones
    BEGIN SELECT raise(ABORT, 'tombstones are immutable'); END;

  CREATE TRIGGER events_go_with_their_run BEFORE DELETE ON events
    WHEN EXISTS (SELECT 1 FROM runs WHERE run_id = OLD.run_id)
    BEGIN SELECT raise(ABORT, 'events are immutable'); END;
  CREATE TRIGGER artifacts_go_with_their_run BEFORE DELETE ON artifacts
    WHEN EXISTS (SELECT 1 FROM runs WHERE run_id = OLD.run_id)
    BEGIN SELECT raise(ABORT, 'artifacts are immutable'); END;
  CREATE TRIGGER trace_goes_with_its_run BEFORE DELETE ON trace
    WHEN EXISTS (SELECT 1 FROM runs WHERE run_id = OLD.run_id)
    BEGIN SELECT raise(ABORT, 'the trace is immutable'); END;
  CREATE TRIGGER bodies_go_with_their_artifacts BEFORE DELETE ON bodies
    WHEN EXISTS (SELECT 1 FROM artifacts WHERE sha256 = OLD.sha256)
    BEGIN SELECT raise(ABORT, 'bodies are immutable'); END;

  -- INSERT OR REPLACE would take a row away without a word to the triggers above.
  CREATE TRIGGER runs_are_new BEFORE INSERT ON runs
    WHEN EXISTS (SELECT 1 FROM runs WHERE run_id = NEW.run_id OR changed = NEW.changed)
      OR EXISTS (SELECT 1 FROM tombstones WHERE run_id = NEW.run_id)
    BEGIN SELECT raise(ABORT, 'the id of a run is never used again'); END;
  CREATE TRIGGER events_are_new BEFORE INSERT ON events
    WHEN EXISTS (SELECT 1 FROM events WHERE run_id = NEW.run_id AND sequence = NEW.sequence)
    BEGIN SELECT raise(ABORT, 'events are immutable'); END;
  CREATE TRIGGER artifacts_are_new BEFORE INSERT ON artifacts
    WHEN EXISTS (SELECT 1 FROM artifacts WHERE run_id = NEW.run_id AND (position = NEW.position OR id = NEW.id))
    BEGIN SELECT raise(ABORT, 'artifacts are immutable'); END;
  CREATE TRIGGER trace_is_new BEFORE INSERT ON trace
    WHEN EXISTS (SELECT 1 FROM trace WHERE run_id = NEW.run_id AND sequence = NEW.sequence)
    BEGIN SELECT raise(ABORT, 'the trace is immutable'); END;
`;

/** One step a format, the first from an empty file; a step that was released is never changed. */
export const migrations: readonly string[] = [format1, format2];

const numberOf = (db: Database, pragma: string): number => z.int().parse(db.pragma(pragma, { simple: true }));

const isEmpty = (db: Database): boolean => db.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined;

/**
 * The format of an open database; 0 when nothing has been written yet.
 *
 * @throws LedgerError `incompatible` for a file that is not a ledger, or one of a newer format than `known`
 */
export const formatOf = (db: Database, state: StateDirectory, known: number = migrations.length): number => {
  const format = numberOf(db, 'user_version');
  if (format === 0 && isEmpty(db)) return 0;
  if (numberOf(db, 'application_id') !== applicationId)
    throw new LedgerError('incompatible', `${state.database} is a database, but not a ledger of Telic.`, [
      'Set TELIC_STATE_DIR to another directory, or move the file away.',
    ]);
  if (format > known)
    throw new LedgerError(
      'incompatible',
      `The ledger ${state.database} has format ${format}; this version of Telic knows formats up to ${known}.`,
      ['Use the newer Telic that wrote it, or set TELIC_STATE_DIR to another directory.'],
    );
  return format;
};

/**
 * Brings a database to the newest format, in one transaction; of several processes that try, one does it.
 *
 * @param steps for tests; the released ones are the default
 * @throws LedgerError as `formatOf` does, with the file left as it was
 */
export const migrate = (db: Database, state: StateDirectory, steps: readonly string[] = migrations): void => {
  if (formatOf(db, state, steps.length) === steps.length) return;
  db.transaction(() => {
    for (const step of steps.slice(formatOf(db, state, steps.length))) db.exec(step);
    db.pragma(`application_id = ${applicationId}`);
    db.pragma(`user_version = ${steps.length}`);
  }).immediate();
};
