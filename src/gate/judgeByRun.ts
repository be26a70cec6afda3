import { isAbsolute } from 'node:path';
import { actionIdOf } from '../../machines/context.ts';
import type { BrokerDecision } from '../../machines/permissions/brokerDecision.ts';
import type { CallRequest } from '../../machines/permissions/hostCall.ts';
import type { ActiveSession } from '../controller/activeSession.ts';
import { controllerOver } from '../controller/openController.ts';
import { TelicError } from '../controller/telicError.ts';
import type { Ledger, StoredRun } from '../ledger/ledger.ts';
import { openLedger } from '../ledger/sqlite/sqliteLedger.ts';
import { checkStateDirectory, type StateDirectory } from '../ledger/stateDirectory.ts';
import { resolveTarget } from '../targets/resolveTarget.ts';
import { noteCall } from './calls.ts';
import { type Asked, refused, type Verdict, withoutRun } from './verdict.ts';

/** A writer is waited for this long, so that the answer still comes before the deadline. */
const busyMilliseconds = 250;

const denial = ({ capability }: CallRequest, runId: string, decision: BrokerDecision): Verdict =>
  refused(
    `Telic refuses ${capability} (${decision.reasonCode}, ${decision.detailCode}, run ${runId}): ${decision.summary} ` +
      'Call telic_get_next_action and keep to its effectivePermissions.',
  );

/** A relative path means a file below the host's working directory. */
const located = ({ capability, target }: CallRequest, hostDirectory: string | null): string | undefined =>
  target !== undefined && hostDirectory !== null && capability.startsWith('repository.') && !isAbsolute(target)
    ? `${hostDirectory}/${target}`
    : target;

const isElsewhere = ({ directory }: CallRequest, root: string, hostDirectory: string | null): boolean =>
  directory !== undefined &&
  !resolveTarget(root, isAbsolute(directory) ? directory : `${hostDirectory ?? root}/${directory}`).ok;

const judgeBy = async (
  ledger: Ledger,
  state: StateDirectory,
  asked: Asked,
  token: Readonly<{ runId: string; actionId: string; expectedVersion: number }>,
): Promise<Verdict> => {
  const controller = controllerOver(ledger, state, asked.strict ? 'action' : 'envelope');
  for (const request of asked.requests) {
    const { capability } = request;
    if (isElsewhere(request, state.repositoryRoot, asked.hostDirectory))
      return refused(
        `Telic refuses ${capability}: the command would run outside of the repository (run ${token.runId}).`,
      );
    const target = located(request, asked.hostDirectory);
    const { decision } = await controller.check({ ...token, capability, target });
    if (!decision.allowed) return denial(request, token.runId, decision);
  }
  return { allowed: true, reason: '' };
};

/**
 * Why a session points at nothing that is running now; null when it does. The file only points: what the ledger says
 * of the run decides.
 */
const outdated = (session: ActiveSession, state: StateDirectory, run: StoredRun | null): string | null => {
  if (run === null) return 'the active run is not in the ledger';
  const { context } = run;
  if (context.repositoryRoot !== state.repositoryRoot) return 'the active run belongs to another repository';
  if (context.status !== 'running') return 'the active run is paused or has ended';
  if (context.version !== session.runVersion || actionIdOf(context) !== session.actionId)
    return 'the file of the active session names another version of the run';
  return null;
};

/**
 * Judges a native tool call by the run of a session: every request must be allowed, the first that is not refuses the
 * call. Each request that is judged leaves its `broker_decision` in the ledger (permissions sections 9 and 10).
 *
 * @throws TelicError, LedgerError when the run of a valid session cannot be asked, which is no permission in any mode
 */
export const judgeByRun = async (session: ActiveSession, state: StateDirectory, asked: Asked): Promise<Verdict> => {
  const { strict } = asked;
  noteCall(state, asked.host);
  if (!checkStateDirectory(state).hasLedger) return withoutRun(strict, 'the active session has no ledger');
  const ledger = openLedger(state, busyMilliseconds);
  try {
    const { runId, actionId, runVersion } = session;
    const why = outdated(session, state, ledger.run(runId));
    if (why !== null) return withoutRun(strict, why);
    return await judgeBy(ledger, state, asked, { runId, actionId, expectedVersion: runVersion });
  } catch (error) {
    if (!(error instanceof TelicError) || error.failure.code !== 'stale_version') throw error;
    return withoutRun(strict, 'the run moved on while the call was judged');
  } finally {
    ledger.close();
  }
};
