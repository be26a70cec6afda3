import type { Evidence } from '../../schemas/artifacts/evidence.ts';
import type { Provenance } from '../../schemas/artifacts/intent.ts';
import { anySource, type Blank } from '../../schemas/brief.ts';
import { type Artifact, uriOf } from '../record.ts';
import { originalRequestRef, type Stage } from '../rules/derived.ts';
import { choice, type Draft, headOf, list, most, number, rationale, type Stand, some, text, texts } from './draft.ts';
import { rulesOf, sourcesOf } from './sources.ts';

/** More criteria than a plan and its reviews could carry word for word in a brief. */
const mostCriteria = 8;
/** FRAME-02 */
const mostMicroFacts = 3;

/** What a fact can rest on beside user and repository: Evidence of the linked run, by its kind (FRAME-08). */
const provenanceOf = ({ kind }: Evidence): Provenance | null => {
  switch (kind) {
    case 'runtime':
    case 'log':
      return 'runtime';
    case 'browser':
      return 'browser';
    case 'tool_output':
    case 'test':
    case 'diff':
      return 'tool';
    default:
      return null;
  }
};

type FactSource = Readonly<{ provenance: Provenance; sourceRef: string }>;

const priorSources = ({ run, record }: Stand): readonly FactSource[] => {
  const { prior } = record;
  // LIN-07 and -08: what is gone, or belongs to another repository, cannot be cited.
  if (!prior?.exists || prior.repositoryRoot !== run.repositoryRoot) return [];
  return (prior.evidence?.() ?? []).slice(-most.references).flatMap((evidence: Artifact<'Evidence'>) => {
    const provenance = provenanceOf(evidence.body);
    return provenance ? [{ provenance, sourceRef: uriOf(evidence) }] : [];
  });
};

/** Each source that a fact may name, with the provenance that goes with it. */
const factSources = (stand: Stand, any: readonly string[]): readonly FactSource[] => [
  ...stand.record
    .all('UserMessage')
    .filter(({ producer }) => producer === 'user')
    .map((message) => ({ provenance: 'user' as const, sourceRef: uriOf(message) })),
  ...any.map((sourceRef) => ({ provenance: 'repository' as const, sourceRef })),
  ...priorSources(stand),
];

const criterion = (number: number, stage: Stage | null) => ({
  id: `criterion-${String(number).padStart(2, '0')}`,
  stage,
  requirement: '',
  evidenceRequired: [],
});

const moreCriteria = (present: number, staged: boolean): Blank =>
  list(
    'draftAcceptanceCriteria',
    'More of them.',
    {
      value: criterion(present + 1, staged ? null : 'completion'),
      blanks: staged
        ? [
            choice(
              'stage',
              'Shown by the diagnosis (reading and inspecting alone, no command is run), or after the fix?',
              ['completion', 'diagnosis'],
            ),
          ]
        : [],
    },
    { maximum: mostCriteria },
  );

/**
 * The draft of a ProblemFrame: everything that the run fixes is filled, and every source is one of those that can be
 * cited (guidance section 1, admission section 5). Null only in a damaged record.
 */
export const draftOfProblemFrame = (stand: Stand): Draft | null => {
  const { run, record } = stand;
  const request = originalRequestRef(record);
  if (request === undefined) return null;
  const micro = run.topology === 'micro';
  const staged = run.mode === 'analyze_and_fix';
  const stages: readonly Stage[] = staged ? ['diagnosis', 'completion'] : ['completion'];
  const sources = sourcesOf(record).length;
  const any = sources > 0 ? [anySource] : [];
  return {
    body: {
      ...headOf(stand, 'frame'),
      originalRequestRef: request,
      intentMode: run.mode,
      goal: '',
      knownFacts: [{ id: 'fact-01', claim: '', provenance: 'user', sourceRef: request }],
      inferences: [],
      unknowns: [],
      scope: { include: [], exclude: [] },
      constraints: [],
      nonGoals: [],
      applicableRuleRefs: rulesOf(record),
      draftAcceptanceCriteria: stages.map((stage, index) => criterion(index + 1, stage)),
      clarification: { required: false, reason: null },
      rationaleSummary: '',
    },
    blanks: [
      text('goal', 'What the user wants, not widened.'),
      text('knownFacts[0].claim', 'What the request says.'),
      list(
        'knownFacts',
        'What you read: one claim, one source.',
        {
          value: { id: 'fact-02', claim: '', provenance: null, sourceRef: null },
          blanks: [
            text('claim', ''),
            choice('provenance', 'Says so; {source}: any ref of sources.', factSources(stand, any)),
          ],
        },
        { maximum: micro ? mostMicroFacts : most.elements },
      ),
      list('inferences', 'What you conclude.', {
        value: { id: 'inference-01', claim: '', sourceRefs: [], confidence: null },
        blanks: [
          text('claim', ''),
          some('sourceRefs', 'What it rests on.', [request, ...any], {
            minimum: 1,
            maximum: Math.min(most.references, sources + 1),
          }),
          number('confidence', '', 0, 1),
        ],
      }),
      list('unknowns', 'What stays open; ask if only the user can settle it.', {
        value: { id: 'unknown-01', question: '', classification: null, impact: '', evidenceInspected: [] },
        blanks: [
          text('question', ''),
          choice('classification', '', ['discoverable', 'bounded_reversible', 'irrelevant']),
          text('impact', 'What depends on it.'),
        ],
      }),
      texts('scope.include', 'Paths or areas.'),
      texts('scope.exclude', ''),
      texts('constraints', 'Limits to keep.'),
      texts('nonGoals', ''),
      text('draftAcceptanceCriteria[*].requirement', 'What must be true at the end; can be checked.'),
      texts('draftAcceptanceCriteria[*].evidenceRequired', 'What would show it, e.g. "test output".', {
        minimum: 1,
        maximum: most.references,
        longest: most.label,
      }),
      ...(micro ? [] : [moreCriteria(stages.length, staged)]),
      rationale(),
    ],
    variants: [],
  };
};
