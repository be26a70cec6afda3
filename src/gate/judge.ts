import { isAbsolute } from 'node:path';
import type { BrokerDecision } from '../../machines/permissions/brokerDecision.ts';
import type { CallRequest } from '../../machines/permissions/hostCall.ts';
import { createController } from '../controller/controller.ts';
import { systemClock, systemIds } from '../controller/sources.ts';
import { TelicError } from '../controller/telicError.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { openLedger } from '../ledger/sqlite/sqliteLedger.ts';
import type { StateDirectory } from '../ledger/stateDirectory.ts';
import { resolveTarget } from '../targets/resolveTarget.ts';
import { noteCall } from './calls.ts';
import { findSession, hasLedger, outdated } from './session.ts';

/** What the gate asks of the run. */
export interface Asked {
  readonly requests: readonly CallRequest[];
  /** In action scope, and a refusal wherever no run can say. */
  readonly strict: boolean;
  /** The working directory of this process, absolute. */
  readonly cwd: string;
  /** The host's own, if it told one: relative paths are relative to it. */
  readonly hostDirectory: string | null;
  readonly repo: string | null;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Who asks, as it is noted for the doctor. */
  readonly host: string;
}

export interface Verdict {
  readonly allowed: boolean;
  /** For the model and the log: capability, reason and run, no text of the call. */
  readonly reason: string;
}

/** A writer is waited for this long, so that the answer still comes before the deadline. */
const busyMilliseconds = 250;

const refused = (reason: string): Verdict => ({ allowed: false, reason });

/** Without a run to ask, a strict gate refuses and another lets the call through, saying why. */
const withoutRun = (strict: boolean, why: string): Verdict =>
  strict
    ? refused(
        `Telic refuses this call: ${why}. Start a run with telic_start_run, or go on with the run that is there, and call again.`,
      )
    : { allowed: true, reason: `Telic did not check this call: ${why}.` };

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
  const controller = createController({
    ledger: () => ledger,
    clock: systemClock,
    ids: systemIds,
    repositoryRoot: state.repositoryRoot,
    excludedRoots: [state.path],
    brokerScope: asked.strict ? 'action' : 'envelope',
    close: () => ledger.close(),
  });
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
 * Judges a native tool call by the active run: every request must be allowed, the first that is not refuses the call.
 * Each request that is judged leaves its `broker_decision` in the ledger (permissions sections 9 and 10).
 *
 * @throws TelicError, LedgerError when the run of a valid session cannot be asked, which is no permission in any mode
 */
export const judge = async (asked: Asked): Promise<Verdict> => {
  const { strict, env, cwd, repo } = asked;
  const found = findSession(env, cwd, repo);
  if (!found.ok) return withoutRun(strict, found.why);
  const { session, state } = found;
  noteCall(state, asked.host);
  if (!hasLedger(state)) return withoutRun(strict, 'the active session has no ledger');
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
