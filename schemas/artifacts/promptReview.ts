import { z } from 'zod';
import { rule, withRules } from '../bodyRules.ts';
import { ArtifactUri, head, int, list, num, RefUri, Summary } from '../primitives.ts';
import { against, blockingOnes, ContractField, closedGates, Finding, HardGate } from './shared.ts';

/** Whether a contract is ready to be worked on (artifacts 6.4). */

export const CoverageStatus = z.enum(['covered', 'partial', 'missing']);
export type CoverageStatus = z.infer<typeof CoverageStatus>;

export const ContractDecision = z.enum(['pass', 'revise', 'block']);
export type ContractDecision = z.infer<typeof ContractDecision>;

export const ContractCoverage = z.strictObject({
  sourceRef: RefUri,
  contractFields: list(ContractField, 1),
  status: CoverageStatus,
});
export type ContractCoverage = z.infer<typeof ContractCoverage>;

const score = num(0, 100);
export const ReadinessScores = z.strictObject({
  intentFidelity: score,
  repositoryGrounding: score,
  constraintsAndPermissions: score,
  testableAcceptance: score,
  executionFeasibility: score,
  contextEfficiency: score,
});
export type ReadinessScores = z.infer<typeof ReadinessScores>;

/** The least overall score of a contract that passes, and of a quality review that passes. */
export const passingScore = 80;

/** How much each dimension counts, in the order in which `readinessScore` adds them. */
export const readinessWeights = {
  intentFidelity: 0.3,
  repositoryGrounding: 0.2,
  constraintsAndPermissions: 0.15,
  testableAcceptance: 0.2,
  executionFeasibility: 0.1,
  contextEfficiency: 0.05,
} as const satisfies Record<keyof ReadinessScores, number>;

/**
 * The weighted score, 0 to 100, rounded to two decimals. Evaluated in doubles in exactly this order: another order, or
 * scaled integers, round some fractional scores differently, and the comparison is exact (artifacts 6.4).
 */
export const readinessScore = (of: ReadinessScores): number => {
  const by = readinessWeights;
  return (
    Math.round(
      (of.intentFidelity * by.intentFidelity +
        of.repositoryGrounding * by.repositoryGrounding +
        of.constraintsAndPermissions * by.constraintsAndPermissions +
        of.testableAcceptance * by.testableAcceptance +
        of.executionFeasibility * by.executionFeasibility +
        of.contextEfficiency * by.contextEfficiency) *
        100,
    ) / 100
  );
};

const Fields = z.strictObject({
  ...head,
  targetRef: ArtifactUri,
  rubricId: z.literal('contract-readiness-v1'),
  revisionNumber: int(0, 1),
  coverage: list(ContractCoverage),
  dimensionScores: ReadinessScores,
  overallScore: score,
  hardGates: list(HardGate, 1),
  findings: list(Finding),
  decision: ContractDecision,
  rationaleSummary: Summary,
});
type Review = z.output<typeof Fields>;

const objections = ({ hardGates, findings }: Review): readonly string[] => [
  ...closedGates(hardGates),
  ...blockingOnes(findings),
];

const uncovered = ({ overallScore, coverage }: Review): readonly string[] => [
  ...(overallScore < passingScore ? [`overallScore is ${overallScore}, below ${passingScore}`] : []),
  ...(coverage.length === 0 ? ['coverage is empty'] : []),
  ...coverage.flatMap(({ status }, index) => (status === 'covered' ? [] : [`coverage.${index} is "${status}"`])),
];

export const promptReviewRules = [
  rule<Review>(
    'SCH-PREVIEW-01',
    ['overallScore'],
    'overallScore is the weighted sum of the six scores, rounded to two decimals.',
    `Write the expected number; the weights are ${Object.entries(readinessWeights)
      .map(([dimension, weight]) => `${dimension} ${weight}`)
      .join(', ')}.`,
    ({ overallScore, dimensionScores }) =>
      overallScore !== readinessScore(dimensionScores) &&
      `overallScore is ${overallScore}, the six scores give ${readinessScore(dimensionScores)}`,
    ({ dimensionScores }) => readinessScore(dimensionScores),
  ),
  rule<Review>(
    'SCH-PREVIEW-02',
    ['decision'],
    'A pass has every gate passed and no blocking finding.',
    'Decide revise or block, or clear what stands against the pass.',
    (body) => body.decision === 'pass' && against('pass', objections(body)),
    () => ['block', 'revise'],
  ),
  rule<Review>(
    'SCH-PREVIEW-03',
    ['decision'],
    'A block rests on a gate that did not pass or on a blocking finding.',
    'Name the gate or the finding that blocks, or decide otherwise.',
    (body) =>
      body.decision === 'block' &&
      objections(body).length === 0 &&
      'decision is "block", yet every gate passed and no finding is blocking',
    () => ['pass', 'revise'],
  ),
  rule<Review>(
    'SCH-PREVIEW-04',
    ['decision'],
    `A pass has a score of at least ${passingScore} and covers every source in full.`,
    'Decide revise or block, or judge score and coverage again.',
    (body) => body.decision === 'pass' && against('pass', uncovered(body)),
    () => ['revise', 'block'],
  ),
  rule<Review>(
    'SCH-PREVIEW-05',
    ['revisionNumber'],
    'A contract is revised once.',
    'Decide pass or block: no revision is left.',
    ({ decision, revisionNumber }) =>
      decision === 'revise' && revisionNumber >= 1 && `decision is "revise" and revisionNumber is ${revisionNumber}`,
  ),
  rule<Review>(
    'SCH-PREVIEW-06',
    ['findings'],
    'A revision names at least one blocking finding with the correction it requires.',
    'Add a blocking finding whose requiredCorrection says what to change.',
    ({ decision, findings }) =>
      decision === 'revise' &&
      !findings.some(({ severity, requiredCorrection }) => severity === 'blocking' && requiredCorrection !== null) &&
      'decision is "revise" and no blocking finding has a requiredCorrection',
  ),
  rule<Review>(
    'SCH-PREVIEW-07',
    ['findings'],
    'A revision names at least one field to correct.',
    'List the fields to change in correctionFields of a finding.',
    ({ decision, findings }) =>
      decision === 'revise' &&
      findings.every((finding) => finding.correctionFields.length === 0) &&
      'decision is "revise" and correctionFields is empty in every finding',
  ),
] as const;

export const PromptReview = withRules(Fields, promptReviewRules);
export type PromptReview = z.infer<typeof PromptReview>;
