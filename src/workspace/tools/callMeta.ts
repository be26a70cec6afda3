import { z } from 'zod';
import { CallMeta, metaKey } from '../../../schemas/wire/meta.ts';
import type { ParsedWire } from './parseArguments.ts';

const Holder = z.looseObject({ [metaKey]: CallMeta.optional() });

/**
 * What a call says of itself under `_meta` (workspace-wire section 3). Keys beside ours and unknown keys of ours are let
 * pass; a known key of the wrong type makes the call malformed (D-12).
 *
 * @param meta the call's `_meta`; absent counts as saying nothing
 */
export const parseCallMeta = (meta: unknown): ParsedWire<CallMeta> => {
  const parsed = Holder.safeParse(meta ?? {});
  if (parsed.success) return { ok: true, value: CallMeta.parse(parsed.data[metaKey] ?? {}) };
  return {
    ok: false,
    problems: parsed.error.issues.map(({ message, path }) => ({ message, path: ['_meta', ...path] })),
  };
};
