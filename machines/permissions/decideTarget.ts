import type { DecisionDetail, PermissionSet } from '../../schemas/permissions.ts';
import { type ActionCapability, inspectTargets } from '../../schemas/vocabulary.ts';
import { isListedCommand, requestFault } from './command.ts';
import { isListedHost } from './host.ts';
import { isMalformedPath } from './pathTarget.ts';
import { everything, mentions } from './permissionSet.ts';
import { type PathAction, protection } from './protectedPath.ts';
import type { ResolvedTarget } from './resolved.ts';
import { scopeMatches } from './scope.ts';
import { isBlank } from './text.ts';
import { readWebTarget } from './webTarget.ts';

/** One use of a capability, with what the world said of it. */
export interface TargetRequest {
  readonly capability: ActionCapability;
  readonly target?: string | null | undefined;
  /** Where the disk says that a repository target leads; needed for repository capabilities alone. */
  readonly resolved?: ResolvedTarget | null | undefined;
  /** Sub-agents allowed since the current node became pending; 0 when absent. */
  readonly childrenUsed?: number | undefined;
  /** How deep the caller itself is below the run; 0 when absent. */
  readonly depth?: number | undefined;
}

const decidePath = (
  action: PathAction,
  target: string,
  scopes: readonly string[],
  resolved: ResolvedTarget | null | undefined,
): DecisionDetail => {
  if (isMalformedPath(target)) return 'target_malformed';
  // Without the disk's word nothing is known to be inside the root.
  if (!resolved) return 'root_unavailable';
  if (!resolved.ok) return resolved.code;
  const { lexical, real } = resolved;
  if (action !== 'read' && (lexical === '.' || real === '.')) return 'repository_root';
  const levels = [protection(lexical, action), protection(real, action)];
  const named = lexical === real && scopes.includes(lexical);
  if (levels.includes('never') || (levels.includes('exact') && !named)) return 'protected_path';
  const within = (path: string): boolean => scopes.some((scope) => scopeMatches(scope, path));
  return within(lexical) && within(real) ? 'ok' : 'scope_mismatch';
};

const decideCommand = (command: string, list: readonly string[]): DecisionDetail =>
  requestFault(command) ?? (isListedCommand(command, list) ? 'ok' : 'command_not_listed');

const decideHost = (target: string, list: readonly string[]): DecisionDetail => {
  const read = readWebTarget(target, true);
  if (!read.ok) return read.fault;
  return isListedHost(read.host, list) ? 'ok' : 'host_not_listed';
};

const decideUrl = (target: string): DecisionDetail => {
  const read = readWebTarget(target, false);
  return read.ok ? 'ok' : read.fault;
};

const decideName = (name: string, list: readonly string[]): DecisionDetail =>
  name !== everything && list.includes(name) ? 'ok' : 'scope_mismatch';

/**
 * Whether a permission set allows one capability on one target: `ok`, or the first reason against it in the order
 * not granted, target required, target form, protected, scope or list, budget. Modes and run status are judged by the
 * callers. Pure: the same request and set give the same answer. Rules: permissions sections 6 to 9.
 */
export const decideTarget = (request: TargetRequest, permissions: PermissionSet): DecisionDetail => {
  const { capability, target } = request;
  if (!mentions(permissions, capability)) return 'not_granted';
  if (capability === 'subagent.spawn') {
    const { maximumChildren, maximumDepth } = permissions.subagents;
    return (request.childrenUsed ?? 0) < maximumChildren && (request.depth ?? 0) < maximumDepth
      ? 'ok'
      : 'budget_exhausted';
  }
  if (isBlank(target)) return 'target_required';
  switch (capability) {
    case 'repository.read':
      return decidePath('read', target, permissions.repository.read, request.resolved);
    case 'repository.write':
      return decidePath('write', target, permissions.repository.write, request.resolved);
    case 'repository.delete':
      return decidePath('delete', target, permissions.repository.delete, request.resolved);
    case 'shell.inspect':
      return inspectTargets.some((name) => name === target) ? 'ok' : 'inspect_target_unknown';
    case 'shell.execute':
      return decideCommand(target, permissions.shell.executeAllowlist);
    case 'runtime.inspect':
      return decideName(target, permissions.runtime.inspect);
    case 'runtime.restart':
      return decideName(target, permissions.runtime.restart);
    case 'network.read':
      return decideHost(target, permissions.network.readDomains);
    case 'browser.inspect':
    case 'browser.mutate':
    case 'external.write':
      return decideUrl(target);
  }
};
