import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { VerifyReport } from '../../schemas/verification.ts';
import { type Verification, verifyRun } from '../controller/verifyRun.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { openLedgerReadOnly } from '../ledger/sqlite/sqliteLedger.ts';
import { stateOf } from './repository.ts';
import { CommandError, type Terminal } from './terminal.ts';
import { reportOf } from './verifyReport.ts';

/** `telic verify [RUN_ID | FILE]` (mcp-surface section 8, docs/ledger.md). The ledger is opened for reading alone. */

function* everyRun(ledger: Ledger): Generator<Verification> {
  for (const runId of ledger.runIds()) yield verifyRun(ledger, runId);
}

function* oneRun(ledger: Ledger, runId: string): Generator<Verification> {
  if (ledger.head(runId) === 0 && !ledger.runIds().includes(runId))
    throw new CommandError(`The ledger of this repository has no run ${runId}. See telic runs.`);
  yield verifyRun(ledger, runId);
}

/**
 * Verifies a run, every run of the ledger, or a bundle.
 *
 * @param what the id of a run, the path of a bundle, or nothing for every run
 */
export const verify = async (
  terminal: Terminal,
  repo: string | undefined,
  what: string | undefined,
): Promise<VerifyReport> => {
  if (what !== undefined && isBundle(terminal, what)) return (await import('./bundle.ts')).verifyFile(terminal, what);
  const ledger = openLedgerReadOnly(stateOf(terminal, repo));
  try {
    return reportOf(what === undefined ? everyRun(ledger) : oneRun(ledger, what));
  } finally {
    ledger.close();
  }
};

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The ids of runs are UUIDs: anything else that is a file is a bundle. */
const isBundle = ({ cwd }: Terminal, what: string): boolean =>
  !uuid.test(what) && (statSync(resolve(cwd, what), { throwIfNoEntry: false })?.isFile() ?? false);
