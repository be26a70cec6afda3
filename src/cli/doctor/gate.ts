import { accessSync, constants, realpathSync } from 'node:fs';
import { type HostCalls, readCalls } from '../../gate/calls.ts';
import { HookError } from '../../gate/hooks/hookError.ts';
import { readHookFile } from '../../gate/hooks/hookFiles.ts';
import { type HookStatus, hookStatus } from '../../gate/hooks/hooks.ts';
import { ownFile } from '../../gate/hooks/ownFiles.ts';
import { hookScopes } from '../../gate/hooks/places.ts';
import { gateHosts } from '../../gate/hosts.ts';
import { type Probed, probeGate, probePlugin } from '../../gate/probe.ts';
import { silenceOf } from '../../gate/silence.ts';
import { LedgerError } from '../../ledger/errors.ts';
import { locateStateDirectory, standsAt } from '../../ledger/stateDirectory.ts';
import type { Terminal } from '../terminal.ts';
import { type Check, hintOf, verdict } from './verdict.ts';

/** Whether the hook gate really runs: each hook that is configured, probed, and what would keep its host silent. */

export type HookCheck = Check &
  Readonly<{
    host: string;
    scope: string;
    file: string;
    strict: boolean | null;
    /** What the gate made of a call that must be refused; null when it was not asked. */
    probe: Readonly<{ refuses: boolean; milliseconds: number }> | null;
    /** When the host last asked the gate about a call in this repository. */
    lastCall: string | null;
  }>;
export type GateCheck = Check & Readonly<{ hooks: readonly HookCheck[] }>;

type Hook = HookStatus & Readonly<{ root: string | null; env: Terminal['env'] }>;

const again = ({ host, scope }: Hook): string => `Run telic hooks install ${host} --scope ${scope} again.`;

const runningFile = (): string | null => {
  const [, file] = process.argv;
  return file === undefined ? null : realpathSync(file);
};

const isRunnable = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** Why a hook is not probed: only words of this very installation are run, since a repository can bring files along. */
const unprobed = (hook: Hook): string | null => {
  const { words, host, file } = hook;
  if (words === null) return `${file} starts the gate in words of its own, so it cannot be probed. ${again(hook)}`;
  const [node = '', entry = ''] = words;
  if (!isRunnable(node)) return `${file} starts the gate with ${node}, which cannot be run. ${again(hook)}`;
  if (realpathSync(node) !== realpathSync(process.execPath))
    return `${file} starts the gate with ${node}, another program than this Node, so it is not probed. ${again(hook)}`;
  if (entry !== runningFile())
    return `${file} starts the gate of another installation (${entry}), which is not probed. ${again(hook)}`;
  if (host === 'cline' && !isRunnable(file))
    return `${file} is not executable, so Cline carries on without it. ${again(hook)}`;
  return null;
};

/** The text of the plugin if it is what we write; another is not run. */
const ownPlugin = ({ host, file, words, strict }: Hook): string | null => {
  const [node = '', entry = ''] = words ?? [];
  const after = (word: string): string | null => words?.[words.indexOf(word) + 1] ?? null;
  const repo = words?.includes('--repo') ? after('--repo') : null;
  const state = words?.includes('--state') ? after('--state') : null;
  const { text } = ownFile({ node, entry, host, strict: strict === true, repo, state });
  return readHookFile(file) === text ? text : null;
};

const probeOf = async (hook: Hook): Promise<Probed | string> => {
  const { host, words, root, env } = hook;
  const cwd = root ?? '/';
  if (host !== 'opencode') return probeGate(host, words?.[1] ?? '', words?.slice(2) ?? [], env, cwd);
  const plugin = ownPlugin(hook);
  return plugin === null
    ? `${hook.file} was changed, so it is not loaded. ${again(hook)}`
    : probePlugin(plugin, env, cwd);
};

const checkHook = async (hook: Hook, calls: HostCalls): Promise<HookCheck> => {
  const { host, scope, file, strict } = hook;
  const facts = { host, scope, file, strict, lastCall: calls[host] ?? null };
  const blocked = hook.problem ?? unprobed(hook);
  if (blocked !== null) return { ...verdict(blocked), ...facts, probe: null };
  const probed = await probeOf(hook);
  if (typeof probed === 'string') return { ...verdict(probed), ...facts, probe: null };
  const { refuses, milliseconds, said } = probed;
  const hint = refuses
    ? silenceOf(hook)
    : `The gate let a call through that it must refuse${said && `: ${said}`}. ${again(hook)}`;
  return { ...verdict(hint), ...facts, probe: { refuses, milliseconds } };
};

const placesOf = (terminal: Terminal, root: string | null): readonly Hook[] =>
  gateHosts.flatMap((host) =>
    hookScopes.flatMap((scope) => {
      try {
        const { env } = terminal;
        return [{ ...hookStatus({ host, scope, root, env }), root, env }];
      } catch (error) {
        // No repository, or no folder of the user: then there are no hooks there.
        if (error instanceof HookError) return [];
        throw error;
      }
    }),
  );

/** What the notes of the repository say: who asked, and whether a run is active. */
const notesOf = (terminal: Terminal, root: string | null): Readonly<{ calls: HostCalls; active: boolean }> => {
  if (root === null) return { calls: {}, active: false };
  try {
    const state = locateStateDirectory(terminal.env, root);
    return { calls: readCalls(state), active: standsAt(state, state.session) !== null };
  } catch (error) {
    if (!(error instanceof LedgerError)) throw error;
    // The check of the ledger tells what is wrong with the state directory.
    return { calls: {}, active: false };
  }
};

/**
 * Every hook of the gate that a file of a host has, and whether it would do its work.
 *
 * @param root real path of the repository, null when none is known
 */
export const gateCheck = async (terminal: Terminal, root: string | null): Promise<GateCheck> => {
  const { calls, active } = notesOf(terminal, root);
  const found = placesOf(terminal, root).filter(({ installed, problem }) => installed || problem !== null);
  const hooks = await Promise.all(
    found.map(async (hook) => {
      try {
        return await checkHook(hook, calls);
      } catch (error) {
        const { host, scope, file, strict } = hook;
        return { ...verdict(hintOf(error)), host, scope, file, strict, probe: null, lastCall: null };
      }
    }),
  );
  const bad = hooks.find(({ ok }) => !ok);
  const isUnheard = active && hooks.length > 0 && Object.keys(calls).length === 0;
  const cancelled = hooks.some(({ strict }) => strict === true) && terminal.env.TELIC_BROKER_PERMISSIVE === '1';
  const hint =
    (bad && `${bad.host}: ${bad.hint}`) ??
    (cancelled ? 'TELIC_BROKER_PERMISSIVE=1 cancels strictness where a host hands it on.' : null) ??
    (isUnheard ? 'A run is active, but no host has asked the gate about a call in this repository yet.' : null);
  return { ...verdict(hint), hooks };
};
