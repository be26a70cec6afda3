import { closeSync, existsSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { systemCodeOf } from '../errors.ts';
import type { StateDirectory } from '../stateDirectory.ts';
import { type Database, openDatabase } from './driver.ts';

/** A larger ledger is read in place: holding it in memory would cost more than the two empty files that SQLite leaves. */
const largestCopy = 256 * 1024 * 1024;

/** The two bytes of a database's header that say how it is written and read, and what they say. */
const modeBytes = [18, 19] as const;
const [rollback, writeAhead] = [1, 2];

const isInUse = (state: StateDirectory): boolean =>
  ['-wal', '-journal'].some((suffix) => existsSync(`${state.database}${suffix}`));

const markOf = (descriptor: number): string => {
  const { ino, size, mtimeNs } = fstatSync(descriptor, { bigint: true });
  return `${ino}:${size}:${mtimeNs}`;
};

/**
 * The bytes of a ledger that no process has open; null where reading in place is right. Nothing is opened while the log
 * is there: closing the descriptor would take away the locks of a connection in this process.
 */
const restingBytes = (state: StateDirectory): Buffer | null => {
  if (isInUse(state)) return null;
  const descriptor = openSync(state.database, 'r');
  try {
    if (fstatSync(descriptor).size > largestCopy) return null;
    const before = markOf(descriptor);
    const bytes = readFileSync(descriptor);
    // Somebody began to write meanwhile: what was read may be half of it.
    if (isInUse(state) || markOf(descriptor) !== before) return null;
    if (modeBytes.some((at) => bytes[at] !== writeAhead)) return null;
    for (const at of modeBytes) bytes[at] = rollback;
    return bytes;
  } finally {
    closeSync(descriptor);
  }
};

/**
 * Opens an existing ledger for reading alone and leaves the state directory as it is. SQLite itself makes the two side
 * files of a write-ahead log even for a reader and cannot take them away again; a ledger that rests is read from memory.
 *
 * @param busyMilliseconds how long a writer is waited for
 * @throws the driver's error when the file cannot be read; LedgerError `state_unavailable` when the module cannot be
 *   loaded
 */
export const openReadOnly = (state: StateDirectory, busyMilliseconds: number): Database => {
  let bytes: Buffer | null = null;
  try {
    bytes = restingBytes(state);
  } catch (error) {
    // A file that cannot be read: opening it by name tells why in the words of every other failure.
    if (systemCodeOf(error) === '') throw error;
  }
  // The copy is ours alone: one of an older format can be brought to the newest.
  return openDatabase(bytes ?? state.database, { readOnly: bytes === null, busyMilliseconds });
};
