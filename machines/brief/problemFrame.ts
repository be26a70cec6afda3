import type { Evidence } from '../../schemas/artifacts/evidence.ts';
import type { Provenance } from '../../schemas/artifacts/intent.ts';
import type { Blank } from '../../schemas/brief.ts';
import { type Artifact, uriOf } from '../record.ts';
import { originalRequestRef, type Stage } from '../rules/derived.ts';
import {
  choice,
  type Draft,
  headOf,
  list,
  most,
  number,
  rationale,
  type Stand,
  some,
  summary,
  text,
  texts,
} from './draft.ts';
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
const factSources = (stand: Stand): readonly FactSource[] => [
  ...sourcesOf(stand.record).map(({ ref }) => ({ provenance: 'repository' as const, sourceRef: ref })),
  ...stand.record
    .all('UserMessage')
    .filter(({ producer }) => producer === 'user')
    .map((message) => ({ provenance: 'user' as const, sourceRef: uriOf(message) })),
  ...priorSources(stand),
];

const criterion = (number: number, stage: Stage | null) => ({
  id: `criterion-${String(number).padStart(2, '0')}`,
  stage,
  requirement: '',
  evidenceRequired: [],
});

const criterionBlanks = (at: string): readonly Blank[] => [
  text(`${at}requirement`, 'What must be true at the end, so that it can be checked.'),
  texts(`${at}evidenceRequired`, 'What would show it, e.g. "test output".', {
    minimum: 1,
    maximum: most.references,
    longest: most.label,
  }),
];

const moreCriteria = (present: number, staged: boolean): Blank =>
  list(
    'draftAcceptanceCriteria',
    'More, if one is not enough.',
    {
      value: criterion(present + 1, staged ? null : 'completion'),
      blanks: [
        ...(staged ? [choice('stage', 'Shown by the diagnosis, or after the fix?', ['completion', 'diagnosis'])] : []),
        ...criterionBlanks(''),
      ],
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
  const citable = [...sourcesOf(record).map(({ ref }) => ref), request];
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
      text('goal', 'What the user wants, in your words, not widened.'),
      text('knownFacts[0].claim', 'What the request says.'),
      list(
        'knownFacts',
        'What you read. One claim, one source.',
        {
          value: { id: 'fact-02', claim: '', provenance: null, sourceRef: null },
          blanks: [
            text('claim', ''),
            choice('provenance', 'The source that says so; fills sourceRef too.', factSources(stand)),
          ],
        },
        { maximum: micro ? mostMicroFacts : most.elements },
      ),
      list('inferences', 'What you conclude.', {
        value: { id: 'inference-01', claim: '', sourceRefs: [], confidence: null },
        blanks: [
          text('claim', ''),
          some('sourceRefs', 'What it rests on.', citable, { minimum: 1 }),
          number('confidence', '', 0, 1),
        ],
      }),
      list('unknowns', 'What you could not tell. Ask, if only the user can settle it.', {
        value: { id: 'unknown-01', question: '', classification: null, impact: '', evidenceInspected: [] },
        blanks: [
          text('question', ''),
          choice('classification', '', ['discoverable', 'bounded_reversible', 'irrelevant']),
          summary('impact', 'What depends on it.'),
        ],
      }),
      texts('scope.include', 'Paths or areas that belong to it.', { longest: 1024 }),
      texts('scope.exclude', 'Those that do not.', { longest: 1024 }),
      texts('constraints', 'Limits that the work keeps.'),
      texts('nonGoals', 'What it does not do.'),
      ...criterionBlanks('draftAcceptanceCriteria[*].'),
      ...(micro ? [] : [moreCriteria(stages.length, staged)]),
      rationale(),
    ],
    variants: [],
  };
};
