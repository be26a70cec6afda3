import { dirname } from 'node:path';
import { actionIdOf } from '../../machines/context.ts';
import { type ActiveSession, readActiveSession } from '../controller/activeSession.ts';
import { resolveRepositoryRoot } from '../grounding/root.ts';
import { LedgerError } from '../ledger/errors.ts';
import type { StoredRun } from '../ledger/ledger.ts';
import { checkStateDirectory, locateStateDirectory, type StateDirectory, standsAt } from '../ledger/stateDirectory.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The run that a call is judged by, or why there is none. */
export type Found<T> = (Readonly<{ ok: true }> & T) | Readonly<{ ok: false; why: string }>;

const none = (why: string): Readonly<{ ok: false; why: string }> => ({ ok: false, why });

/** The directories from a path up to the root of the file system. */
const upwards = (path: string): readonly string[] => {
  const above = dirname(path);
  return above === path ? [path] : [path, ...upwards(above)];
};

const stateAt = (env: Environment, root: string): StateDirectory | null => {
  try {
    return locateStateDirectory(env, root);
  } catch (error) {
    // No variable says where the state is, so no server has any.
    if (error instanceof LedgerError && error.code === 'state_unavailable') return null;
    throw error;
  }
};

const sessionIn = (state: StateDirectory): Found<{ session: ActiveSession }> => {
  if (standsAt(state, state.session) === null) return none('no run is active in this repository');
  const session = readActiveSession(state.session);
  return session ? { ok: true, session } : none('the file of the active session cannot be read');
};

/**
 * Finds the session of the repository. The working directory of a host may be a folder of the repository: then the
 * nearest folder above that has a session of its own is the repository.
 *
 * @param repo what `--repo` says
 */
export const findSession = (
  env: Environment,
  cwd: string,
  repo: string | null,
): Found<{ session: ActiveSession; state: StateDirectory }> => {
  const named = repo ?? env.TELIC_REPOSITORY_ROOT ?? '';
  const found = resolveRepositoryRoot(named === '' ? env : { ...env, TELIC_REPOSITORY_ROOT: named }, cwd);
  if (!found.ok) return none('no repository is configured');
  let first: Readonly<{ ok: false; why: string }> | null = null;
  for (const root of named === '' ? upwards(found.root) : [found.root]) {
    const state = stateAt(env, root);
    if (state === null) return none('no place for the state is configured');
    const there = sessionIn(state);
    if (there.ok && there.session.repositoryRoot === state.repositoryRoot)
      return { ok: true, session: there.session, state };
    first ??= there.ok ? none('the active run belongs to another repository') : there;
  }
  return first ?? none('no run is active in this repository');
};

/**
 * Why a session points at nothing that is running now; null when it does. The file only points: what the ledger says
 * of the run decides.
 */
export const outdated = (session: ActiveSession, state: StateDirectory, run: StoredRun | null): string | null => {
  if (run === null) return 'the active run is not in the ledger';
  const { context } = run;
  if (context.repositoryRoot !== state.repositoryRoot) return 'the active run belongs to another repository';
  if (context.status !== 'running') return 'the active run is paused or has ended';
  if (context.version !== session.runVersion || actionIdOf(context) !== session.actionId)
    return 'the file of the active session names another version of the run';
  return null;
};

/** Whether the state directory of a session has a ledger. @throws LedgerError when it breaks a boundary */
export const hasLedger = (state: StateDirectory): boolean => checkStateDirectory(state).hasLedger;
