import type { Database } from '../../ledger/sqlite/driver.ts';
import { formatOf, migrate, migrations } from '../../ledger/sqlite/format.ts';
import { openReadOnly } from '../../ledger/sqlite/readOnly.ts';
import { asLedgerError } from '../../ledger/sqlite/sqliteErrors.ts';
import { checkStateDirectory, locateStateDirectory, type StateDirectory } from '../../ledger/stateDirectory.ts';
import type { Terminal } from '../terminal.ts';
import { type PrivacyCheck, privacyCheck, type SpaceCheck, spaceCheck, writableCheck } from './place.ts';
import {
  type ClockCheck,
  clockVerdict,
  type IntegrityCheck,
  integrityCheck,
  newestEventOf,
  type RunsCheck,
  runsCheck,
  type SessionCheck,
  type SizesCheck,
  sessionCheck,
  sizesCheck,
  type UnnamedCheck,
  unnamedCheck,
} from './records.ts';
import { type Check, hintOf, verdict } from './verdict.ts';

/** The state directory and the ledger in it, if they are there. */

type LedgerCheck = Check &
  Readonly<{ exists: boolean; stateDirectory: string | null; format: number | null; newestFormat: number }>;

/** What is asked of the state directory and of what it holds. */
export interface StateChecks {
  readonly ledger: LedgerCheck;
  readonly privacy: PrivacyCheck;
  readonly writable: Check;
  readonly space: SpaceCheck;
  readonly integrity: IntegrityCheck;
  readonly runs: RunsCheck;
  readonly sizes: SizesCheck;
  readonly unnamedBodies: UnnamedCheck;
  readonly session: SessionCheck;
  readonly clock: ClockCheck;
}

/** Waited for a writer: the doctor looks at a ledger that is in use as well. */
const busyMilliseconds = 1000;

const noSession = { exists: false, runId: null, runVersion: null, current: false } as const;

/** The checks without a fact: nothing is there yet, or it cannot be looked at. */
const without = (said: Check, now: string): StateChecks => ({
  ledger: { ...said, exists: false, stateDirectory: null, format: null, newestFormat: migrations.length },
  privacy: { ...said, directory: null, database: null },
  writable: said,
  space: { ...said, freeBytes: null },
  integrity: { ...said, faults: null },
  runs: { ...said, count: null, deleted: null, oldest: null, newest: null },
  sizes: { ...said, databaseBytes: null, logBytes: null, bodies: null, bodyBytes: null },
  unnamedBodies: { ...said, count: null, bytes: null },
  session: { ...said, ...noSession },
  clock: clockVerdict(now, null),
});

/** One check; an error of its own is its hint and keeps no other check from being made. */
const attempt = <T extends Check>(state: StateDirectory, look: () => T, none: T): T => {
  try {
    return look();
  } catch (error) {
    return { ...none, ...verdict(hintOf(asLedgerError(error, state))) };
  }
};

const inLedger = (db: Database, state: StateDirectory, none: StateChecks, now: string): Partial<StateChecks> => ({
  integrity: attempt(state, () => integrityCheck(db), none.integrity),
  runs: attempt(state, () => runsCheck(db), none.runs),
  sizes: attempt(state, () => sizesCheck(db, state), none.sizes),
  unnamedBodies: attempt(state, () => unnamedCheck(db), none.unnamedBodies),
  session: attempt(state, () => sessionCheck(db, state), none.session),
  clock: attempt(state, () => clockVerdict(now, newestEventOf(db)), none.clock),
});

/** What cannot be told while the ledger cannot be read. */
const unread = (why: string, now: string): Partial<StateChecks> => {
  const { integrity, runs, sizes, unnamedBodies, session } = without(verdict(why), now);
  return { integrity, runs, sizes, unnamedBodies, session };
};

const older = 'The ledger has an older format: start the server (telic mcp) once, it converts it at the first call.';

const ofLedger = (state: StateDirectory, known: LedgerCheck, none: StateChecks, now: string): Partial<StateChecks> => {
  let db: Database | null = null;
  try {
    db = openReadOnly(state, busyMilliseconds);
    const format = formatOf(db, state);
    const ledger: LedgerCheck = { ...known, format };
    // Made, but nothing was ever written.
    if (format === 0) return { ledger };
    if (format === migrations.length) return { ...inLedger(db, state, none, now), ledger };
    const outdated = { ...ledger, ...verdict(older) };
    // A copy in memory can be looked into all the same; one that is in use stays as it is.
    if (!db.memory) return { ...unread(older, now), ledger: outdated };
    migrate(db, state);
    return { ...inLedger(db, state, none, now), ledger: outdated };
  } catch (error) {
    const why = hintOf(asLedgerError(error, state));
    return {
      ...unread('The ledger cannot be read; see the check of the ledger.', now),
      ledger: { ...known, ...verdict(why) },
    };
  } finally {
    db?.close();
  }
};

const ofPlace = (state: StateDirectory, none: StateChecks): Partial<StateChecks> => ({
  privacy: attempt(state, () => privacyCheck(state), none.privacy),
  writable: attempt(state, () => writableCheck(state), none.writable),
  space: attempt(state, () => spaceCheck(state), none.space),
});

/**
 * Everything about the state of one repository.
 *
 * @param root real path of the repository, null when none is known
 * @param now ISO 8601 in UTC
 */
export const stateChecks = (terminal: Terminal, root: string | null, now: string): StateChecks => {
  if (root === null) return without(verdict('Name a repository first; its state directory follows from it.'), now);
  let state: StateDirectory;
  try {
    state = locateStateDirectory(terminal.env, root);
  } catch (error) {
    return without(verdict(hintOf(error)), now);
  }
  const none = without(verdict(null), now);
  const known: LedgerCheck = { ...none.ledger, stateDirectory: state.path };
  try {
    const { hasLedger } = checkStateDirectory(state);
    const session = attempt(state, () => sessionCheck(null, state), none.session);
    return {
      ...none,
      ...ofPlace(state, none),
      session,
      ledger: known,
      ...(hasLedger && ofLedger(state, { ...known, exists: true }, none, now)),
    };
  } catch (error) {
    const blocked = without(verdict('The state directory cannot be used; see the check of the ledger.'), now);
    return { ...blocked, ledger: { ...known, ...verdict(hintOf(error)) } };
  }
};
