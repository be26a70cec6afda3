import { createHash } from 'node:crypto';
import { lstatSync, realpathSync, type Stats } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { LedgerError, systemCodeOf } from './errors.ts';

/** Where the state of one repository lives (mcp-surface section 6). Nothing here says that it exists. */
export interface StateDirectory {
  /** Absolute. */
  readonly path: string;
  /** `ledger.sqlite3` in it. */
  readonly database: string;
  /** `active-session.json` in it. */
  readonly session: string;
  /** The real path of the repository that it belongs to. */
  readonly repositoryRoot: string;
  /** The variable that decided the place, named in every complaint about it. */
  readonly variable: 'TELIC_STATE_DIR' | 'XDG_STATE_HOME' | 'HOME';
  /** Whether a file system that cannot keep private modes is put up with (`TELIC_STATE_LOOSE_MODES=1`). */
  readonly looseModes: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** An empty value counts as missing. */
const given = (value: string | undefined): string | null => (value === undefined || value === '' ? null : value);

/** A server takes its environment along from its start: a variable that is set later does not reach it. */
const moveIt =
  'set TELIC_STATE_DIR to a directory of your own outside the repository and start the server again, which reads it at its start alone.';

/** The state directory cannot be used now; the call may succeed once what the message says is mended. */
export const unavailable = (
  state: Pick<StateDirectory, 'path' | 'variable'>,
  what: string,
  cause?: unknown,
): LedgerError =>
  new LedgerError(
    'state_unavailable',
    `The state directory ${state.path} (from ${state.variable}) cannot be used: ${what}.`,
    [`Mend the directory and call again, no restart is needed; or ${moveIt}`],
    { cause },
  );

/** The configuration breaks a boundary: state inside, around or linked (admission COM-18). */
const breach = (state: StateDirectory, what: string): LedgerError =>
  new LedgerError('invalid_arguments', `The state directory ${state.path} (from ${state.variable}) ${what}.`, [
    `Set TELIC_STATE_DIR to a real directory outside the repository ${state.repositoryRoot} that does not contain it either.`,
  ]);

/**
 * Finds the state directory: `TELIC_STATE_DIR` as it is, else
 * `<XDG_STATE_HOME or HOME/.local/state>/telic/repositories/<24 hex>`, the hex being the beginning of the SHA-256 of the
 * repository's real path. A relative `XDG_STATE_HOME` is ignored. Touches nothing but the repository's own path.
 *
 * @param env the process environment
 * @param repositoryRoot an existing directory; its real path is taken
 * @throws LedgerError `state_unavailable` when no variable leads anywhere (traps T18)
 */
export const locateStateDirectory = (env: Environment, repositoryRoot: string): StateDirectory => {
  const root = realpathSync.native(repositoryRoot);
  const at = (path: string, variable: StateDirectory['variable']): StateDirectory => ({
    path,
    database: join(path, 'ledger.sqlite3'),
    session: join(path, 'active-session.json'),
    repositoryRoot: root,
    variable,
    looseModes: env.TELIC_STATE_LOOSE_MODES === '1',
  });

  const explicit = given(env.TELIC_STATE_DIR);
  if (explicit !== null) return at(resolve(explicit), 'TELIC_STATE_DIR');

  const own = join('telic', 'repositories', createHash('sha256').update(root, 'utf8').digest('hex').slice(0, 24));
  const base = given(env.XDG_STATE_HOME);
  if (base !== null && isAbsolute(base)) return at(join(base, own), 'XDG_STATE_HOME');
  const home = given(env.HOME);
  if (home !== null && isAbsolute(home)) return at(join(home, '.local', 'state', own), 'HOME');
  throw new LedgerError(
    'state_unavailable',
    'There is no place for the state: TELIC_STATE_DIR and XDG_STATE_HOME are not set, and HOME names no absolute directory.',
    [`In the configuration of the server, ${moveIt}`, 'Or set HOME there, and start the server again.'],
  );
};

/** What stands at a path, links not followed; null when nothing does. */
export const standsAt = (state: StateDirectory, path: string): Stats | null => {
  try {
    return lstatSync(path);
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return null;
    if (systemCodeOf(error) === 'ENOTDIR') throw unavailable(state, 'a part of its path is not a directory', error);
    throw unavailable(state, `${path} cannot be looked at (${systemCodeOf(error)})`, error);
  }
};

/** The path with its longest existing beginning resolved. */
const canonical = (state: StateDirectory, path: string): string => {
  const missing: string[] = [];
  for (let at = path; ; at = dirname(at)) {
    // Looked at first: a link that leads nowhere must not count as something that can still be made.
    if (standsAt(state, at) !== null || dirname(at) === at) {
      try {
        return join(realpathSync.native(at), ...missing);
      } catch (error) {
        throw unavailable(state, `${at} leads nowhere (${systemCodeOf(error)})`, error);
      }
    }
    missing.unshift(relative(dirname(at), at));
  }
};

const isWithin = (inner: string, outer: string): boolean => {
  const path = relative(outer, inner);
  return path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path);
};

const checkApart = (state: StateDirectory, path: string): void => {
  if (isWithin(path, state.repositoryRoot))
    throw breach(
      state,
      `is inside the repository ${state.repositoryRoot}; run state must stay out of the working tree`,
    );
  if (isWithin(state.repositoryRoot, path))
    throw breach(state, `contains the repository ${state.repositoryRoot}; the two must be apart`);
};

/** The files that SQLite keeps beside the database, and the session file: what we read or write by name. */
const filesOf = (state: StateDirectory): readonly string[] => [
  state.database,
  `${state.database}-wal`,
  `${state.database}-shm`,
  state.session,
];

/** The current user's id; undefined where the system knows none. */
const currentUser = (): number | undefined => process.geteuid?.();

const checkOwner = (state: StateDirectory, path: string, stats: Stats): void => {
  const user = currentUser();
  if (user !== undefined && stats.uid !== user)
    throw unavailable(state, `${path} belongs to user ${stats.uid}, this process runs as user ${user}`);
};

/**
 * Checks every rule of the state directory that can be checked without changing the disk; a directory that does not
 * exist yet passes (mcp-surface section 6).
 *
 * @returns whether the directory and its database exist
 * @throws LedgerError `invalid_arguments` for a broken boundary, which a server must not start with; `state_unavailable`
 *   for everything that only the calls should report
 */
export const checkStateDirectory = (state: StateDirectory): Readonly<{ exists: boolean; hasLedger: boolean }> => {
  checkApart(state, state.path);
  const stats = standsAt(state, state.path);
  if (stats?.isSymbolicLink()) throw breach(state, 'is a link; the directory itself must be named');
  checkApart(state, canonical(state, state.path));
  if (stats === null) return { exists: false, hasLedger: false };
  if (!stats.isDirectory()) throw unavailable(state, 'it is not a directory');
  checkOwner(state, state.path, stats);

  let hasLedger = false;
  for (const path of filesOf(state)) {
    const file = standsAt(state, path);
    if (file === null) continue;
    if (file.isSymbolicLink()) throw breach(state, `holds a link in place of ${relative(state.path, path)}`);
    if (!file.isFile()) throw unavailable(state, `${relative(state.path, path)} is not a regular file`);
    checkOwner(state, path, file);
    if (path === state.database) hasLedger = true;
  }
  return { exists: true, hasLedger };
};
