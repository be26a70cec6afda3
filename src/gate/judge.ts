import { findSession } from './session.ts';
import { type Asked, type Verdict, withoutRun } from './verdict.ts';

/**
 * Judges a native tool call by the active run of the repository. What that takes is loaded only where a run is active: a
 * gate of the user is asked in every folder.
 *
 * @throws TelicError, LedgerError as `judgeByRun`
 */
export const judge = async (asked: Asked): Promise<Verdict> => {
  const found = await findSession(asked.env, asked.cwd, asked.repo);
  if (!found.ok) return withoutRun(asked.strict, found.why);
  const { judgeByRun } = await import('./judgeByRun.ts');
  return judgeByRun(found.session, found.state, asked);
};
