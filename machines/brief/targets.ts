import type { Blank } from '../../schemas/brief.ts';
import type { PermissionSet } from '../../schemas/permissions.ts';
import { type ActionCapability, inspectTargets } from '../../schemas/vocabulary.ts';
import { isMalformedPath } from '../permissions/pathTarget.ts';
import { type PathAction, protection } from '../permissions/protectedPath.ts';
import { scopeMatches } from '../permissions/scope.ts';
import type { RunRecord } from '../record.ts';
import { findSecret } from '../secrets/content.ts';
import { choice, most } from './draft.ts';

/** More of them would crowd out the rest of a brief; `permitted` tells all. */
const mostScopes = 4;

/** A selected file that may be acted on so; the host need not act on this one. */
const exampleOf = (record: RunRecord, scopes: readonly string[], action: PathAction): string | undefined =>
  record
    .latest('ContextManifest')
    ?.body.candidates.flatMap((one) => (one.decision === 'selected' ? [one.path] : []))
    .find(
      (path) =>
        scopes.some((scope) => scopeMatches(scope, path)) &&
        protection(path, action) === 'open' &&
        !isMalformedPath(path) &&
        findSecret(path) === null,
    );

const done: Readonly<Record<PathAction, string>> = { read: 'read', write: 'written', delete: 'deleted' };

/** A path has no list of its own; every other target is one of those that the permissions name. */
const pathIn = (path: string, record: RunRecord, scopes: readonly string[], action: PathAction): Blank => {
  const example = exampleOf(record, scopes, action);
  return {
    path,
    kind: 'text',
    how: `The file ${done[action]}, not protected.`,
    form: 'path',
    scopes: scopes.slice(0, mostScopes),
    ...(example !== undefined && { example }),
  };
};

const oneOf = (path: string, how: string, names: readonly string[]): Blank =>
  choice(path, how, names.slice(0, most.elements));

const urlAt = (path: string): Blank => ({ path, kind: 'text', how: 'The URL.', form: 'url' });

/** The host of an address of six parts stands in brackets where a target is written. */
const asTarget = (host: string): string => (host.includes(':') ? `[${host}]` : host);

/**
 * The blank for the target of an action: the legal ones where they can be listed, else the form that they have; null
 * where nothing is asked of it (admission section 9, permissions sections 6 to 8).
 * @param permissions those of the node
 */
export const targetBlank = (
  path: string,
  capability: ActionCapability,
  permissions: PermissionSet,
  record: RunRecord,
): Blank | null => {
  switch (capability) {
    case 'repository.read':
      return pathIn(path, record, permissions.repository.read, 'read');
    case 'repository.write':
      return pathIn(path, record, permissions.repository.write, 'write');
    case 'repository.delete':
      return pathIn(path, record, permissions.repository.delete, 'delete');
    case 'shell.inspect':
      return oneOf(path, 'The inspection.', inspectTargets);
    case 'shell.execute':
      return oneOf(path, 'The command as it was run.', permissions.shell.executeAllowlist);
    case 'runtime.inspect':
      return oneOf(path, 'What was inspected.', permissions.runtime.inspect);
    case 'runtime.restart':
      return oneOf(path, 'What was restarted.', permissions.runtime.restart);
    case 'network.read':
      return oneOf(path, 'The host that was read.', permissions.network.readDomains.map(asTarget));
    case 'browser.inspect':
    case 'browser.mutate':
    case 'external.write':
      return urlAt(path);
    case 'subagent.spawn':
      return null;
  }
};
