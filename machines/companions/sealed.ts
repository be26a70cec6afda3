import type { BodyOf } from '../../schemas/artifacts/index.ts';
import { digest } from '../../schemas/canonical.ts';
import type { LogicalRole, StoredType } from '../../schemas/vocabulary.ts';
import type { Artifact } from '../record.ts';

/** An artifact that the controller itself writes: its metadata and the digest of its body (artifacts section 11). */
export const sealed = <T extends StoredType>(
  type: T,
  producer: LogicalRole,
  at: Readonly<{ runId: string; id: string; createdAt: string }>,
  body: BodyOf<T>,
  sourceRefs: readonly string[] = [],
): Artifact<T> => ({
  id: at.id,
  runId: at.runId,
  type,
  producer,
  sha256: digest(body),
  sourceRefs,
  redaction: 'none',
  createdAt: at.createdAt,
  body,
});
