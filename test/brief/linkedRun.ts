import type { AnyArtifact, Artifact, PriorRun } from '../../machines/record.ts';
import { bodies, priorId, stored } from '../rules/fixtures.ts';
import { facts } from '../start/starts.ts';

const kinds = ['runtime', 'log', 'browser', 'test', 'diff', 'repository'] as const;

/** A finished run of the same repository with Evidence of several kinds. */
export const linkedRun = (): PriorRun => {
  const of = { runId: priorId };
  const kept: readonly Artifact<'Evidence'>[] = kinds.map((kind) =>
    stored('Evidence', { ...bodies.evidence(`ev-${kind}`, kind), ...of }, of),
  );
  const byId = new Map<string, AnyArtifact>(kept.map((one) => [one.id, one]));
  return {
    runId: priorId,
    repositoryRoot: facts.repositoryRoot,
    exists: true,
    get: (id) => byId.get(id),
    evidence: () => kept,
  };
};
