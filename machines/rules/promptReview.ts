import type { ContractField } from '../../schemas/artifacts/shared.ts';
import { found } from '../../schemas/found.ts';
import { type RunRecord, uriOf } from '../record.ts';
import { type BookEntry, rule } from './book.ts';
import { originalRequestRef } from './derived.ts';
import { setDifference } from './equality.ts';
import { contradictionsOf } from './taskContractRevision.ts';
import { listed } from './wording.ts';

/** Rules of the PromptReview (admission section 8.1), in the order of its rows. */

export interface CoverageEntry {
  readonly sourceRef: string;
  readonly contractFields: readonly ContractField[];
}

/** What the coverage of a review must list: the request, the frame and the contract, each with its fields; null without a contract. */
export const requiredCoverage = (record: RunRecord): readonly CoverageEntry[] | null => {
  const request = originalRequestRef(record);
  const contract = record.latest('TaskContract');
  if (request === undefined || !contract) return null;
  return [
    { sourceRef: request, contractFields: ['objective', 'intentMode'] },
    {
      sourceRef: contract.body.problemFrameRef,
      contractFields: ['scope', 'constraints', 'nonGoals', 'acceptanceCriteria', 'ruleRefs'],
    },
    {
      sourceRef: uriOf(contract),
      contractFields: [
        'permissions',
        'contextRefs',
        'requiredOutputs',
        'verificationRequirements',
        'stopConditions',
        'assumptions',
        'unresolvedQuestions',
      ],
    },
  ];
};

/** One entry for each source; what REVIEW-03 says of an entry tells its fields. */
const entriesOf = (wanted: readonly CoverageEntry[]) => ({
  entries: { by: 'sourceRef', of: wanted.map(({ sourceRef }) => sourceRef) },
});

export const promptReviewRules: readonly BookEntry[] = [
  rule({
    code: 'ADM-REVIEW-01',
    types: ['PromptReview'],
    part: 'own',
    text: 'targetRef is the current contract.',
    reads: ['TaskContract'],
    refusal: 'rule_broken',
    *check({ body, record }) {
      const contract = record.latest('TaskContract');
      const expected = contract && uriOf(contract);
      if (body.targetRef !== expected)
        yield {
          path: 'targetRef',
          message: `targetRef is ${found(body.targetRef)}; the current contract is ${found(expected)}.`,
          ...(expected === undefined ? {} : { expected }),
          fix: 'Review the current contract and cite it.',
        };
    },
  }),
  rule({
    code: 'ADM-REVIEW-02',
    types: ['PromptReview'],
    part: 'own',
    text: 'coverage has exactly three entries: the request, the frame and the contract.',
    reads: [],
    refusal: 'rule_broken',
    *check({ body, record }) {
      const expected = requiredCoverage(record);
      if (body.coverage.length !== 3)
        yield {
          path: 'coverage',
          message: `coverage has ${body.coverage.length} entries; it needs one for the request, one for the frame and one for the contract.`,
          ...(expected && { expected: entriesOf(expected) }),
          fix: 'List exactly these three sources with these fields, each with your status.',
        };
    },
  }),
  rule({
    code: 'ADM-REVIEW-03',
    types: ['PromptReview'],
    part: 'own',
    text: 'Each source of the coverage stands once, with exactly the contract fields that it answers for.',
    reads: ['TaskContract', 'RunEnvelope'],
    refusal: 'rule_broken',
    *check({ body, record }) {
      const wanted = requiredCoverage(record);
      if (!wanted) return;
      const seen = new Set<string>();
      const free = wanted
        .map((entry) => entry.sourceRef)
        .filter((ref) => !body.coverage.some((one) => one.sourceRef === ref));
      for (const [index, { sourceRef, contractFields }] of body.coverage.entries()) {
        const source = wanted.find((entry) => entry.sourceRef === sourceRef);
        if (!source || seen.has(sourceRef)) {
          const right = free.shift();
          yield {
            path: right === undefined ? `coverage.${index}` : `coverage.${index}.sourceRef`,
            message: source
              ? `coverage lists ${found(sourceRef)} more than once.`
              : `${found(sourceRef)} is none of the three sources that coverage is about.`,
            expected: right ?? { absent: true },
            fix: right === undefined ? 'Take this entry out.' : 'Give it the source that is missing, with its fields.',
          };
          continue;
        }
        seen.add(sourceRef);
        const difference = setDifference(contractFields, source.contractFields);
        if (difference)
          yield {
            path: `coverage.${index}.contractFields`,
            message: `The entry for ${found(sourceRef)} must list its fields exactly; missing: ${listed(difference.missing)}; not its own: ${listed(difference.extra)}; repeated: ${listed(difference.repeated)}.`,
            expected: source.contractFields,
            fix: 'List exactly these fields, each once.',
          };
      }
      for (const source of wanted)
        if (!seen.has(source.sourceRef))
          yield {
            path: 'coverage',
            message: `coverage has no entry for ${found(source.sourceRef)}.`,
            expected: entriesOf(wanted),
            fix: `Add an entry with this source and the contractFields ${listed(source.contractFields, 8)}.`,
          };
    },
  }),
  rule({
    code: 'ADM-REVIEW-04',
    types: ['PromptReview'],
    part: 'own',
    text: 'revisionNumber is the version of the reviewed contract less one.',
    reads: ['run.contractVersion'],
    refusal: 'rule_broken',
    control: {
      holds: (run, facts) =>
        run.phase !== 'agent_1_review' ||
        facts.revisionNumber === undefined ||
        facts.revisionNumber === run.contractVersion - 1,
      says: (run, facts) => ({
        path: 'revisionNumber',
        message: `revisionNumber is ${facts.revisionNumber}, but the current contract has version ${run.contractVersion}.`,
        expected: run.contractVersion - 1,
        fix: `Set revisionNumber to ${run.contractVersion - 1}.`,
      }),
    },
  }),
  rule({
    code: 'ADM-REVIEW-05',
    types: ['PromptReview'],
    part: 'own',
    text: 'A review that asks for a revision never both keeps and corrects a field.',
    reads: [],
    refusal: 'infeasible',
    *check({ body }) {
      if (body.decision !== 'revise') return;
      const both = contradictionsOf(body);
      for (const [index, { preserveFields }] of body.findings.entries()) {
        const fields = both.filter((field) => preserveFields.includes(field));
        if (fields.length === 0) continue;
        yield {
          path: `findings.${index}.preserveFields`,
          message: `Findings both keep and correct ${listed(fields)}; no revision could satisfy that.`,
          expected: preserveFields.filter((field) => !both.includes(field)),
          fix: `Take ${listed(fields)} out of preserveFields of every finding, or out of correctionFields of the blocking ones.`,
        };
      }
    },
  }),
];
