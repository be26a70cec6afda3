import { readinessWeights } from '../../schemas/artifacts/promptReview.ts';
import { correctionFields } from '../../schemas/artifacts/shared.ts';
import type { Blank, Variant } from '../../schemas/brief.ts';
import { uriOf } from '../record.ts';
import { originalRequestRef } from '../rules/derived.ts';
import { requiredCoverage } from '../rules/promptReview.ts';
import { choice, type Draft, headOf, list, number, rationale, type Stand, some, text } from './draft.ts';
import { contractGates } from './instructions/contractReadiness.ts';

/** `overallScore` as its rule computes it, factor by factor. */
const formula = Object.entries(readinessWeights)
  .map(([dimension, weight]) => `${weight}*dimensionScores.${dimension}`)
  .join(' + ');

const scores = (least: number): Blank => number('dimensionScores.*', 'Your score, 100 is best.', least, 100);
const gates = (answers: readonly boolean[]): Blank =>
  choice('hardGates[*].passed', 'Your answer to its description.', answers);
const coverage = (words: readonly string[]): Blank =>
  choice('coverage[*].status', 'Is the source carried over by these fields?', words);

const finding = (id: string, severity: string | null, contractRef: string) => ({
  id,
  severity,
  claim: '',
  sourceRefs: [contractRef],
  rubricDimension: null,
  requiredCorrection: null,
  preserveFields: [],
  correctionFields: [],
  rationaleSummary: '',
});

const blocking = 'blocking-01';
const field = 'findings[0].correctionFields';

const reviseVariant = (contractRef: string): Variant => ({
  name: 'revise',
  when: 'Fields of the contract must be mended first; this is the one revision.',
  patch: {
    decision: 'revise',
    findings: [{ ...finding(blocking, 'blocking', contractRef), requiredCorrection: '', correctionFields: [null] }],
  },
  blanks: [
    text('findings[0].requiredCorrection', 'What the fields must say instead.'),
    choice(`${field}[0]`, 'The field to mend.', correctionFields),
    some(field, 'More fields; no others may change.', correctionFields),
  ],
});

const passVariant: Variant = {
  name: 'pass',
  when: 'Every gate holds, every source is covered, every score is 80 or more.',
  patch: { decision: 'pass' },
  blanks: [scores(80), gates([true]), coverage(['covered'])],
};

const blockVariant = (contractRef: string): Variant => ({
  name: 'block',
  when: 'A gate fails that no revision mends; the run then reports blocked.',
  patch: { decision: 'block', findings: [finding(blocking, 'blocking', contractRef)] },
  blanks: [gates([false, true])],
});

/**
 * The draft of a PromptReview of the current contract: coverage as it must be, each gate of the rubric with the artifact
 * that it asks about (guidance section 1, admission section 8.1). Null only in a damaged record.
 */
export const draftOfPromptReview = (stand: Stand): Draft | null => {
  const { run, record } = stand;
  const contract = record.latest('TaskContract');
  const request = originalRequestRef(record);
  const sources = requiredCoverage(record);
  if (!contract || request === undefined || !sources) return null;
  const contractRef = uriOf(contract);
  const about = { request, frame: contract.body.problemFrameRef, contract: contractRef };
  const revisionNumber = contract.body.version - 1;
  const revisable = revisionNumber === 0 && run.budgets.revisions > 0;
  const others = [about.frame, about.request];
  return {
    body: {
      ...headOf(stand, 'prompt-review'),
      targetRef: contractRef,
      rubricId: 'contract-readiness-v1',
      revisionNumber,
      coverage: sources.map((source) => ({ ...source, status: null })),
      dimensionScores: Object.fromEntries(Object.keys(readinessWeights).map((dimension) => [dimension, null])),
      overallScore: null,
      hardGates: contractGates.map((gate) => ({
        id: gate.id,
        passed: null,
        description: gate.question,
        evidenceRefs: [about[gate.about]],
        rationaleSummary: '',
      })),
      findings: [],
      decision: null,
      rationaleSummary: '',
    },
    blanks: [
      coverage(['covered', 'partial', 'missing']),
      scores(0),
      number('overallScore', 'Computed, not judged.', 0, 100, formula),
      gates([true, false]),
      rationale('hardGates[*].rationaleSummary'),
      text('findings[*].claim', 'What you found.'),
      some('findings[*].sourceRefs', 'What else shows it.', others, { maximum: 3 }),
      rationale('findings[*].rationaleSummary'),
      list(
        'findings',
        'Remarks that stop nothing.',
        {
          value: finding('finding-01', null, contractRef),
          blanks: [choice('severity', '', ['info', 'warning'])],
        },
        { maximum: 16 },
      ),
      rationale(),
    ],
    variants: [passVariant, ...(revisable ? [reviseVariant(contractRef)] : []), blockVariant(contractRef)],
  };
};
