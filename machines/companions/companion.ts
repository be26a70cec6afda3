import type { BodyOf } from '../../schemas/artifacts/index.ts';
import { digest } from '../../schemas/canonical.ts';
import type { LogicalRole, StoredType } from '../../schemas/vocabulary.ts';
import type { Artifact, RunRecord } from '../record.ts';

/**
 * The first free id of a numbered series: `contract-01`, `contract-02`, … A host may have taken the first one, also
 * with the very artifact that the companion is stored beside (D6).
 */
export const freeId = (record: RunRecord, stem: string, beside: string): string => {
  for (let number = 1; ; number += 1) {
    const id = `${stem}-${String(number).padStart(2, '0')}`;
    if (id !== beside && record.indexOf(id) < 0) return id;
  }
};

/** An artifact that the controller writes beside a submitted one, in the role that would have written it. */
export const companion = <T extends StoredType>(
  type: T,
  producer: LogicalRole,
  id: string,
  runId: string,
  body: BodyOf<T>,
  sourceRefs: readonly string[],
  createdAt: string,
): Artifact<T> => ({
  id,
  runId,
  type,
  producer,
  sha256: digest(body),
  sourceRefs,
  redaction: 'none',
  createdAt,
  body,
});
