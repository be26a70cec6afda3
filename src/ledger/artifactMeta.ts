import type { Artifact } from '../../machines/record.ts';

/** Metadata of a stored artifact: everything but the body. */
export type ArtifactMeta = Omit<Artifact, 'body'> & Readonly<{ schemaVersion: '1.0' }>;
