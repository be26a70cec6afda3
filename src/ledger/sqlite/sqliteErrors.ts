import { LedgerError, systemCodeOf } from '../errors.ts';
import { type StateDirectory, unavailable } from '../stateDirectory.ts';

/** What the main codes of SQLite mean for the caller; extended codes begin with them. */
const outages: readonly (readonly [code: string, what: string])[] = [
  ['SQLITE_BUSY', 'another process held the ledger for more than five seconds'],
  ['SQLITE_LOCKED', 'another part of this process holds the ledger'],
  ['SQLITE_FULL', 'the disk is full'],
  ['SQLITE_READONLY', 'the ledger cannot be written, the directory, the file or the disk is read-only'],
  ['SQLITE_CANTOPEN', 'the ledger cannot be opened'],
  ['SQLITE_PERM', 'permission is denied'],
  ['SQLITE_PROTOCOL', 'its file system does not keep locks'],
  ['SQLITE_IOERR', 'the disk refuses'],
];

/**
 * The error that callers understand, of an error of SQLite; anything else is a defect and comes back as it is.
 *
 * @param state the directory whose ledger was used
 */
export const asLedgerError = (error: unknown, state: StateDirectory): unknown => {
  if (error instanceof LedgerError) return error;
  const code = systemCodeOf(error);
  for (const [prefix, what] of outages)
    if (code.startsWith(prefix)) return unavailable(state, `${what} (${code})`, error);
  if (code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_NOTADB')
    return new LedgerError(
      'integrity_failed',
      `The ledger ${state.database} is damaged: SQLite cannot read it (${code}).`,
      [
        'Stop every process that uses it and let an operator look at the file (`telic doctor`).',
        'Restore the state directory from a copy, or set TELIC_STATE_DIR to another directory and start new runs there.',
      ],
      { cause: error },
    );
  return error;
};
