import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { z } from 'zod';
import type { StateDirectory } from '../../src/ledger/stateDirectory.ts';

/** Gives tests a copy of a recorded ledger. */

const folder = import.meta.dirname;

const Facts = z.object({ root: z.string(), runs: z.record(z.string(), z.string()) });

export interface RecordedLedger {
  readonly name: string;
  readonly format: number;
  readonly machine: string;
  /** The repository that the runs are about; nothing stands there. */
  readonly root: string;
  /** The id of a run by its name. */
  run(name: string): string;
  readonly runs: readonly string[];
}

/** Every recorded ledger, by its file. */
export const recordedLedgers: readonly RecordedLedger[] = readdirSync(folder)
  .map((file) => /^(format(\d+)-machine(.+))\.sqlite3\.gz$/.exec(file))
  .flatMap((match) => (match === null ? [] : [match]))
  .map(([, name = '', format = '', machine = '']) => {
    const { root, runs } = Facts.parse(JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')));
    const run = (wanted: string): string => {
      const id = runs[wanted];
      if (id === undefined) throw new Error(`${name} holds no run ${wanted}.`);
      return id;
    };
    return { name, format: Number(format), machine, root, run, runs: Object.values(runs) };
  });

/** Puts a copy into a state directory; the state is then about the recorded repository. */
export const unpack = ({ name, root }: RecordedLedger, state: StateDirectory): StateDirectory => {
  mkdirSync(state.path, { mode: 0o700 });
  writeFileSync(state.database, gunzipSync(readFileSync(join(folder, `${name}.sqlite3.gz`))), { mode: 0o600 });
  return { ...state, repositoryRoot: root };
};
