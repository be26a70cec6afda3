import type { Finding } from '../../schemas/failure.ts';
import type { DroppedGrant, PermissionSet } from '../../schemas/permissions.ts';
import { ActionCapability, actionCapabilities, type IntentMode } from '../../schemas/vocabulary.ts';
import { aliasTarget } from './capability.ts';
import { commandReason, entryFault } from './command.ts';
import { normalizeHost } from './host.ts';
import { defaultGrant, reaches } from './modes.ts';
import { deniedSet, grantedSet } from './permissionSet.ts';

const maximumEntries = 256;
const defaultHostCapabilities = ['repository.read'] as const;

/** What a start says of authority; an absent list is not an empty one. */
export interface AuthorityRequest {
  readonly mode: IntentMode;
  readonly hostCapabilities?: readonly string[] | undefined;
  readonly granted?: readonly string[] | undefined;
  readonly denied?: readonly string[] | undefined;
  readonly commands?: readonly string[] | undefined;
  readonly hosts?: readonly string[] | undefined;
}

/** The authority that a run keeps for good. */
export interface Authority {
  readonly granted: PermissionSet;
  readonly denied: PermissionSet;
  /** Sorted, each once. */
  readonly hostCapabilities: readonly ActionCapability[];
  /** The grant after the host intersection, sorted. */
  readonly grantedList: readonly ActionCapability[];
  readonly deniedList: readonly ActionCapability[];
  /** Wanted, but never effective in this run; sorted by capability. */
  readonly droppedGrants: readonly DroppedGrant[];
}

export type Authorization =
  | (Authority & Readonly<{ ok: true }>)
  | Readonly<{ ok: false; findings: readonly Finding[] }>;

const sortedOnce = <T extends string>(list: readonly T[]): readonly T[] => [...new Set(list)].sort();

const tooLong = (code: string, name: string, list: readonly string[]): readonly Finding[] =>
  list.length <= maximumEntries
    ? []
    : [
        {
          path: name,
          code,
          message: `${name} has ${list.length} entries, more than ${maximumEntries}.`,
          expected: maximumEntries,
          fix: `Give at most ${maximumEntries} entries.`,
        },
      ];

const needsBoth = (code: string, name: string, capability: ActionCapability): Finding => ({
  path: name,
  code,
  message: `${name} needs ${capability} in host_capabilities and in authorization_granted; the defaults never hold it.`,
  expected: capability,
  fix: `Name ${capability} in both lists, or leave ${name} out.`,
});

const unknownNames = (name: string, list: readonly string[]): readonly Finding[] =>
  list.flatMap((text, index) => {
    if (ActionCapability.safeParse(text).success) return [];
    const meant = aliasTarget(text);
    return [
      {
        path: `${name}.${index}`,
        code: 'ADM-START-11',
        message: `${name}[${index}] is not a capability of the vocabulary.`,
        expected: actionCapabilities,
        fix: meant ? `Write ${meant}.` : 'Use one of the listed names, exactly as written.',
      },
    ];
  });

const known = (list: readonly string[]): readonly ActionCapability[] =>
  sortedOnce(
    list.flatMap((text) => {
      const parsed = ActionCapability.safeParse(text);
      return parsed.success ? [parsed.data] : [];
    }),
  );

/**
 * The authority of a new run, or every finding against it in the order of the rules ADM-START-04 to -12. Grants
 * outside the host's capabilities are dropped and told (ADM-START-12 is no refusal); grants that the mode or a denial
 * makes idle are kept and told. Rules: permissions sections 3 and 4, admission section 15.
 */
export const authorize = (request: AuthorityRequest): Authorization => {
  const { mode, denied = [], commands = [], hosts = [], hostCapabilities = defaultHostCapabilities } = request;
  const desired = request.granted ?? defaultGrant(mode);
  const offered = known(hostCapabilities);
  const grantedList = known(desired).filter((capability) => offered.includes(capability));
  const deniedList = known(denied);
  const canonicalHosts = hosts.map((text) => normalizeHost(text));

  const findings: readonly Finding[] = [
    ...tooLong('ADM-START-04', 'host_capabilities', hostCapabilities),
    ...tooLong('ADM-START-04', 'authorization_granted', request.granted ?? []),
    ...tooLong('ADM-START-04', 'authorization_denied', denied),
    ...tooLong('ADM-START-05', 'shell_execute_allowlist', commands),
    ...tooLong('ADM-START-06', 'network_read_domains', hosts),
    ...(commands.length > 0 && !grantedList.includes('shell.execute')
      ? [needsBoth('ADM-START-07', 'shell_execute_allowlist', 'shell.execute')]
      : []),
    ...(hosts.length > 0 && !grantedList.includes('network.read')
      ? [needsBoth('ADM-START-08', 'network_read_domains', 'network.read')]
      : []),
    ...canonicalHosts.flatMap((host, index) =>
      host === null
        ? [
            {
              path: `network_read_domains.${index}`,
              code: 'ADM-START-09',
              message: `network_read_domains[${index}] is not one bare host name or IP address.`,
              fix: 'Leave out scheme, port, path, credentials, wildcards and a trailing dot; write addresses in full.',
            },
          ]
        : [],
    ),
    ...commands.flatMap((command, index) => {
      const fault = entryFault(command);
      return fault === null
        ? []
        : [
            {
              path: `shell_execute_allowlist.${index}`,
              code: 'ADM-START-10',
              message: `shell_execute_allowlist[${index}] is not one exact command (${fault}): ${commandReason(fault)}.`,
              fix: 'List each command exactly as it will be run, one program with literal words.',
            },
          ];
    }),
    ...unknownNames('host_capabilities', hostCapabilities),
    ...unknownNames('authorization_granted', request.granted ?? []),
    ...unknownNames('authorization_denied', denied),
  ];
  if (findings.length > 0) return { ok: false, findings };

  const droppedGrants = known(desired).flatMap((capability): readonly DroppedGrant[] => {
    if (!offered.includes(capability)) return [{ capability, reason: 'host' }];
    if (!reaches(mode, capability)) return [{ capability, reason: 'mode' }];
    return deniedList.includes(capability) ? [{ capability, reason: 'denied' }] : [];
  });
  return {
    ok: true,
    granted: grantedSet({
      capabilities: grantedList,
      commands,
      hosts: canonicalHosts.flatMap((host) => (host === null ? [] : [host])),
    }),
    denied: deniedSet(deniedList),
    hostCapabilities: offered,
    grantedList,
    deniedList,
    droppedGrants,
  };
};

/** What a host's own sub-agents let a run use (permissions section 4, start rule 6). */
export const subagentBudgets = (
  nativeSubagents: 'available' | 'unavailable' | 'unknown',
): Readonly<{ maximumParallelWorkers: number; maximumSubagentDepth: number }> =>
  nativeSubagents === 'available'
    ? { maximumParallelWorkers: 3, maximumSubagentDepth: 1 }
    : { maximumParallelWorkers: 1, maximumSubagentDepth: 0 };
