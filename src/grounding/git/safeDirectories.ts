import { captureCommand, type Environment, findProgram, programDirectories } from './command.ts';
import { commandMilliseconds, type Git } from './git.ts';

/** Where Git looks for the settings of the user and of the machine. */
const places = ['HOME', 'XDG_CONFIG_HOME', 'GIT_CONFIG_GLOBAL', 'GIT_CONFIG_SYSTEM', 'GIT_CONFIG_NOSYSTEM'] as const;
/** Not that of a repository, should the root of the file system be one. */
const trustedScopes: ReadonlySet<string> = new Set(['system', 'global']);

/**
 * Git as its user lets it work in a repository of another owner: with the directories that the settings of the user and
 * of the machine call safe (`safe.directory`), and with nothing else of them. Takes Git bound to the root (real path);
 * null where those settings name none. Whether the root is among them Git judges itself; before 2.38 it takes none from
 * a command line. Throws only the reason of an aborted signal. Rule: grounding section 13.7.
 */
export async function withSafeDirectories(
  git: Git,
  {
    root,
    env,
    signal,
  }: { readonly root: string; readonly env: Environment; readonly signal?: AbortSignal | undefined },
): Promise<Git | null> {
  const directories = programDirectories(env, root);
  const program = findProgram('git', directories, root);
  if (program === null) return null;
  const named = places.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]]));
  const { end, output } = await captureCommand({
    program,
    // All places at once, as Git itself reads them: asked for one, it leaves out what that includes, and one of two
    // files.
    args: ['config', '--show-scope', '-z', '--type=path', '--get-all', 'safe.directory'],
    // Outside of every repository, whose configuration has no say in this.
    cwd: '/',
    env: { ...Object.fromEntries(named), PATH: directories.join(':'), LC_ALL: 'C' },
    milliseconds: commandMilliseconds,
    signal,
  });
  const fields = end.kind === 'exited' && end.status === 0 ? output.toString('utf8').split('\0').slice(0, -1) : [];
  // In this order, for an empty one takes back all before it.
  const safe = fields.filter((_, index) => index % 2 === 1 && trustedScopes.has(fields[index - 1] ?? ''));
  if (safe.length === 0) return null;
  const settings = safe.flatMap((directory) => ['-c', `safe.directory=${directory}`]);
  return {
    capture: (args) => git.capture([...settings, ...args]),
    stream: (args, onOutput, limits) => git.stream([...settings, ...args], onOutput, limits),
  };
}
