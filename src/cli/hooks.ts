import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { type HookPlace, hookStatus, installHook, removeHook } from '../gate/hooks/hooks.ts';
import { type HookScope, hookScopes, usualScope } from '../gate/hooks/places.ts';
import { type GateHost, gateHosts, isGateHost } from '../gate/hosts.ts';
import { findRepository } from './repository.ts';
import { CommandError, type Terminal } from './terminal.ts';

/** `telic hooks`: the hook gate in the configuration of hosts (permissions section 10). */

/** What `help hooks` says below the options. */
export const hooksHelp = (): string =>
  `Actions: install, remove, status\nHosts: ${gateHosts.join(', ')}; status also takes all\n`;

export interface HookOptions {
  readonly repo?: string | undefined;
  readonly scope?: string | undefined;
  /** False with `--no-strict`. */
  readonly strict?: boolean | undefined;
}

const isScope = (word: string): word is HookScope => hookScopes.some((scope) => scope === word);

const scopeOf = (word: string | undefined, host: GateHost): HookScope => {
  if (word === undefined) return usualScope(host);
  if (!isScope(word)) throw new CommandError(`--scope is project or user, not ${word}.`);
  return word;
};

/** The file that Node was told to run, also behind the link that npm makes for a command. */
const runningFile = (): string => {
  const [, file] = process.argv;
  if (file === undefined) throw new CommandError('It cannot be told which file is the telic executable.');
  return realpathSync(file);
};

/** A state directory that was named is named to the gate, too. */
const stateNamed = ({ env, cwd }: Terminal): string | null =>
  env.TELIC_STATE_DIR ? resolve(cwd, env.TELIC_STATE_DIR) : null;

const placeOf = (terminal: Terminal, options: HookOptions, host: GateHost, scope: HookScope): HookPlace => {
  const found = findRepository(terminal, options.repo);
  if (scope === 'project' && !found.ok)
    throw new CommandError(`${found.message} Name a repository with --repo, or use --scope user.`);
  return { host, scope, root: found.ok ? found.root : null, env: terminal.env };
};

const statuses = (terminal: Terminal, options: HookOptions, hosts: readonly GateHost[]): object => {
  const scopes = options.scope === undefined ? hookScopes : hookScopes.filter((scope) => scope === options.scope);
  if (scopes.length === 0) throw new CommandError(`--scope is project or user, not ${options.scope}.`);
  const found = findRepository(terminal, options.repo);
  const root = found.ok ? found.root : null;
  const known = root === null ? scopes.filter((scope) => scope === 'user') : scopes;
  return { hooks: hosts.flatMap((host) => known.map((scope) => hookStatus({ host, scope, root, env: terminal.env }))) };
};

/**
 * Puts the hook of a host in its place, takes it out, or tells of it.
 *
 * @throws CommandError, HookError when that cannot be done; then nothing was changed
 */
export const hooks = (terminal: Terminal, options: HookOptions, action: string, word: string): object => {
  if (action === 'status' && word === 'all') return statuses(terminal, options, gateHosts);
  if (!isGateHost(word)) throw new CommandError(`Unknown host ${word}. Hosts: ${gateHosts.join(', ')}.`);
  if (action === 'status') return statuses(terminal, options, [word]);
  const place = placeOf(terminal, options, word, scopeOf(options.scope, word));
  switch (action) {
    case 'install': {
      const start = {
        node: process.execPath,
        entry: runningFile(),
        strict: options.strict !== false,
        state: stateNamed(terminal),
      };
      return installHook(place, start);
    }
    case 'remove':
      return removeHook(place);
    default:
      throw new CommandError(`hooks takes install, remove or status, not ${action}.`);
  }
};
