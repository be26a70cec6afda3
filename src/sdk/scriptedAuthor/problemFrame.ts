import type { BodyOf } from '../../../schemas/artifacts/index.ts';
import { executes } from '../../../schemas/vocabulary.ts';
import { headOf, requestOf, type Stand, selectedFiles } from './stand.ts';
import { tasksOf } from './tasks.ts';
import { clipped } from './wording.ts';

/** The bounds of texts and summaries (artifacts section 2), with room for what is said around them. */
const longestGoal = 32_000;
const longestScope = 1024;
/** A micro frame takes three facts (FRAME-02): the request and two files. */
const citedFiles = 2;

/** The request, what is known of it, and criteria that this author can meet. */
export const problemFrame = (stand: Stand): BodyOf<'ProblemFrame'> => {
  const request = requestOf(stand);
  const files = selectedFiles(stand);
  const mayChange = stand.run.requestedMode === 'fix_only' || stand.run.requestedMode === 'analyze_and_fix';
  const include = files.map(({ path }) => path).filter((path) => path.length <= longestScope);
  return {
    ...headOf(stand, 'frame'),
    originalRequestRef: request.ref,
    intentMode: stand.run.requestedMode,
    goal: clipped(request.words.trim(), longestGoal),
    knownFacts: [
      { id: 'F-request', claim: 'The user sent this request.', provenance: 'user', sourceRef: request.ref },
      ...files.slice(0, citedFiles).map(({ ref, byteSize }, index) => ({
        id: `F-file-${index + 1}`,
        claim: `A file of ${byteSize} bytes was selected as context at rank ${index + 1}.`,
        provenance: 'repository' as const,
        sourceRef: ref,
      })),
    ],
    inferences: [],
    unknowns: [],
    scope: { include: include.length > 0 ? include.slice(0, 64) : ['.'], exclude: [] },
    constraints: [
      mayChange ? 'Only the file that the change is about is changed.' : 'Nothing in the repository is changed.',
    ],
    nonGoals: [
      executes(stand.run.requestedMode)
        ? 'Judging what the request leaves to a person; this author only gathers facts.'
        : 'Carrying anything out.',
    ],
    applicableRuleRefs: [],
    draftAcceptanceCriteria: tasksOf(stand).map(({ criterion }) => criterion),
    clarification: { required: false, reason: null },
    rationaleSummary:
      'The frame keeps the words of the request and asks only for what the authority of the run can show.',
  };
};
