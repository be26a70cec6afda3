import type { PermissionSet } from '../../schemas/permissions.ts';
import { isListedHost, normalizeHost } from './host.ts';
import { everything } from './permissionSet.ts';
import { scopeCovers } from './scope.ts';

/** Where a set asks for more than another gives: `repository.write.0`, `shell.inspect`, `subagents.maximumDepth`. */
export type Excess = Readonly<{ path: string; value: string | number | true }>;

type Within = (entry: string, allowed: readonly string[]) => boolean;

const inScope: Within = (entry, allowed) => allowed.some((scope) => scopeCovers(scope, entry));

/** `**` is a mark of denial outside repository lists, so it is never inside anything there. */
const isEqual: Within = (entry, allowed) => entry !== everything && allowed.includes(entry);

const isHost: Within = (entry, allowed) => {
  const host = normalizeHost(entry);
  return host !== null && isListedHost(host, allowed);
};

const lists = (
  requested: PermissionSet,
  allowed: PermissionSet,
): readonly (readonly [string, readonly string[], readonly string[], Within])[] => [
  ['repository.read', requested.repository.read, allowed.repository.read, inScope],
  ['repository.write', requested.repository.write, allowed.repository.write, inScope],
  ['repository.delete', requested.repository.delete, allowed.repository.delete, inScope],
  ['shell.executeAllowlist', requested.shell.executeAllowlist, allowed.shell.executeAllowlist, isEqual],
  ['runtime.inspect', requested.runtime.inspect, allowed.runtime.inspect, isEqual],
  ['runtime.restart', requested.runtime.restart, allowed.runtime.restart, isEqual],
  ['network.readDomains', requested.network.readDomains, allowed.network.readDomains, isHost],
];

const flags = (requested: PermissionSet, allowed: PermissionSet): readonly (readonly [string, boolean, boolean])[] => [
  ['shell.inspect', requested.shell.inspect, allowed.shell.inspect],
  ['browser.inspect', requested.browser.inspect, allowed.browser.inspect],
  ['browser.mutateState', requested.browser.mutateState, allowed.browser.mutateState],
  ['network.externalWrite', requested.network.externalWrite, allowed.network.externalWrite],
  ['subagents.spawn', requested.subagents.spawn, allowed.subagents.spawn],
];

/** Counts are compared even when `spawn` is false. */
const counts = (requested: PermissionSet, allowed: PermissionSet): readonly (readonly [string, number, number])[] => [
  ['subagents.maximumChildren', requested.subagents.maximumChildren, allowed.subagents.maximumChildren],
  ['subagents.maximumDepth', requested.subagents.maximumDepth, allowed.subagents.maximumDepth],
];

/** Every place where `requested` asks for more than `allowed` gives: lists first, then flags, then counts. */
export const excesses = (requested: PermissionSet, allowed: PermissionSet): readonly Excess[] => {
  const found: Excess[] = [];
  for (const [name, wanted, given, within] of lists(requested, allowed))
    wanted.forEach((value, index) => {
      if (!within(value, given)) found.push({ path: `${name}.${index}`, value });
    });
  for (const [path, wanted, given] of flags(requested, allowed))
    if (wanted && !given) found.push({ path, value: true });
  for (const [path, wanted, given] of counts(requested, allowed))
    if (wanted > given) found.push({ path, value: wanted });
  return found;
};

/** The first of the `excesses`, or null when `requested` is inside `allowed`. */
export const firstExcess = (requested: PermissionSet, allowed: PermissionSet): Excess | null =>
  excesses(requested, allowed)[0] ?? null;

/**
 * Whether `requested` is inside `allowed`: contract in run, node in contract, work order in both. No reasoning over
 * unions of scopes. Rules: permissions section 5, admission 16.3.
 */
export const subset = (requested: PermissionSet, allowed: PermissionSet): boolean =>
  firstExcess(requested, allowed) === null;
