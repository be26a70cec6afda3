import type { RunContext } from '../../machines/context.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { openLedger } from '../ledger/sqlite/sqliteLedger.ts';
import type { StateDirectory } from '../ledger/stateDirectory.ts';
import { trackActiveSession } from './activeSession.ts';
import type { Controller } from './api.ts';
import { createController } from './controller.ts';
import { systemClock, systemIds } from './sources.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The controller of a process that serves one repository, on the system's clock and ids and the SQLite ledger. Touches
 * nothing on disk before the first call.
 *
 * @param state where the ledger lies; a boundary breach should have been refused before (`checkStateDirectory`)
 * @param env reads `TELIC_BROKER_SCOPE`
 * @param complain told what went wrong beside the ledger, one line each
 * @param onMoved told of each run that a call started or raised to another version, once that is durable
 */
export const openController = (
  state: StateDirectory,
  env: Environment,
  complain: (why: string) => void,
  onMoved: (run: RunContext) => void = () => {},
): Controller => {
  const ledger = openLedger(state);
  const track = trackActiveSession(state.session, complain);
  return createController({
    ledger: () => ledger,
    clock: systemClock,
    ids: systemIds,
    repositoryRoot: state.repositoryRoot,
    excludedRoots: [state.path],
    brokerScope: env.TELIC_BROKER_SCOPE === 'action' ? 'action' : 'envelope',
    onMoved: (run) => {
      track(run);
      onMoved(run);
    },
    close: () => ledger.close(),
  });
};

/**
 * A controller over a ledger that is open already, for commands and hooks: it tells nobody that a run moved.
 *
 * @param brokerScope which permissions decide a check
 */
export const controllerOver = (
  ledger: Ledger,
  state: StateDirectory,
  brokerScope: 'envelope' | 'action' = 'envelope',
): Controller =>
  createController({
    ledger: () => ledger,
    clock: systemClock,
    ids: systemIds,
    repositoryRoot: state.repositoryRoot,
    excludedRoots: [state.path],
    brokerScope,
    close: () => ledger.close(),
  });
