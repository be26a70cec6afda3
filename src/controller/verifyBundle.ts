import type { Artifact, PriorRun } from '../../machines/record.ts';
import { bodySchemas } from '../../schemas/artifacts/index.ts';
import { digestOfText } from '../../schemas/canonical.ts';
import type { Difference } from '../../schemas/verification.ts';
import { type Bundle, type BundleReading, type LinkedArtifact, type LinkedRun, readBundle } from '../ledger/bundle.ts';
import type { RunHistory } from '../ledger/history.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { PriorReader } from './reexecute.ts';
import { type Verification, verifyHistory } from './verifyRun.ts';

/** Bundles of runs: made from a ledger, and verified without one. */

const evidenceOf = ({ meta, body }: LinkedArtifact): Artifact<'Evidence'> | null => {
  if (meta.type !== 'Evidence' || body === null || digestOfText(body) !== meta.sha256) return null;
  const parsed = bodySchemas.Evidence.safeParse(JSON.parse(body));
  const { schemaVersion: _, type: __, ...rest } = meta;
  return parsed.success ? { ...rest, type: 'Evidence', body: parsed.data } : null;
};

const priorWith =
  (linked: LinkedRun | null): PriorReader =>
  (runId): PriorRun => {
    const here = linked?.runId === runId ? linked : null;
    const known = new Map(here?.artifacts.map((artifact) => [artifact.meta.id, artifact]));
    return {
      runId,
      repositoryRoot: here?.repositoryRoot ?? '',
      exists: here !== null,
      get: (id) => {
        const found = known.get(id);
        return (found && evidenceOf(found)) ?? undefined;
      },
    };
  };

const linkedDifferences = (linked: LinkedRun | null): readonly Difference[] =>
  (linked?.artifacts ?? [])
    .filter((artifact) => artifact.meta.runId !== linked?.runId || evidenceOf(artifact) === null)
    .map(({ meta }) => ({
      sequence: 0,
      kind: 'body',
      expected: `Evidence of run ${linked?.runId}`,
      found: `${meta.type} ${meta.id} of run ${meta.runId}`,
      artifactId: meta.id,
    }));

/** What a verification found of a bundle, and the run in it where it could be read. */
export interface BundleVerification extends Verification {
  /** The digest of the whole file. */
  readonly sha256: string;
  readonly bundle: Bundle | null;
}

const verifyReading = ({ bundle, differences, sha256 }: BundleReading): BundleVerification => {
  const nothing = { runId: '', events: 0, artifacts: 0, trace: 0, notJudged: [] };
  if (!bundle) return { ...nothing, differences, sha256, bundle };
  const found = verifyHistory(bundle.history, priorWith(bundle.linked));
  return {
    ...found,
    differences: [...differences, ...linkedDifferences(bundle.linked), ...found.differences],
    sha256,
    bundle,
  };
};

/** Verifies the bytes of a bundle: the file, then the run in it as `verifyRun` does. */
export const verifyBundle = (bytes: Buffer): BundleVerification => verifyReading(readBundle(bytes));

/** The ids of the linked run's artifacts that the texts of a run name. */
const citedIds = ({ events }: RunHistory, priorRunId: string): readonly string[] => {
  const reference = new RegExp(`artifact://${priorRunId.replaceAll(/[^\w-]/g, '\\$&')}/([^/"\\\\]+)`, 'g');
  const texts = events.flatMap(({ payload, artifacts }) => [
    payload,
    ...artifacts.flatMap(({ meta, body }) => [body ?? '', ...meta.sourceRefs]),
  ]);
  const ids = texts.flatMap((text) =>
    [...text.matchAll(reference)].flatMap(([, id]) => (id === undefined ? [] : [id])),
  );
  return [...new Set(ids)].sort();
};

/**
 * A run of a ledger with the Evidence of its linked run that it cites.
 *
 * @throws LedgerError `integrity_failed` when the linked run is damaged
 */
export const bundleOf = (ledger: Ledger, history: RunHistory, priorRunId: string | null): Bundle => {
  const prior = priorRunId === null ? null : ledger.run(priorRunId);
  if (priorRunId === null || prior === null) return { history, linked: null };
  const cited = new Set(citedIds(history, priorRunId));
  const artifacts = (ledger.history(priorRunId)?.events ?? [])
    .flatMap((event) => event.artifacts)
    .filter(({ meta }) => meta.type === 'Evidence' && cited.has(meta.id))
    .map(({ meta, body }): LinkedArtifact => ({ meta, body }));
  return { history, linked: { runId: priorRunId, repositoryRoot: prior.context.repositoryRoot, artifacts } };
};
