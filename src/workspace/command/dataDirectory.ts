import { isAbsolute, join, resolve } from 'node:path';
import { CommandError, type Terminal } from './terminal.ts';

/** An empty value counts as missing. */
const given = (value: string | undefined): string | null => (value === undefined || value === '' ? null : value);

/**
 * Where the workspaces of an account live: `--data`, else `TELIC_WORKSPACE_DATA`, else
 * `<XDG_DATA_HOME or HOME/.local/share>/telic/workspaces`. A relative `XDG_DATA_HOME` is ignored. Touches nothing.
 *
 * @throws CommandError when none of them leads anywhere
 */
export const dataDirectory = ({ env, cwd }: Pick<Terminal, 'env' | 'cwd'>, option: string | undefined): string => {
  const explicit = given(option) ?? given(env.TELIC_WORKSPACE_DATA);
  if (explicit !== null) return resolve(cwd, explicit);
  const own = join('telic', 'workspaces');
  const base = given(env.XDG_DATA_HOME);
  if (base !== null && isAbsolute(base)) return join(base, own);
  const home = given(env.HOME);
  if (home !== null && isAbsolute(home)) return join(home, '.local', 'share', own);
  throw new CommandError(
    'There is no place for the data: name a directory with --data, or set TELIC_WORKSPACE_DATA, XDG_DATA_HOME or HOME.',
  );
};
