import { accessSync, constants, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { systemCodeOf } from '../../ledger/errors.ts';
import { type StateDirectory, standsAt } from '../../ledger/stateDirectory.ts';
import { type Check, verdict } from './verdict.ts';

/** What the state directory can be used for; looked at without changing it (mcp-surface section 6). */

export type SpaceCheck = Check & Readonly<{ freeBytes: number | null }>;
export type PrivacyCheck = Check & Readonly<{ directory: string | null; database: string | null }>;

/** A body has up to 2 MiB and goes to the log and then to the ledger: with less, a run may stop in the middle. */
const leastFree = 64 * 1024 * 1024;

/** @param freeBytes what an ordinary user may still write there */
export const spaceVerdict = (freeBytes: number): SpaceCheck => ({
  ...verdict(
    freeBytes < leastFree
      ? `Free some space on the disk of the state directory, or set TELIC_STATE_DIR to another disk: ${freeBytes} bytes are left, ${leastFree} are needed.`
      : null,
  ),
  freeBytes,
});

/** The directory itself, or the nearest one above it that exists. */
const standing = (state: StateDirectory): string => {
  let path = state.path;
  while (standsAt(state, path) === null && dirname(path) !== path) path = dirname(path);
  return path;
};

export const spaceCheck = (state: StateDirectory): SpaceCheck => {
  const { bavail, bsize } = statfsSync(standing(state));
  return spaceVerdict(bavail * bsize);
};

const refusal = (path: string, mode: number): string | null => {
  try {
    accessSync(path, mode);
    return null;
  } catch (error) {
    return `${path} cannot be written (${systemCodeOf(error)}).`;
  }
};

/** Whether a run could be recorded: asked of the system, nothing is written. */
export const writableCheck = (state: StateDirectory): Check => {
  const { R_OK, W_OK, X_OK } = constants;
  const refused =
    refusal(standing(state), W_OK | X_OK) ??
    (standsAt(state, state.database) === null ? null : refusal(state.database, R_OK | W_OK));
  return verdict(refused && `${refused} Give yourself the right to write there, or set TELIC_STATE_DIR.`);
};

const others = 0o077;

/** Whether other users are kept out; what is not there yet will be made private. */
export const privacyCheck = (state: StateDirectory): PrivacyCheck => {
  const modes = [state.path, state.database].map((path) => {
    const stats = standsAt(state, path);
    return stats === null || process.platform === 'win32' ? null : stats.mode & 0o777;
  });
  const [directory, database] = modes.map((mode) => (mode === null ? null : `0${mode.toString(8).padStart(3, '0')}`));
  const open = !state.looseModes && modes.some((mode) => mode !== null && (mode & others) !== 0);
  return {
    ...verdict(
      open ? `Run chmod -R go= ${state.path}: other users can get at it. The server does so when it opens it.` : null,
    ),
    directory: directory ?? null,
    database: database ?? null,
  };
};
