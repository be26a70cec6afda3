import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { openLedger } from '../../src/ledger/sqlite/sqliteLedger.ts';
import { locateStateDirectory, type StateDirectory } from '../../src/ledger/stateDirectory.ts';
import { commitOf, draftOf, messageOf } from './samples.ts';

/** A folder that is gone when the test is over. */
export const temporaryFolder = (): string => {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'telic-ledger-')));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
};

/** A repository and the state directory beside it, neither of which holds anything yet. */
export const newState = (): StateDirectory => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'repository'));
  return locateStateDirectory({ TELIC_STATE_DIR: join(folder, 'state') }, join(folder, 'repository'));
};

/** A ledger that is closed when the test is over. */
export const newLedger = (state: StateDirectory = newState()): Ledger => {
  const ledger = openLedger(state);
  onTestFinished(() => ledger.close());
  return ledger;
};

/** A ledger with one run of three events: start, a submission, a refusal. */
export const ledgerWithRun = (state: StateDirectory, runId = 'run-1'): Ledger => {
  const ledger = newLedger(state);
  ledger.commit(commitOf(runId, 0, { artifacts: [messageOf(runId, 'request-01')], trace: [draftOf('run_started')] }));
  ledger.commit(commitOf(runId, 1, { artifacts: [messageOf(runId, 'answer-01'), messageOf(runId, 'answer-02')] }));
  ledger.commit(commitOf(runId, 2, { version: 2, trace: [draftOf('transition_denied')] }));
  return ledger;
};
