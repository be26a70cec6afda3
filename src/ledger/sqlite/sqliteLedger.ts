import { LedgerError } from '../errors.ts';
import type { Ledger } from '../ledger.ts';
import { checkStateDirectory, type StateDirectory } from '../stateDirectory.ts';
import { admittingOf } from './admitting.ts';
import { type Connection, connectForReading, connectForWriting } from './connection.ts';
import { type Histories, historiesOf } from './history.ts';
import { type LedgerReads, type Reading, readingOf } from './reading.ts';
import { asLedgerError } from './sqliteErrors.ts';
import { prepareStatements } from './statements.ts';
import { isStoredFault, verifyingOf } from './verifying.ts';
import { writingOf } from './writing.ts';

/** One open database with everything prepared. */
interface Session {
  readonly connection: Connection;
  readonly reading: Reading;
  readonly verify: Ledger['verify'];
  readonly commit: Ledger['commit'];
  readonly histories: Histories;
  readonly admit: Ledger['admit'];
}

const sessionOf = (connection: Connection): Session => {
  const sql = prepareStatements(connection.db);
  const reading = readingOf(sql);
  const histories = historiesOf(connection.db, sql);
  return {
    connection,
    reading,
    histories,
    verify: verifyingOf(histories),
    commit: writingOf(connection.db, sql, reading),
    admit: admittingOf(connection.db, sql),
  };
};

/** What a ledger that does not exist yet answers. */
const emptyReading: LedgerReads = {
  run: () => null,
  tombstone: () => null,
  head: () => 0,
  runs: () => [],
  artifacts: () => [],
  artifactMeta: () => [],
  artifact: () => null,
  digestStatus: () => 'missing',
  trace: () => [],
  chain: () => [],
  eventOfVersion: () => null,
  eventOfArtifact: () => null,
  spawnsOfNode: () => 0,
  deniedChecks: () => [],
};

/** How a ledger gets at its database: `find` only if it exists, `make` also when it does not. */
interface Opening {
  find(): Connection | null;
  make(): Connection;
}

const ledgerOver = (state: StateDirectory, opening: Opening): Ledger => {
  let session: Session | null = null;
  let closed = false;

  const guarded = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw asLedgerError(error, state);
    }
  };

  const opened = (open: () => Connection | null): Session | null => {
    if (closed)
      throw new LedgerError('state_unavailable', `The ledger ${state.database} was closed by this process.`, [
        'Start the server again.',
      ]);
    if (session !== null) {
      // A file that was moved or removed takes writes that nobody will ever read.
      if (!session.connection.isCurrent())
        throw new LedgerError(
          'state_unavailable',
          `The ledger ${state.database}, or a file that SQLite keeps beside it, was moved, replaced or removed while this process had it open.`,
          ['End every server of this repository, put back what was moved, and start the server again.'],
        );
      return session;
    }
    const connection = open();
    if (connection === null) return null;
    try {
      session = sessionOf(connection);
    } catch (error) {
      connection.db.close();
      throw error;
    }
    return session;
  };

  const read = <T>(work: (reading: LedgerReads) => T): T =>
    guarded(() => work(opened(opening.find)?.reading ?? emptyReading));

  return {
    run: (runId) => read((from) => from.run(runId)),
    tombstone: (runId) => read((from) => from.tombstone(runId)),
    head: (runId) => read((from) => from.head(runId)),
    runs: (limit, root, before) => read((from) => from.runs(limit, root, before)),
    artifacts: (runId, after) => read((from) => from.artifacts(runId, after)),
    artifactMeta: (runId, after, limit) => read((from) => from.artifactMeta(runId, after, limit)),
    artifact: (runId, artifactId) => read((from) => from.artifact(runId, artifactId)),
    digestStatus: (runId, artifactId) => read((from) => from.digestStatus(runId, artifactId)),
    trace: (runId, afterSequence, limit) => read((from) => from.trace(runId, afterSequence, limit)),
    chain: (runId, afterSequence, limit) => read((from) => from.chain(runId, afterSequence, limit)),

    eventOfVersion: (runId, version) => read((from) => from.eventOfVersion(runId, version)),
    eventOfArtifact: (runId, artifactId) => read((from) => from.eventOfArtifact(runId, artifactId)),
    spawnsOfNode: (runId) => read((from) => from.spawnsOfNode(runId)),
    deniedChecks: (runId) => read((from) => from.deniedChecks(runId)),

    together: (reads) =>
      guarded(() => {
        const db = opened(opening.find)?.connection.db;
        return db === undefined || db.inTransaction ? reads() : db.transaction(reads).deferred();
      }),

    verify: (runId) =>
      guarded(() => {
        const open = opened(opening.find);
        if (open === null) return [];
        try {
          return open.connection.db.transaction(() => open.verify(runId)).deferred();
        } catch (error) {
          if (isStoredFault(error)) return [{ sequence: 0, message: error.message }];
          throw error;
        }
      }),

    history: (runId) => guarded(() => opened(opening.find)?.histories.history(runId) ?? null),
    runIds: () => guarded(() => opened(opening.find)?.histories.runIds() ?? []),
    admit: (history) => guarded(() => opened(opening.make)?.admit(history)),

    commit: (commit) => guarded(() => opened(opening.make)?.commit(commit) ?? false),

    close: () => {
      closed = true;
      session?.connection.db.close();
      session = null;
    },
  };
};

/**
 * The embedded store of runs. Touches nothing until its first call, and makes nothing before the first commit: while
 * there is no ledger, every read finds nothing. A state directory that cannot be used fails the call and is tried again
 * at the next one, so that mending it needs no restart (mcp-surface section 1).
 *
 * Every method throws `LedgerError`: `state_unavailable`, `incompatible`, `integrity_failed`, and `invalid_arguments`
 * when the state directory breaks a boundary, which `checkStateDirectory` tells a server at its start.
 *
 * @param busy how many milliseconds a call waits for another process; five seconds when absent
 */
export const openLedger = (state: StateDirectory, busy?: number): Ledger =>
  ledgerOver(state, {
    find: () => (checkStateDirectory(state).hasLedger ? connectForWriting(state, busy) : null),
    make: () => connectForWriting(state, busy),
  });

/**
 * Opens an existing ledger for reading alone, as the command line does (mcp-surface section 8).
 *
 * @throws LedgerError `state_unavailable` when there is none, and as `openLedger`
 */
export const openLedgerReadOnly = (state: StateDirectory): Ledger => {
  const open = (): Connection => connectForReading(state);
  const ledger = ledgerOver(state, { find: open, make: open });
  // The first read opens it, so that a missing ledger is told now.
  ledger.head('');
  const refuse = (): never => {
    throw new LedgerError('state_unavailable', `The ledger ${state.database} was opened for reading alone.`, [
      'Use the tools of the server to move a run.',
    ]);
  };
  return { ...ledger, commit: refuse, admit: refuse };
};
