import type { AnyArtifact, Artifact } from '../../machines/record.ts';
import { uriOf } from '../../machines/record.ts';
import type { Bundle } from '../ledger/bundle.ts';

/**
 * The final report of a run as an in-toto statement: its subjects are what the run leaves, each with its SHA-256, its
 * predicate is the report with where it comes from. It is unsigned: whoever signs it vouches for it.
 */
export interface Statement {
  readonly _type: 'https://in-toto.io/Statement/v1';
  readonly subject: readonly Readonly<{ name: string; digest: Readonly<{ sha256: string }> }>[];
  readonly predicateType: 'urn:telic:final-report:v1';
  readonly predicate: Readonly<{
    runId: string;
    mode: string;
    topology: string;
    status: string;
    schemaVersion: string;
    machineVersion: string;
    /** Number of events of the chain, and the hash of the last: it stands for everything before it. */
    chain: Readonly<{ head: number; headHash: string }>;
    reportRef: string;
    reportedAt: string;
    report: Artifact<'UserReport'>['body'];
  }>;
}

const subject = (name: string, digest: string): Statement['subject'][number] => ({
  name,
  digest: { sha256: digest.replace(/^sha256:/, '') },
});

/** The files that the run changed, each with the digest that its last change left; deleted ones have none. */
const changedFiles = (artifacts: readonly AnyArtifact[]): ReadonlyMap<string, string> => {
  const left = new Map<string, string>();
  for (const artifact of artifacts)
    if (artifact.type === 'WorkResult')
      for (const { path, afterHash } of artifact.body.filesChanged) {
        left.delete(path);
        if (afterHash !== null) left.set(path, afterHash);
      }
  return new Map([...left].sort(([one], [two]) => (one < two ? -1 : 1)));
};

/**
 * The statement of a run's final report; null while there is none.
 *
 * @param artifacts all artifacts of the run, in their order
 * @param run how the run stands
 * @param bundleDigest the digest of the run's bundle: the same run gives the same bytes
 */
export const statementOf = (
  { history: { run } }: Bundle,
  artifacts: readonly AnyArtifact[],
  { mode, topology, status }: Readonly<{ mode: string; topology: string; status: string }>,
  bundleDigest: string,
): Statement | null => {
  const report = artifacts.findLast((artifact) => artifact.type === 'UserReport');
  if (!report) return null;
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: [
      subject(uriOf(report), report.sha256),
      subject(`${run.runId}.telic`, bundleDigest),
      ...[...changedFiles(artifacts)].map(([path, digest]) => subject(path, digest)),
    ],
    predicateType: 'urn:telic:final-report:v1',
    predicate: {
      runId: run.runId,
      mode,
      topology,
      status,
      schemaVersion: run.schemaVersion,
      machineVersion: run.machineVersion,
      chain: { head: run.head, headHash: run.headHash },
      reportRef: uriOf(report),
      reportedAt: report.createdAt,
      report: report.body,
    },
  };
};
