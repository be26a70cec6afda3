import {
  type CommandEnd,
  captureCommand,
  type Environment,
  findProgram,
  programDirectories,
  runCommand,
} from './command.ts';

export interface StreamLimits {
  /** Where less than the usual time is left. */
  readonly milliseconds?: number | undefined;
  /** Ends the command once enough of its output was taken. */
  readonly enough?: AbortSignal | undefined;
}

/** Git, bound to one repository root, unable to run any other program or to write. */
export interface Git {
  /** The whole output of a command that answers in a few lines. */
  capture(args: readonly string[]): Promise<{ readonly end: CommandEnd; readonly output: Buffer }>;
  /** The output as it comes. */
  stream(args: readonly string[], onOutput: (chunk: Buffer) => void, limits?: StreamLimits): Promise<CommandEnd>;
}

/** Ten seconds: longer than Git needs for a million files, shorter than the patience of a host. */
export const commandMilliseconds = 10_000;

/**
 * Settings that repository configuration may carry and that name programs (trap T25) or reach the network: each is
 * overruled by the command line, which wins over every file.
 */
const neutralSettings = [
  'core.fsmonitor=false',
  'core.hooksPath=/dev/null',
  'diff.external=',
  'core.sshCommand=',
  'core.pager=cat',
  'core.askPass=',
  'core.alternateRefsCommand=',
  'credential.helper=',
  'protocol.allow=never',
  'status.submoduleSummary=false',
  'submodule.recurse=false',
  'log.showSignature=false',
  // One that is not there would end the status.
  'diff.orderFile=/dev/null',
];

const settingValues = { TELIC_SETTING_EMPTY: '', TELIC_SETTING_FALSE: 'false' };

/**
 * The arguments that overrule one setting: emptied, or false. On the command line the first equals sign would end the
 * key, so that a key which has one takes its value from the environment; a Git that cannot do so (before 2.31) ends.
 */
export function overrule(key: string, value: '' | 'false'): readonly string[] {
  if (!key.includes('=')) return ['-c', `${key}=${value}`];
  return [`--config-env=${key}=${value === '' ? 'TELIC_SETTING_EMPTY' : 'TELIC_SETTING_FALSE'}`];
}

/**
 * Finds Git and binds it to a root (real path). Null when there is none on the path. The environment of each command is
 * built from nothing, so that no variable of the caller redirects it to other objects, another index or a program.
 * Rule: grounding section 3.
 */
export function bindGit(
  root: string,
  env: Environment,
  options: { readonly signal?: AbortSignal | undefined; readonly milliseconds?: number | undefined } = {},
): Git | null {
  const directories = programDirectories(env, root);
  const program = findProgram('git', directories, root);
  if (program === null) return null;
  const request = (args: readonly string[], limits: StreamLimits = {}) => ({
    program,
    args: [...neutralSettings.flatMap((setting) => ['-c', setting]), '-C', root, ...args],
    cwd: root,
    env: gitEnvironment(directories),
    milliseconds: limits.milliseconds ?? options.milliseconds ?? commandMilliseconds,
    enough: limits.enough,
    signal: options.signal,
  });
  return {
    capture: (args) => captureCommand(request(args)),
    stream: (args, onOutput, limits) => runCommand({ ...request(args, limits), onOutput }),
  };
}

function gitEnvironment(directories: readonly string[]): Record<string, string> {
  return {
    PATH: directories.join(':'),
    LC_ALL: 'C',
    // Without a home, `~` in a setting of the repository ends every command; here nothing is found behind it.
    HOME: '/dev/null',
    // No lock is taken for a refresh of the index: a commit beside us never fails because of us (trap T24).
    GIT_OPTIONAL_LOCKS: '0',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_SYSTEM: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    // A partial clone would fetch what it lacks.
    GIT_NO_LAZY_FETCH: '1',
    // Not every Git knows that variable. This one bars all transports, also those that the configuration allows by
    // name.
    GIT_ALLOW_PROTOCOL: 'none',
    ...settingValues,
  };
}

/** Why Git did not answer, in words that a warning can carry. */
export function whyGitFailed(end: CommandEnd): string {
  if (end.kind === 'not_started') return 'Git could not be started';
  if (end.kind === 'timed_out') return 'Git did not answer in time';
  if (end.kind === 'stopped') return 'Git was stopped';
  if (end.kind === 'too_much_output') return 'the answer of Git was too long';
  if (end.stderr.includes('dubious ownership'))
    return 'Git does not trust the owner of the repository (safe.directory)';
  if (/not a git repository/i.test(end.stderr)) return 'this is not a Git repository';
  return `Git ended with status ${end.status}`;
}
