import { canonicalJson, digestOfText } from '../../schemas/canonical.ts';
import type { ArtifactMeta } from './ledger.ts';

/** The `previousHash` of a run's first row. */
export const chainStart = `sha256:${'0'.repeat(64)}`;

/** One row of a run's chain as it is hashed; texts are canonical JSON. */
export interface Link {
  readonly previousHash: string;
  readonly runId: string;
  readonly sequence: number;
  readonly type: string;
  /** The run's version after the event. */
  readonly version: number;
  readonly at: string;
  readonly payload: string;
  /** The metadata of the artifacts that the event stored, in order; the digest in it stands for the body. */
  readonly artifacts: readonly string[];
  /** The trace entries that the event wrote, in order, as `TraceDraft`s. */
  readonly trace: readonly string[];
}

/**
 * The metadata of an artifact as the chain hashes it: canonical JSON of
 * `{ createdAt, id, producer, redaction, runId, schemaVersion, sha256, sourceRefs, type }`.
 */
export const metaText = (meta: ArtifactMeta): string =>
  canonicalJson({
    createdAt: meta.createdAt,
    id: meta.id,
    producer: meta.producer,
    redaction: meta.redaction,
    runId: meta.runId,
    schemaVersion: meta.schemaVersion,
    sha256: meta.sha256,
    sourceRefs: meta.sourceRefs,
    type: meta.type,
  });

/**
 * What a row's hash is taken of: the canonical JSON of
 * `{ artifacts: [meta…], at, payload, previousHash, runId, sequence, trace: [draft…], type, version }`.
 * It is put together from the stored texts, so that nothing is serialised twice and no altered byte is read over.
 */
export const linkText = (link: Link): string =>
  [
    `{"artifacts":[${link.artifacts.join(',')}]`,
    `"at":${canonicalJson(link.at)}`,
    `"payload":${link.payload}`,
    `"previousHash":${canonicalJson(link.previousHash)}`,
    `"runId":${canonicalJson(link.runId)}`,
    `"sequence":${link.sequence}`,
    `"trace":[${link.trace.join(',')}]`,
    `"type":${canonicalJson(link.type)}`,
    `"version":${link.version}}`,
  ].join(',');

/** The SHA-256 of a row, in the form of every digest (`sha256:` and 64 hex digits): a run is a hash chain (architecture, ledger). */
export const linkHash = (link: Link): string => digestOfText(linkText(link));
