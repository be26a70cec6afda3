import { Id } from '../../../schemas/primitives.ts';

/** What a resource URI names (mcp-surface section 9). */
export type Named =
  | Readonly<{ kind: 'system'; ref: string }>
  | Readonly<{ kind: 'schema'; type: string }>
  | Readonly<{ kind: 'run'; runId: string }>
  | Readonly<{ kind: 'trace'; runId: string; after: number }>
  | Readonly<{ kind: 'artifact'; runId: string; artifactId: string }>;

export const runUri = (runId: string): string => `run://${runId}`;
export const schemaUri = (type: string): string => `schema://${type}`;

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    // A stray percent sign: then no id fits it either.
    return text;
  }
};

const form = /^(artifact|trace|run|schema):\/\/([^/?#]+)(?:\/([^?#]+))?(?:\?after_sequence=(\d{1,15}))?$/;

/** Reads a URI by its form; null for one that cannot name a resource of ours. */
export const readUri = (uri: string): Named | null => {
  const match = form.exec(uri);
  if (!match) return null;
  const [, scheme, first = '', rest, after] = match;
  const host = decoded(first);
  if (scheme === 'artifact' && host === 'system') return { kind: 'system', ref: uri };
  if (!Id.safeParse(host).success || (after !== undefined && scheme !== 'trace')) return null;
  if (scheme === 'artifact') {
    const artifactId = decoded(rest ?? '');
    return Id.safeParse(artifactId).success ? { kind: 'artifact', runId: host, artifactId } : null;
  }
  if (rest !== undefined) return null;
  if (scheme === 'schema') return { kind: 'schema', type: host };
  if (scheme === 'run') return { kind: 'run', runId: host };
  return { kind: 'trace', runId: host, after: Number(after ?? 0) };
};
