import type { BodyOf } from '../../../schemas/artifacts/index.ts';
import { headOf, latest, latestRef, type Stand } from './stand.ts';

/** A retelling of the frame; it adds no authority. */
export const scenarioSpec = (stand: Stand): BodyOf<'ScenarioSpec'> => {
  const frameRef = latestRef(stand, 'ProblemFrame');
  return {
    ...headOf(stand, 'scenario'),
    problemFrameRef: frameRef,
    title: 'The request as a short story',
    narrative: 'Somebody asks about this repository and wants an answer whose every statement can be looked up.',
    actor: 'The user of this repository',
    observableSymptoms: ['The answer is not written down yet.'],
    desiredOutcome: latest(stand, 'ProblemFrame').body.goal,
    sourceMap: [{ field: 'narrative', sourceRefs: [frameRef] }],
    promptReadinessRubricRef: 'artifact://system/rubrics/contract-readiness-v1',
    rationaleSummary: 'Retells the frame for readers; nothing is added to it.',
  };
};
