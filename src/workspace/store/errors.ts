import { systemCodeOf } from '../../ledger/errors.ts';

/**
 * What is wrong with a data directory or with what a command asked of it.
 *
 * - `unavailable`: the directory or the database cannot be used; the message says why.
 * - `foreign`: the file is a database of something else.
 * - `newer`: a newer version wrote it, and this one would not know what it does.
 * - `held`: another process serves this directory; `address` is where.
 * - `invalid_name`, `taken`, `unknown`: a name that cannot be, is already, or is not there.
 */
export type StoreErrorCode = 'unavailable' | 'foreign' | 'newer' | 'held' | 'invalid_name' | 'taken' | 'unknown';

/** Why a store cannot be opened or a command cannot be done; for commands, never put into answers of the wire. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly code: StoreErrorCode;
  /** Of `held`: where the first process serves; null when it has not told yet. */
  readonly address: string | null;

  constructor(
    code: StoreErrorCode,
    message: string,
    about: Readonly<{ address?: string | null; cause?: unknown }> = {},
  ) {
    super(message, about.cause === undefined ? undefined : { cause: about.cause });
    this.code = code;
    this.address = about.address ?? null;
  }
}

/** Whether the database takes nothing now, whoever writes: its disk is full, failing or only to be read, or another process has it. */
export const takesNothing = (error: unknown): boolean =>
  /^SQLITE_(?:FULL|READONLY|IOERR|BUSY|CANTOPEN)/.test(systemCodeOf(error));
