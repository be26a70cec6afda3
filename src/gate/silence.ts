import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isJsonObject } from '../../schemas/jsonObject.ts';
import { systemCodeOf } from '../ledger/errors.ts';
import { startsGate } from './hooks/command.ts';
import { JsonTextError, memberOf, parseJsonText, plainOf } from './hooks/jsonText.ts';
import { type HookScope, hookFile, hostFolder } from './hooks/places.ts';
import type { GateHost } from './hosts.ts';

/** Why a host does not run a hook that is configured, and says nothing of it (hosts section 7). */

type Environment = Readonly<Record<string, string | undefined>>;

interface Hook {
  readonly host: GateHost;
  readonly scope: HookScope;
  readonly root: string | null;
  readonly env: Environment;
}

const textOf = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (systemCodeOf(error) === '') throw error;
    return '';
  }
};

/** The settings in a file; nothing where there are none that can be read. */
const settingsIn = (file: string): Readonly<Record<string, unknown>> => {
  try {
    const value = plainOf(parseJsonText(textOf(file)));
    return isJsonObject(value) ? value : {};
  } catch (error) {
    if (error instanceof JsonTextError) return {};
    throw error;
  }
};

/** The places of our hooks in a file of Codex, as Codex counts them: the group and the hook in it. */
const codexPlaces = (file: string): readonly string[] => {
  const list = memberOf(memberOf(parseJsonText(textOf(file)), 'hooks'), 'PreToolUse');
  const groups: unknown = list && plainOf(list);
  return (Array.isArray(groups) ? groups : []).flatMap((group, at) =>
    (isJsonObject(group) && Array.isArray(group.hooks) ? group.hooks : []).flatMap((hook, index) =>
      isJsonObject(hook) && startsGate(hook.command) ? [`${file}:pre_tool_use:${at}:${index}`] : [],
    ),
  );
};

const codexSilence = ({ host, scope, root, env }: Hook): string | null => {
  const config = textOf(join(hostFolder(host, 'user', root, env), 'config.toml'));
  const lines = config.split('\n');
  const isTrusted = (place: string): boolean => {
    const at = lines.findIndex((line) => /^\s*\[hooks\.state\./.test(line) && line.includes(`"${place}"`));
    const rest = lines.slice(at + 1);
    const end = rest.findIndex((line) => /^\s*\[/.test(line));
    return at >= 0 && rest.slice(0, end < 0 ? undefined : end).some((line) => /^\s*trusted_hash\s*=/.test(line));
  };
  const untrusted = codexPlaces(hookFile(host, scope, root, env)).some((place) => !isTrusted(place));
  return untrusted
    ? 'Codex has not been told to trust this hook, so it does not run it and does not say so: start codex, review its hooks and trust this one.'
    : null;
};

const geminiSilence = ({ root, env }: Hook): string | null => {
  if (root === null || env.GEMINI_CLI_TRUST_WORKSPACE === 'true') return null;
  const folder = hostFolder('gemini', 'user', root, env);
  const { security } = settingsIn(join(folder, 'settings.json'));
  if (isJsonObject(security) && isJsonObject(security.folderTrust) && security.folderTrust.enabled === false)
    return null;
  const trusted = Object.entries(settingsIn(join(folder, 'trustedFolders.json'))).some(([path, word]) => {
    const of = word === 'TRUST_FOLDER' ? path : word === 'TRUST_PARENT' ? dirname(path) : null;
    return of !== null && (of === root || root.startsWith(of.endsWith('/') ? of : `${of}/`));
  });
  return trusted
    ? null
    : `Gemini does not trust ${root}, and loads no hooks there without a word: start gemini in it and trust the folder, or set GEMINI_CLI_TRUST_WORKSPACE=true.`;
};

const offByClaude = ({ host, root, env }: Hook): string | null => {
  const files = [
    join(hostFolder(host, 'user', root, env), 'settings.json'),
    ...(root === null
      ? []
      : ['settings.json', 'settings.local.json'].map((file) => join(hostFolder(host, 'project', root, env), file))),
  ];
  const off = files.find((file) => settingsIn(file).disableAllHooks === true);
  return off === undefined ? null : `disableAllHooks in ${off} switches every hook off.`;
};

/**
 * Why the host would not run the hook of the gate, as far as its files say; null when nothing is known against it.
 *
 * @throws HookError when no variable says where the settings of the user are
 */
export const silenceOf = (hook: Hook): string | null => {
  switch (hook.host) {
    case 'codex':
      return codexSilence(hook);
    case 'gemini':
      return geminiSilence(hook);
    case 'claude':
    case 'qwen':
      return offByClaude(hook);
    case 'opencode':
    case 'cline':
    case 'cursor':
      return null;
  }
};
