import { passingScore, readinessWeights } from '../../../schemas/artifacts/promptReview.ts';
import { contractGates, readinessDimensions } from './contractReadiness.ts';
import { executionGates } from './executionQuality.ts';

/** The rubrics as texts: what is behind `artifact://system/rubrics/<name>` (guidance section 4). */

const gatesText = (gates: readonly Readonly<{ id: string; question: string }>[]): readonly string[] =>
  gates.map(({ id, question }) => `- ${id}: ${question}`);

const contractReadiness = [
  '# Rubric contract-readiness-v1',
  '',
  'Six scores from 0 to 100, each with its weight:',
  '',
  ...Object.entries(readinessDimensions).map(
    ([name, what]) => `- ${name} (${Object.entries(readinessWeights).find(([key]) => key === name)?.[1]}): ${what}`,
  ),
  '',
  'overallScore is the sum of score times weight, in this order, rounded to two decimals.',
  '',
  'Gates, each answered yes or no with the artifact that shows it:',
  '',
  ...gatesText(contractGates),
  '',
  `pass: every gate holds, every source is covered, overallScore is at least ${passingScore}, and no finding is blocking.`,
  'revise: once in a run, with a blocking finding that says which fields must say what.',
  'block: a gate fails or a finding is blocking, and no revision would mend it.',
  '',
].join('\n');

const executionQuality = [
  '# Rubric execution-quality-v1',
  '',
  'One overallScore from 0 to 100 for how well the work carries the contract. Gates, each answered yes or no with the evidence that shows it:',
  '',
  ...gatesText(executionGates),
  '',
  `pass: every gate holds; every criterion, rule and required verification passes by what was captured; the score is at least ${passingScore}.`,
  'proceed_to_fix: the diagnosis is supported by direct evidence, and the correction stays inside contract and authority.',
  'remediate: something is missing that one more plan could show; once in a run.',
  'partial: what was shown is sound, but not everything was shown. block: going on would be wrong.',
  '',
].join('\n');

export const rubricTexts = {
  'contract-readiness-v1': contractReadiness,
  'execution-quality-v1': executionQuality,
} as const;
export type RubricText = keyof typeof rubricTexts;
