import type { AnyArtifact } from '../../../machines/record.ts';
import { canonicalForm, canonicalJson } from '../../../schemas/canonical.ts';
import { limits, schemaVersion } from '../../../schemas/vocabulary.ts';
import { chainStart, linkHash, metaText } from '../chain.ts';
import { damagedArtifact, LedgerError } from '../errors.ts';
import type { Commit, Ledger } from '../ledger.ts';
import { insertArtifact } from './artifactRow.ts';
import type { Database } from './driver.ts';
import type { Reading } from './reading.ts';
import type { Statements } from './statements.ts';

/** A commit with everything serialised that needs no look at the store, so that the lock is held for the writing alone. */
interface Prepared {
  readonly commit: Commit;
  readonly payload: string;
  readonly artifacts: readonly Readonly<{ artifact: AnyArtifact; meta: string; body: string }>[];
  readonly trace: readonly string[];
  readonly denials: number;
}

const overLimit = (runId: string, what: string): LedgerError =>
  new LedgerError('quota_exceeded', `Run ${runId} cannot keep this: ${what}.`, ['Finish or cancel the run.'], {
    runId,
  });

const prepareArtifact = (artifact: AnyArtifact): Prepared['artifacts'][number] => {
  const { text: body, bytes, sha256 } = canonicalForm(artifact.body);
  if (bytes > limits.bodyBytes)
    throw overLimit(artifact.runId, `the body of ${artifact.id} is ${bytes} bytes, ${limits.bodyBytes} are allowed`);
  if (sha256 !== artifact.sha256)
    throw damagedArtifact(artifact.runId, artifact.id, 'the digest handed in is not the one of its body');
  return { artifact, body, meta: metaText({ ...artifact, schemaVersion }) };
};

const prepareCommit = (commit: Commit): Prepared => {
  for (const { summary } of commit.trace)
    if (summary.length > limits.traceSummary)
      throw overLimit(
        commit.runId,
        `a trace summary has ${summary.length} characters, ${limits.traceSummary} are allowed`,
      );
  return {
    commit,
    payload: canonicalJson(commit.event.payload),
    artifacts: commit.artifacts.map(prepareArtifact),
    trace: commit.trace.map((draft) => canonicalJson(draft)),
    denials: commit.trace.filter(({ event }) => event === 'transition_denied').length,
  };
};

/**
 * The one write of the `Ledger` interface: event, bodies, artifacts, trace and run row in one immediate transaction,
 * conditioned on the head (architecture, ledger; admission COM-11 to COM-16 as the last line).
 *
 * @throws LedgerError `id_taken`, `quota_exceeded`, `integrity_failed`; SQLite's own error when the disk refuses. In
 *   each case nothing was written.
 */
export const writingOf = (db: Database, sql: Statements, reading: Pick<Reading, 'rowOf'>): Ledger['commit'] => {
  const writeArtifact = (entry: Prepared['artifacts'][number], position: number, eventSequence: number): void => {
    const { artifact, body } = entry;
    if (sql.hasArtifact.get(artifact.runId, artifact.id) !== undefined)
      throw new LedgerError(
        'id_taken',
        `Run ${artifact.runId} already has an artifact ${artifact.id}.`,
        ['Choose another id.'],
        { runId: artifact.runId, artifactId: artifact.id },
      );
    insertArtifact(sql, artifact, body, { position, eventSequence });
  };

  const write = db.transaction(({ commit, payload, artifacts, trace, denials }: Prepared): boolean => {
    const { runId, event, run } = commit;
    const before = reading.rowOf(runId);
    if ((before?.head ?? 0) !== commit.expectedHead) return false;

    const artifactCount = (before?.artifact_count ?? 0) + artifacts.length;
    if (artifactCount > limits.artifacts) throw overLimit(runId, `it would hold ${artifactCount} artifacts`);
    const traceCount = (before?.trace_count ?? 0) + trace.length;
    if (traceCount > limits.traceEvents) throw overLimit(runId, `its trace would have ${traceCount} events`);

    const sequence = commit.expectedHead + 1;
    const { version } = run.context;
    const link = {
      previousHash: before?.head_hash ?? chainStart,
      runId,
      sequence,
      type: event.type,
      version,
      at: event.at,
      payload,
      artifacts: artifacts.map(({ meta }) => meta),
      trace,
    };
    const hash = linkHash(link);
    const row = {
      runId,
      machineVersion: run.machineVersion,
      version,
      context: canonicalJson(run.context),
      snapshot: run.snapshot,
      head: sequence,
      headHash: hash,
      artifactCount,
      traceCount,
      denials: denials + (before !== null && before.version === version ? before.denials : 0),
    };
    if (before === null && sql.tombstone.get(runId) !== undefined)
      throw new LedgerError(
        'id_taken',
        `Run ${runId} was deleted from this ledger; its id is never used again.`,
        ['Start a run under another id.'],
        { runId },
      );
    if (before === null) sql.insertRun.run({ ...row, schemaVersion });
    else sql.updateRun.run(row);
    sql.insertEvent.run({
      runId,
      sequence,
      version,
      type: event.type,
      at: event.at,
      payload,
      previousHash: link.previousHash,
      hash,
    });
    artifacts.forEach((entry, index) => {
      writeArtifact(entry, (before?.artifact_count ?? 0) + index + 1, sequence);
    });
    trace.forEach((entry, index) => {
      sql.insertTrace.run(runId, (before?.trace_count ?? 0) + index + 1, sequence, entry);
    });
    return true;
  });

  return (commit) => write.immediate(prepareCommit(commit));
};
