import { uriOf } from '../record.ts';
import { type Draft, headOf, most, rationale, type Stand, text, texts } from './draft.ts';

/**
 * The draft of a ScenarioSpec, a retelling of the frame for people; null where none is taken: without a frame, or when
 * the frame has its one (SCEN-04).
 */
export const draftOfScenarioSpec = (stand: Stand): Draft | null => {
  const frame = stand.record.latest('ProblemFrame');
  if (!frame) return null;
  const frameRef = uriOf(frame);
  if (stand.record.all('ScenarioSpec').some(({ body }) => body.problemFrameRef === frameRef)) return null;
  return {
    body: {
      ...headOf(stand, 'scenario'),
      problemFrameRef: frameRef,
      title: '',
      narrative: '',
      actor: '',
      observableSymptoms: [],
      desiredOutcome: '',
      sourceMap: [{ field: 'narrative', sourceRefs: [frameRef] }],
      promptReadinessRubricRef: 'artifact://system/rubrics/contract-readiness-v1',
      rationaleSummary: '',
    },
    blanks: [
      text('title', '', { maximum: most.label }),
      text('narrative', 'The frame as a story.'),
      text('actor', 'Who has the problem.', { maximum: most.label }),
      texts('observableSymptoms', ''),
      text('desiredOutcome', ''),
      rationale(),
    ],
    variants: [],
  };
};
