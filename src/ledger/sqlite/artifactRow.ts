import { canonicalJson } from '../../../schemas/canonical.ts';
import { damagedArtifact } from '../errors.ts';
import type { ArtifactMeta } from '../ledger.ts';
import type { Statements } from './statements.ts';

/**
 * Writes an artifact's row and its body. Equal bodies share one row, which is never written again; a damaged one must not
 * pass for the body that comes in.
 *
 * @param body the body's text as it is stored
 * @throws LedgerError `integrity_failed` when the ledger holds another body under the digest
 */
export const insertArtifact = (
  sql: Statements,
  meta: Omit<ArtifactMeta, 'schemaVersion'>,
  body: string,
  place: Readonly<{ position: number; eventSequence: number }>,
): void => {
  if (sql.insertBody.run(meta.sha256, body).changes === 0 && sql.holdsBody.get(body, meta.sha256) !== 1)
    throw damagedArtifact(meta.runId, meta.id, 'the ledger holds another body under its digest');
  const { runId, id, type, producer, sha256, redaction, createdAt } = meta;
  sql.insertArtifact.run({
    runId,
    ...place,
    id,
    type,
    producer,
    sha256,
    sourceRefs: canonicalJson(meta.sourceRefs),
    redaction,
    createdAt,
  });
};
