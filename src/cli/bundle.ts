import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Difference, NotJudged, VerifyReport } from '../../schemas/verification.ts';
import { schemaVersion } from '../../schemas/vocabulary.ts';
import { type Statement, statementOf } from '../controller/statement.ts';
import { bundleOf, verifyBundle } from '../controller/verifyBundle.ts';
import { verifyRun } from '../controller/verifyRun.ts';
import { writeBundle } from '../ledger/bundle.ts';
import { systemCodeOf } from '../ledger/errors.ts';
import { openLedger, openLedgerReadOnly } from '../ledger/sqlite/sqliteLedger.ts';
import type { StateDirectory } from '../ledger/stateDirectory.ts';
import { CommandError, type Terminal } from './terminal.ts';
import { reportOf } from './verifyReport.ts';

/** `telic export`, `telic import` and `telic verify FILE` (mcp-surface section 8; docs/ledger.md, bundles). */

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or directory',
  EEXIST: 'there is such a file already',
  EISDIR: 'it is a directory',
  EACCES: 'permission is denied',
  ENOSPC: 'the disk is full',
  ERR_FS_FILE_TOO_LARGE: 'it is too large',
};

const onFile = <T>(file: string, what: 'read' | 'written', work: () => T): T => {
  try {
    return work();
  } catch (error) {
    const code = systemCodeOf(error);
    if (code === '') throw error;
    throw new CommandError(`${file} cannot be ${what}: ${reasons[code] ?? `the system says ${code}`}.`);
  }
};

const told = ({ sequence, kind, expected, found }: Difference): string =>
  `${sequence === 0 ? '' : `event ${sequence}, `}${kind}: expected ${expected}, found ${found}`;

const whole = (what: string, differences: readonly Difference[]): void => {
  const [first] = differences;
  if (first) throw new CommandError(`${what} is not what was written (${told(first)}). See telic verify.`);
};

/** Verifies a bundle, without a ledger. @throws CommandError when the file cannot be read */
export const verifyFile = ({ cwd }: Terminal, file: string): VerifyReport => {
  const found = verifyBundle(onFile(file, 'read', () => readFileSync(resolve(cwd, file))));
  return { ...reportOf([found]), file, sha256: found.sha256 };
};

/** A run in one file, and what stands in it. */
export interface Exported {
  readonly runId: string;
  readonly bytes: Buffer;
  readonly sha256: string;
  readonly events: number;
  readonly artifacts: number;
  readonly trace: number;
  /** Null while the run has no final report. */
  readonly statement: Statement | null;
}

/**
 * Makes the bundle of a run. Both the run and the bundle are verified: a damaged run is not carried on.
 *
 * @throws CommandError when there is no such run, or it is not what was written
 */
export const exportRun = (state: StateDirectory, runId: string): Exported => {
  const ledger = openLedgerReadOnly(state);
  try {
    return ledger.together(() => {
      const stored = ledger.run(runId);
      const history = stored && ledger.history(runId);
      if (!stored || !history)
        throw new CommandError(`The ledger of this repository has no run ${runId}. See telic runs.`);
      whole(`Run ${runId}`, verifyRun(ledger, runId).differences);
      const bundle = bundleOf(ledger, history, stored.context.priorRunId);
      const bytes = writeBundle(bundle);
      const { differences, sha256, events, artifacts, trace } = verifyBundle(bytes);
      whole(`The bundle of run ${runId}`, differences);
      const statement = statementOf(bundle, ledger.artifacts(runId, 0), stored.context, sha256);
      return { runId, bytes, sha256, events, artifacts, trace, statement };
    });
  } finally {
    ledger.close();
  }
};

/** Writes a new file that its owner alone may read: a bundle holds what was read of the repository. */
export const writeNew = ({ cwd }: Terminal, file: string, content: Buffer | string): void =>
  onFile(file, 'written', () => writeFileSync(resolve(cwd, file), content, { flag: 'wx', mode: 0o600 }));

/** What `telic import` prints. */
export type Imported = Readonly<{
  runId: string;
  repositoryRoot: string;
  status: string;
  sha256: string;
  events: number;
  artifacts: number;
  trace: number;
  /** What nobody can execute again here: taken in as it stands. */
  notJudged: readonly NotJudged[];
}>;

/**
 * Takes the run of a bundle into the ledger: verified first, then everything in one transaction.
 *
 * @throws CommandError when the file is not what was exported, or of another schema version
 * @throws LedgerError `id_taken` when the ledger has or had a run of this id
 */
export const importBundle = (terminal: Terminal, state: StateDirectory, file: string): Imported => {
  const found = verifyBundle(onFile(file, 'read', () => readFileSync(resolve(terminal.cwd, file))));
  whole(file, found.differences);
  if (!found.bundle) throw new CommandError(`${file} is no bundle.`);
  const { history } = found.bundle;
  if (history.run.schemaVersion !== schemaVersion)
    throw new CommandError(
      `${file} holds a run of schema version ${history.run.schemaVersion}; this version of Telic reads ${schemaVersion}.`,
    );
  const { runId, sha256, events, artifacts, trace, notJudged } = found;
  const ledger = openLedger(state);
  try {
    ledger.admit(history);
    const stored = ledger.run(runId);
    if (!stored) throw new CommandError(`Run ${runId} was taken in and cannot be found.`);
    const { repositoryRoot, status } = stored.context;
    return { runId, repositoryRoot, status, sha256, events, artifacts, trace, notJudged };
  } finally {
    ledger.close();
  }
};
