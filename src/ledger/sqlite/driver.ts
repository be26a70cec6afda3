import { createRequire } from 'node:module';
import type Sqlite from 'better-sqlite3';
import { LedgerError, systemCodeOf } from '../errors.ts';

export type Database = Sqlite.Database;

/** The Node releases of the module versions that a stale build is likely to have. */
const releases: Readonly<Record<string, string>> = {
  '108': 'Node 18',
  '115': 'Node 20',
  '127': 'Node 22',
  '131': 'Node 23',
  '137': 'Node 24',
  '141': 'Node 25',
};

const nodeOf = (moduleVersion: string): string =>
  releases[moduleVersion]
    ? `${releases[moduleVersion]} (module version ${moduleVersion})`
    : `module version ${moduleVersion}`;

/**
 * Says in one line why the native SQLite module cannot be loaded and which command mends it (traps T19); null when the
 * error is about something else.
 */
export const explainLoadFailure = (error: unknown): LedgerError | null => {
  if (!(error instanceof Error)) return null;
  const rebuild =
    'Run `npm rebuild better-sqlite3` in the folder where telic is installed, with the Node that runs it.';
  const running = `Node ${process.versions.node} (module version ${process.versions.modules})`;
  const failed = (what: string): LedgerError =>
    new LedgerError('state_unavailable', `${what} ${rebuild}`, [`${rebuild} Then start the server again.`], {
      cause: error,
    });

  const built = /NODE_MODULE_VERSION (\d+)/.exec(error.message)?.[1];
  if (built !== undefined) return failed(`The SQLite module was built for ${nodeOf(built)}, but this is ${running}.`);
  if (systemCodeOf(error) === 'ERR_DLOPEN_FAILED')
    return failed(`The SQLite module cannot be loaded by ${running} on ${process.platform}-${process.arch}.`);
  if (systemCodeOf(error) === 'MODULE_NOT_FOUND' || error.message.startsWith('Could not locate the bindings file'))
    return failed(`The SQLite module is not built for ${running}.`);
  return null;
};

/**
 * Opens a database file that exists, or the bytes of one. The native module is loaded here and not at import, so that
 * a server answers `initialize` before it.
 *
 * @param database the path, or the whole content of a database, which is then held in memory
 * @param load where the module is looked up from
 * @throws LedgerError `state_unavailable` when the module cannot be loaded; the driver's own error when the file cannot
 *   be opened
 */
export const openDatabase = (
  database: string | Buffer,
  options: Readonly<{ readOnly: boolean; busyMilliseconds: number }>,
  load: (id: string) => typeof Sqlite = createRequire(import.meta.url),
): Database => {
  try {
    const Driver = load('better-sqlite3');
    return new Driver(database, { fileMustExist: true, readonly: options.readOnly, timeout: options.busyMilliseconds });
  } catch (error) {
    throw explainLoadFailure(error) ?? error;
  }
};
