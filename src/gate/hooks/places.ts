import { isAbsolute, join } from 'node:path';
import type { GateHost } from '../hosts.ts';
import { HookError } from './hookError.ts';

/** `project` belongs to one repository, `user` to every folder in which the user starts the host. */
export type HookScope = 'project' | 'user';
export const hookScopes: readonly HookScope[] = ['project', 'user'];

/** Where the gate was seen to work first (hosts section 7): these two read hooks of the user. */
export const usualScope = (host: GateHost): HookScope => (host === 'codex' || host === 'cline' ? 'user' : 'project');

type Environment = Readonly<Record<string, string | undefined>>;

const absolute = (value: string | undefined): string | null =>
  value !== undefined && isAbsolute(value) ? value : null;

const home = (env: Environment): string => {
  const found = absolute(env.HOME) ?? absolute(env.USERPROFILE);
  if (found === null) throw new HookError('HOME names no directory, so the settings of the user cannot be found.');
  return found;
};

/** The folder of a host's own settings of the user. */
const userFolder: Readonly<Record<GateHost, (env: Environment) => string>> = {
  claude: (env) => absolute(env.CLAUDE_CONFIG_DIR) ?? join(home(env), '.claude'),
  codex: (env) => absolute(env.CODEX_HOME) ?? join(home(env), '.codex'),
  gemini: (env) => join(home(env), '.gemini'),
  qwen: (env) => join(home(env), '.qwen'),
  opencode: (env) => join(absolute(env.XDG_CONFIG_HOME) ?? join(home(env), '.config'), 'opencode'),
  cline: (env) => join(home(env), '.cline'),
  cursor: (env) => join(home(env), '.cursor'),
};

const projectFolder: Readonly<Record<GateHost, string>> = {
  claude: '.claude',
  codex: '.codex',
  gemini: '.gemini',
  qwen: '.qwen',
  opencode: '.opencode',
  cline: '.clinerules',
  cursor: '.cursor',
};

/** The command holds paths of this machine, so that Claude Code's file for one machine takes it. */
const fileOf = (host: GateHost, scope: HookScope): string => {
  switch (host) {
    case 'claude':
      return scope === 'project' ? 'settings.local.json' : 'settings.json';
    case 'gemini':
    case 'qwen':
      return 'settings.json';
    case 'codex':
    case 'cursor':
      return 'hooks.json';
    case 'opencode':
      return join('plugin', 'telic-gate.js');
    case 'cline':
      return join('hooks', 'PreToolUse');
  }
};

/** The folder of a host's settings. @throws HookError when no variable says where the user's are */
export const hostFolder = (host: GateHost, scope: HookScope, root: string | null, env: Environment): string => {
  if (scope === 'user') return userFolder[host](env);
  if (root === null) throw new HookError('No repository is known, so it has no hooks. Name one with --repo.');
  return join(root, projectFolder[host]);
};

/**
 * The file that the hook of a host stands in.
 *
 * @param root real path of the repository; needed for the project alone
 * @throws HookError when the place cannot be told
 */
export const hookFile = (host: GateHost, scope: HookScope, root: string | null, env: Environment): string =>
  join(hostFolder(host, scope, root, env), fileOf(host, scope));

/** Where notes of what was written are kept. @throws HookError when no variable says so */
export const notesFolder = (env: Environment): string =>
  join(absolute(env.XDG_STATE_HOME) ?? join(home(env), '.local', 'state'), 'telic', 'hooks');
