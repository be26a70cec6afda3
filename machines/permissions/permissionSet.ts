import type { PermissionSet } from '../../schemas/permissions.ts';
import { type ActionCapability, actionCapabilities } from '../../schemas/vocabulary.ts';

/** Stands for "all": a grant in a repository list, a denial anywhere else (permissions section 3). */
export const everything = '**';

/** The set that permits nothing. */
export const emptyPermissions = (): PermissionSet => ({
  repository: { read: [], write: [], delete: [] },
  shell: { inspect: false, executeAllowlist: [] },
  runtime: { inspect: [], restart: [] },
  browser: { inspect: false, mutateState: false },
  network: { readDomains: [], externalWrite: false },
  subagents: { spawn: false, maximumChildren: 0, maximumDepth: 0 },
});

type Lists = Readonly<{ commands: readonly string[]; hosts: readonly string[] }>;

const convert = (capabilities: readonly ActionCapability[], { commands, hosts }: Lists): PermissionSet => {
  const has = (capability: ActionCapability): boolean => capabilities.includes(capability);
  const list = (capability: ActionCapability, entries: readonly string[]): string[] =>
    has(capability) ? [...new Set(entries)] : [];
  const spawn = has('subagent.spawn');
  return {
    repository: {
      read: list('repository.read', [everything]),
      write: list('repository.write', [everything]),
      delete: list('repository.delete', [everything]),
    },
    shell: { inspect: has('shell.inspect'), executeAllowlist: list('shell.execute', commands) },
    runtime: { inspect: list('runtime.inspect', ['local']), restart: list('runtime.restart', ['local']) },
    browser: { inspect: has('browser.inspect'), mutateState: has('browser.mutate') },
    network: { readDomains: list('network.read', hosts).sort(), externalWrite: has('external.write') },
    subagents: { spawn, maximumChildren: spawn ? 3 : 0, maximumDepth: spawn ? 1 : 0 },
  };
};

/**
 * The structured set of a granted capability list. Takes the list after the host intersection, the exact commands and
 * the normalised hosts; gives commands in their order and hosts sorted, each once. No command (no host) means no
 * `shell.execute` (no `network.read`). Rule: permissions section 3.
 */
export const grantedSet = ({
  capabilities,
  commands = [],
  hosts = [],
}: Readonly<{
  capabilities: readonly ActionCapability[];
  commands?: readonly string[];
  hosts?: readonly string[];
}>): PermissionSet => convert(capabilities, { commands, hosts });

/** The structured set of a denied capability list: every denial is of the whole capability (permissions section 3). */
export const deniedSet = (capabilities: readonly ActionCapability[]): PermissionSet =>
  convert(capabilities, { commands: [everything], hosts: [everything] });

/** The part of a set that speaks of one capability: its scopes, or its flag. */
export const entryOf = (set: PermissionSet, capability: ActionCapability): readonly string[] | boolean => {
  switch (capability) {
    case 'repository.read':
      return set.repository.read;
    case 'repository.write':
      return set.repository.write;
    case 'repository.delete':
      return set.repository.delete;
    case 'shell.inspect':
      return set.shell.inspect;
    case 'shell.execute':
      return set.shell.executeAllowlist;
    case 'runtime.inspect':
      return set.runtime.inspect;
    case 'runtime.restart':
      return set.runtime.restart;
    case 'browser.inspect':
      return set.browser.inspect;
    case 'browser.mutate':
      return set.browser.mutateState;
    case 'network.read':
      return set.network.readDomains;
    case 'external.write':
      return set.network.externalWrite;
    case 'subagent.spawn':
      return set.subagents.spawn;
  }
};

/** Whether the set says anything of the capability: a scope in its list, or its flag. */
export const mentions = (set: PermissionSet, capability: ActionCapability): boolean => {
  const entry = entryOf(set, capability);
  return typeof entry === 'boolean' ? entry : entry.length > 0;
};

const isCapability = (text: string): text is ActionCapability => actionCapabilities.some((known) => known === text);

/**
 * Whether the set can carry out an action of the capability at all: a scope in its list, its flag, and for
 * `subagent.spawn` a positive number of children. False for any text outside the vocabulary. Rule: admission 16.3.
 */
export const covers = (set: PermissionSet, capability: string): boolean =>
  isCapability(capability) &&
  mentions(set, capability) &&
  (capability !== 'subagent.spawn' || set.subagents.maximumChildren > 0);

/** The capabilities that the set covers, in the order of the vocabulary. */
export const capabilitiesOf = (set: PermissionSet): readonly ActionCapability[] =>
  actionCapabilities.filter((capability) => covers(set, capability));

/** The set with everything taken out whose capability is not kept; what is kept stays unchanged. */
export const keepCapabilities = (
  set: PermissionSet,
  keep: (capability: ActionCapability) => boolean,
): PermissionSet => {
  const list = (capability: ActionCapability, entries: readonly string[]): string[] =>
    keep(capability) ? [...entries] : [];
  return {
    repository: {
      read: list('repository.read', set.repository.read),
      write: list('repository.write', set.repository.write),
      delete: list('repository.delete', set.repository.delete),
    },
    shell: {
      inspect: set.shell.inspect && keep('shell.inspect'),
      executeAllowlist: list('shell.execute', set.shell.executeAllowlist),
    },
    runtime: {
      inspect: list('runtime.inspect', set.runtime.inspect),
      restart: list('runtime.restart', set.runtime.restart),
    },
    browser: {
      inspect: set.browser.inspect && keep('browser.inspect'),
      mutateState: set.browser.mutateState && keep('browser.mutate'),
    },
    network: {
      readDomains: list('network.read', set.network.readDomains),
      externalWrite: set.network.externalWrite && keep('external.write'),
    },
    subagents: keep('subagent.spawn') ? { ...set.subagents } : { spawn: false, maximumChildren: 0, maximumDepth: 0 },
  };
};
