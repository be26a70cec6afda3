import type { BodyOf } from '../../schemas/artifacts/index.ts';
import { parseArtifactUri, type RunRecord, uriOf } from '../record.ts';

/** What a finished run hands on to the one that links it: told in the answer of the start, stored nowhere. */
export interface Lineage {
  readonly priorRunId: string;
  readonly goal: string | null;
  readonly scope: BodyOf<'ProblemFrame'>['scope'] | null;
  readonly criterionIds: readonly string[];
  /** Evidence of the prior run behind the claims of its report: what this run may cite. */
  readonly evidenceRefs: readonly string[];
  readonly refs: Readonly<{
    problemFrameRef: string | null;
    taskContractRef: string | null;
    userReportRef: string | null;
  }>;
}

/**
 * The contract delta of a prior run: goal and scope of its last frame, criteria of its last contract, evidence of the
 * claims of its report. Rule: admission section 14.
 */
export const lineageOf = (prior: RunRecord): Lineage => {
  const frame = prior.latest('ProblemFrame');
  const contract = prior.latest('TaskContract');
  const report = prior.latest('UserReport');
  const cited = new Set(report?.body.completionClaims.flatMap(({ evidenceRefs }) => evidenceRefs));
  return {
    priorRunId: prior.runId,
    goal: frame?.body.goal ?? null,
    scope: frame?.body.scope ?? null,
    criterionIds: contract?.body.acceptanceCriteria.map(({ id }) => id) ?? [],
    evidenceRefs: [...cited].filter((ref) => {
      const at = parseArtifactUri(ref);
      return at?.runId === prior.runId && prior.get(at.id)?.type === 'Evidence';
    }),
    refs: {
      problemFrameRef: frame ? uriOf(frame) : null,
      taskContractRef: contract ? uriOf(contract) : null,
      userReportRef: report ? uriOf(report) : null,
    },
  };
};
