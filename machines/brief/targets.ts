import type { Blank } from '../../schemas/brief.ts';
import type { PermissionSet } from '../../schemas/permissions.ts';
import { type ActionCapability, inspectTargets } from '../../schemas/vocabulary.ts';
import { shorten } from '../sentence.ts';
import { choice, most, text } from './draft.ts';

const shownScopes = 160;

/** A path has no list of its own; every other target is one of those that the permissions name. */
const pathIn = (path: string, scopes: readonly string[], what: string): Blank =>
  text(
    path,
    `The file ${what}: its path from the root, in ${shorten(scopes.join(', '), shownScopes)}, not protected.`,
    {
      maximum: 1024,
    },
  );

const oneOf = (path: string, how: string, names: readonly string[]): Blank =>
  choice(path, how, names.slice(0, most.elements));

const urlAt = (path: string): Blank =>
  text(path, 'The URL, http or https, without credentials.', { maximum: most.text });

/** The host of an address of six parts stands in brackets where a target is written. */
const asTarget = (host: string): string => (host.includes(':') ? `[${host}]` : host);

/**
 * The blank for the target of an action: the legal ones where they can be listed, else the form that they have; null
 * where nothing is asked of it (admission section 9, permissions sections 6 to 8).
 * @param permissions those of the node
 */
export const targetBlank = (path: string, capability: ActionCapability, permissions: PermissionSet): Blank | null => {
  switch (capability) {
    case 'repository.read':
      return pathIn(path, permissions.repository.read, 'read');
    case 'repository.write':
      return pathIn(path, permissions.repository.write, 'written');
    case 'repository.delete':
      return pathIn(path, permissions.repository.delete, 'deleted');
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
