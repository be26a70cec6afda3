import { findSecret } from '../secrets/content.ts';
import { canonicalCapability } from './capability.ts';
import { isMalformedPath, normalizePath } from './pathTarget.ts';
import type { ResolvedTarget } from './resolved.ts';
import { isBlank } from './text.ts';
import { hostForRecord } from './webTarget.ts';

/** The trace schema takes no longer scope, and one over-long event would make its whole page unreadable. */
const maximumLength = 2048;

/** What stands in place of a text that looks like a credential. */
export const redactedScope = '[redacted: likely credential]';

const plainScope = (capability: string, target: string, resolved: ResolvedTarget | null | undefined): string => {
  switch (canonicalCapability(capability)) {
    case 'network.read':
    case 'external.write':
      return hostForRecord(target) ?? 'invalid_network_target';
    case 'repository.read':
    case 'repository.write':
    case 'repository.delete':
      if (resolved?.ok) return resolved.lexical;
      return isMalformedPath(target) ? target : normalizePath(target);
    default:
      return target;
  }
};

/** Cuts to a length in UTF-16 units without leaving half of a surrogate pair. */
const cut = (text: string, length: number): string => text.slice(0, length).replace(/[\ud800-\udbff]$/u, '');

/**
 * What the trace keeps of a target: the normalised path, the host alone of a network target, otherwise the text, at most
 * 2,048 characters; `unknown` without a target; nothing that looks like a credential. Rule: permissions section 9.
 */
export const recordedScope = (
  capability: string,
  target: string | null | undefined,
  resolved?: ResolvedTarget | null,
): string => {
  if (isBlank(target)) return 'unknown';
  const scope = plainScope(capability, target, resolved);
  return findSecret(scope) === null ? cut(scope, maximumLength) : redactedScope;
};
