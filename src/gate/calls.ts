import { closeSync, constants, lstatSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { Ts } from '../../schemas/primitives.ts';
import { schemaVersion } from '../../schemas/vocabulary.ts';
import { systemClock } from '../controller/sources.ts';
import { systemCodeOf } from '../ledger/errors.ts';
import type { StateDirectory } from '../ledger/stateDirectory.ts';

/**
 * When each host last asked the gate of a repository: `gate-calls.json` beside the session file. It decides nothing; the
 * doctor tells by it whether a hook that is configured is really run (hosts, requirement 11).
 */
const Calls = z.strictObject({ schemaVersion: z.literal(schemaVersion), hosts: z.record(z.string(), Ts) });

export type HostCalls = Readonly<Record<string, string>>;

const fileOf = (state: StateDirectory): string => join(state.path, 'gate-calls.json');

/** The time of the last call by host; empty when there was none, or none can be read. */
export const readCalls = (state: StateDirectory): HostCalls => {
  try {
    if (!lstatSync(fileOf(state)).isFile()) return {};
    return Calls.parse(JSON.parse(readFileSync(fileOf(state), 'utf8'))).hosts;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError || systemCodeOf(error) !== '') return {};
    throw error;
  }
};

/** Notes a call. The last writer wins, and a note that cannot be written is only missed by the doctor. */
export const noteCall = (state: StateDirectory, host: string): void => {
  const temporary = `${fileOf(state)}.${process.pid}`;
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  try {
    const hosts = { ...readCalls(state), [host]: systemClock.now() };
    rmSync(temporary, { force: true });
    const file = openSync(temporary, flags, 0o600);
    try {
      writeSync(file, `${JSON.stringify({ schemaVersion, hosts })}\n`);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, fileOf(state));
  } catch (error) {
    if (systemCodeOf(error) === '') throw error;
  }
};
