import { createHmac } from 'node:crypto';
import { CanonicalError, canonicalJson } from '../../../schemas/canonical.ts';
import { wireLimits } from '../../../schemas/wire/limits.ts';
import { parsePath, printPath } from '../../../schemas/wire/path.ts';
import type { Caller } from '../caller.ts';

/** Whether nothing in the value nests deeper than arguments may: the only thing that is asked before they are hashed. */
const nestsAtMost = (value: unknown, depth: number): boolean => {
  if (typeof value !== 'object' || value === null) return true;
  return depth > 0 && Object.values(value).every((member) => nestsAtMost(member, depth - 1));
};

/**
 * What the arguments of an invocation are known by: an HMAC of their canonical JSON, secrets included, so that neither
 * the order of keys nor how a number is spelled matters and nobody can try values out on a stolen database
 * (workspace-wire 4.3).
 *
 * @returns 64 hex digits; null for arguments that no action takes, whose like was never admitted: too deep, or with a
 * number beyond all numbers, as `1e400` reads
 */
export const macOf = (key: Buffer, args: Readonly<Record<string, unknown>>): string | null => {
  if (!nestsAtMost(args, wireLimits.argsDepth + 1)) return null;
  try {
    return createHmac('sha256', key).update(canonicalJson(args), 'utf8').digest('hex');
  } catch (error) {
    if (error instanceof CanonicalError) return null;
    throw error;
  }
};

/** A path as a caller wrote it: which workspace it is in, and the rest in its one spelling. */
export interface WrittenPath {
  /** Null where the text names none. */
  readonly workspace: string | null;
  /** Without the workspace; as sent where it is no path. */
  readonly rest: string;
}

/** Reads what a caller wrote, before anything is looked up. */
export const writtenPath = ({ connection }: Pick<Caller, 'connection'>, text: string): WrittenPath => {
  const parsed = parsePath(text);
  if (!parsed.ok) return { workspace: connection.endpoint, rest: text };
  if (connection.endpoint !== null) return { workspace: connection.endpoint, rest: printPath(parsed.path) };
  const [workspace = null, ...segments] = parsed.path.segments;
  return { workspace, rest: printPath({ ...parsed.path, segments }) };
};

interface Bound {
  readonly workspace: string;
  readonly path: string;
  readonly written_path: string;
  readonly ref: string;
  readonly action: string;
}

/** Whether a path names the bound action: as it was written, or as it resolved, by names or by keys. */
export const samePath = (bound: Bound, { workspace, rest }: WrittenPath): boolean =>
  workspace === bound.workspace && [bound.written_path, bound.path, `${bound.ref}#${bound.action}`].includes(rest);
