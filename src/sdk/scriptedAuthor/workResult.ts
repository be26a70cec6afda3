import { pendingNode } from '../../../machines/rules/derived.ts';
import type { WorkStatus } from '../../../schemas/artifacts/execution.ts';
import type { BodyOf } from '../../../schemas/artifacts/index.ts';
import type { Captured } from './look.ts';
import { headOf, latestRef, type Stand } from './stand.ts';
import { taskOf } from './tasks.ts';

/**
 * The result of the pending node from what was captured for it.
 *
 * @param captured in the order in which it was done; its capabilities are those of the node
 * @throws when no node is ready
 */
export const workResult = (
  stand: Stand,
  captured: readonly Captured[],
  status: WorkStatus = 'completed',
): BodyOf<'WorkResult'> => {
  const node = pendingNode(stand.record);
  if (!node) throw new Error('No node of the plan is ready.');
  const refs = captured.map(({ evidenceRef }) => evidenceRef);
  const shows = (criterionId: string): string[] =>
    captured.flatMap(({ capability, evidenceRef }) =>
      taskOf(criterionId)?.uses.includes(capability) ? [evidenceRef] : [],
    );
  return {
    ...headOf(stand, 'result'),
    workPlanRef: latestRef(stand, 'WorkPlan'),
    nodeId: node.id,
    status,
    observations: captured.map(({ finding, evidenceRef }, index) => ({
      id: `O-${index + 1}`,
      text: finding,
      status: 'observed',
      evidenceRefs: [evidenceRef],
      confidence: 1,
    })),
    inferences: [],
    actions: captured.map(({ capability, target, evidenceRef, change }, index) => ({
      id: `A-${index + 1}`,
      capability,
      target,
      mutating: change !== undefined,
      status: 'completed',
      evidenceRefs: [evidenceRef],
      rationaleSummary: 'Carried out once; its output was captured.',
    })),
    filesChanged: captured.flatMap(({ change, evidenceRef }) => (change ? [{ ...change, diffRef: evidenceRef }] : [])),
    toolEventRefs: refs,
    evidenceRefs: refs,
    testResults: [],
    acceptanceCoverage: node.acceptanceCriteria.map((criterionId) => {
      const evidenceRefs = shows(criterionId);
      return {
        criterionId,
        status: status === 'completed' && evidenceRefs.length > 0 ? 'pass' : 'unverified',
        evidenceRefs,
        rationaleSummary: `${evidenceRefs.length} pieces of evidence were captured for it.`,
      };
    }),
    unresolvedIssues: status === 'completed' ? [] : ['The node was not carried to its end.'],
    deviations: [],
    rationaleSummary: `The node ended ${status}; every statement cites what was captured.`,
  };
};
