import { dirname } from 'node:path';
import type { ActiveSession } from '../controller/activeSession.ts';
import { resolveRepositoryRoot } from '../grounding/root.ts';
import { LedgerError } from '../ledger/errors.ts';
import { locateStateDirectory, type StateDirectory, standsAt } from '../ledger/stateDirectory.ts';

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

const sessionIn = async (state: StateDirectory): Promise<Found<{ session: ActiveSession }>> => {
  if (standsAt(state, state.session) === null) return none('no run is active in this repository');
  const { readActiveSession } = await import('../controller/activeSession.ts');
  const session = readActiveSession(state.session);
  return session ? { ok: true, session } : none('the file of the active session cannot be read');
};

/**
 * Finds the session of the repository. The working directory of a host may be a folder of the repository: then the
 * nearest folder above that has a session of its own is the repository.
 *
 * @param repo what `--repo` says
 */
export const findSession = async (
  env: Environment,
  cwd: string,
  repo: string | null,
): Promise<Found<{ session: ActiveSession; state: StateDirectory }>> => {
  const named = repo ?? env.TELIC_REPOSITORY_ROOT ?? '';
  const found = resolveRepositoryRoot(named === '' ? env : { ...env, TELIC_REPOSITORY_ROOT: named }, cwd);
  if (!found.ok) return none('no repository is configured');
  let first: Readonly<{ ok: false; why: string }> | null = null;
  for (const root of named === '' ? upwards(found.root) : [found.root]) {
    const state = stateAt(env, root);
    if (state === null) return none('no place for the state is configured');
    const there = await sessionIn(state);
    if (there.ok && there.session.repositoryRoot === state.repositoryRoot)
      return { ok: true, session: there.session, state };
    first ??= there.ok ? none('the active run belongs to another repository') : there;
  }
  return first ?? none('no run is active in this repository');
};
