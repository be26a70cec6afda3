import { found } from '../../schemas/found.ts';
import { type Artifact, uriOf } from '../record.ts';
import { type BookEntry, type Query, rule, type Said } from './book.ts';
import { canonicalEqual } from './equality.ts';
import { excessFaults } from './excess.ts';
import { listed, told } from './wording.ts';

/** Rules of a revised TaskContract (admission section 7.3), in the order of its rows. */

type Contract = Artifact<'TaskContract'>;
type Review = Artifact<'PromptReview'>;
type Field = Review['body']['findings'][number]['preserveFields'][number];

/** Fields that differ in every revision; no review can have them kept or corrected. */
const ownFields: readonly string[] = ['id', 'version'];

/** The fields that blocking findings with a correction name: those that a revision must change. */
export const correctionsOf = (review: Review['body']): readonly Field[] => [
  ...new Set(
    review.findings
      .filter(({ severity, requiredCorrection }) => severity === 'blocking' && requiredCorrection !== null)
      .flatMap(({ correctionFields }) => correctionFields),
  ),
];

/** The fields that findings want kept; `id` and `version` apart. */
export const keptBy = (review: Review['body']): readonly Field[] => [
  ...new Set(
    review.findings.flatMap(({ preserveFields }) => preserveFields).filter((field) => !ownFields.includes(field)),
  ),
];

/** The fields that a review both keeps and corrects. */
export const contradictionsOf = (review: Review['body']): readonly Field[] => {
  const kept = keptBy(review);
  return correctionsOf(review).filter((field) => kept.includes(field));
};

interface Revision {
  readonly previous: Contract;
  readonly review: Review;
  readonly changed: readonly Field[];
}

const isField = (body: Contract['body'], key: string): key is Field => Object.hasOwn(body, key);

/** What a revision stands on, null outside the revise phase and where the record lacks it (REVISE-01). */
const revisionOf = (query: Query<'TaskContract'>): Revision | null => {
  if (query.run.phase !== 'agent_2_revise') return null;
  const previous = query.record.latest('TaskContract');
  const review = query.record.latest('PromptReview');
  if (!previous || !review) return null;
  const { body } = query;
  const changed = [...new Set([...Object.keys(previous.body), ...Object.keys(body)])].filter(
    (key): key is Field =>
      isField(body, key) && !ownFields.includes(key) && !canonicalEqual(body[key], previous.body[key]),
  );
  return { previous, review, changed };
};

const revise = (
  number: string,
  text: string,
  check: (revision: Revision, query: Query<'TaskContract'>) => Iterable<Said>,
  refusal: 'rule_broken' | 'permission_exceeded' = 'rule_broken',
): BookEntry =>
  rule({
    code: `ADM-REVISE-${number}`,
    types: ['TaskContract'],
    part: 'own',
    text,
    reads: ['TaskContract', 'PromptReview', 'run.phase'],
    refusal,
    check(query) {
      const revision = revisionOf(query);
      return revision ? check(revision, query) : [];
    },
  });

export const taskContractRevisionRules: readonly BookEntry[] = [
  rule({
    code: 'ADM-REVISE-01',
    types: ['TaskContract'],
    part: 'own',
    text: 'A revision follows a reviewed contract.',
    reads: ['TaskContract', 'PromptReview', 'run.phase'],
    refusal: 'integrity_failed',
    ends: true,
    *check({ run, record }) {
      if (run.phase !== 'agent_2_revise' || (record.latest('TaskContract') && record.latest('PromptReview'))) return;
      yield {
        path: '',
        message: 'The run holds no reviewed contract that could be revised.',
        fix: 'Let an operator check the ledger; the run can still be cancelled.',
      };
    },
  }),
  rule({
    code: 'ADM-REVISE-02',
    types: ['TaskContract'],
    part: 'own',
    text: 'A revised contract has version 2 and cites the contract that it replaces and the review that asked for it.',
    reads: ['TaskContract', 'PromptReview', 'sourceRefs'],
    refusal: 'rule_broken',
    control: {
      holds: (run, facts) =>
        run.phase !== 'agent_2_revise' || facts.contractVersion === undefined || facts.contractVersion === 2,
      says: (_run, facts) => ({
        path: 'version',
        message: `A revised contract has version 2; this one says ${facts.contractVersion}.`,
        expected: 2,
        fix: 'Set version to 2.',
      }),
    },
    *check(query) {
      const revision = revisionOf(query);
      if (!revision) return;
      const { previous, review } = revision;
      const operator = 'Let an operator check the ledger; the run can still be cancelled.';
      if (review.body.decision !== 'revise')
        yield {
          path: '',
          message: `The last review decided ${review.body.decision}; only one that decides revise asks for a revision.`,
          fix: operator,
        };
      if (review.body.revisionNumber !== 0)
        yield {
          path: '',
          message: `The last review has revisionNumber ${review.body.revisionNumber}; only the first review may ask for a revision.`,
          fix: operator,
        };
      for (const artifact of [previous, review]) {
        const ref = uriOf(artifact);
        if (!query.sourceRefs.includes(ref))
          yield {
            path: 'source_refs',
            message: `source_refs does not cite the ${artifact.type} ${found(ref)} that this revision follows.`,
            expected: { add: [ref] },
            fix: 'Add it to source_refs.',
          };
      }
    },
  }),
  revise(
    '03',
    'A revision does not widen permissions.',
    function* ({ previous }, { body }) {
      yield* excessFaults(body.permissions, previous.body.permissions, {
        path: 'permissions',
        who: 'The revision',
        bound: 'the contract before',
      });
    },
    'permission_exceeded',
  ),
  revise('04', 'No field is both to be kept and to be corrected.', function* ({ review }) {
    for (const field of contradictionsOf(review.body))
      yield {
        path: field,
        message: `The review both keeps and corrects ${field}; no revision can satisfy it.`,
        fix: 'Cancel the run, or ask the user how to go on.',
      };
  }),
  revise('05', 'A revision changes only what blocking findings ask for.', function* ({ previous, review, changed }) {
    const corrections = correctionsOf(review.body);
    for (const field of changed)
      if (!corrections.includes(field))
        yield {
          path: field,
          message: `${field} changed, but no blocking finding asked for it; to be corrected: ${listed(corrections, 8)}.`,
          ...told(previous.body[field]),
          fix: `Copy ${field} of the contract before.`,
        };
  }),
  revise('06', 'A revision changes everything that blocking findings ask for.', function* ({ review, changed }) {
    for (const field of correctionsOf(review.body))
      if (!changed.includes(field))
        yield {
          path: field,
          message: `The review asked to correct ${field}; it is unchanged.`,
          fix: `Correct ${field} as the finding says.`,
        };
  }),
  revise('07', 'What the review wants kept stays as it was.', function* ({ previous, review, changed }) {
    for (const field of keptBy(review.body))
      if (changed.includes(field))
        yield {
          path: field,
          message: `${field} was to be kept as it was; it changed.`,
          ...told(previous.body[field]),
          fix: `Copy ${field} of the contract before.`,
        };
  }),
];
