import type { BodyOf } from '../../schemas/artifacts/index.ts';
import type { FailureCode, Finding } from '../../schemas/failure.ts';
import { submittedTypes } from '../../schemas/vocabulary.ts';
import type { RunContext } from '../context.ts';
import type { Facts, Submission } from '../events.ts';
import type { RunRecord } from '../record.ts';

/**
 * The form of the rule book. One rule is one entry: its code, what it reads, the check, and the sentence that says what
 * is wrong and what would mend it. The same entries guard the machine, word the refusals and fill `docs/rules.md`.
 */

/** Types that rules can be about: everything that is submitted, and the manifest. */
export const ruledTypes = ['ContextManifest', ...submittedTypes] as const;
export type RuledType = (typeof ruledTypes)[number];

export type RuleCode = `ADM-${string}`;

/** What a rule says of one fault; the book adds the code, unless another entry's judgement is told (work orders). */
export type Said = Readonly<{ path: string; message: string; expected?: unknown; fix: string; code?: RuleCode }>;

/** Everything that a rule may read of one submission whose body satisfies its schema. */
export interface Query<T extends RuledType = RuledType> {
  readonly type: T;
  readonly body: BodyOf<T>;
  readonly run: RunContext;
  readonly facts: Facts;
  readonly record: RunRecord;
  readonly submission: Submission;
  /** `source_refs` as merged with the references of the body (admission section 1). */
  readonly sourceRefs: readonly string[];
}

/**
 * The part of a rule that control data alone decide (run-machine section 17). It is a guard of the machine, so it must
 * read nothing but context and facts.
 */
export interface ControlPart {
  holds(run: RunContext, facts: Facts): boolean;
  /** With a query the sentence may name what the record holds. */
  says(run: RunContext, facts: Facts, query?: Query | null): Said;
}

export interface Rule<T extends RuledType = RuledType> {
  readonly code: RuleCode;
  readonly types: readonly T[];
  /**
   * `common`: the common and reference rules, judged before the escalations (run-machine section 7);
   * `own`: the rules of the type; `ledger`: quotas and ids, judged last.
   */
  readonly part: 'common' | 'own' | 'ledger';
  /** What must hold, as one sentence for readers; briefs and docs show it. */
  readonly text: string;
  /** What it reads beside the body: context fields and artifact types. */
  readonly reads: readonly string[];
  /** The wire code of a refusal by this rule. */
  readonly refusal: FailureCode;
  /** An integrity guard, or a rule whose failure makes the later ones meaningless ("check first"). */
  readonly ends?: boolean;
  readonly control?: ControlPart;
  /** Finds every fault that control data alone cannot show. */
  check?(query: Query<T>): Iterable<Said>;
}

/** A rule of any type, as the book keeps it. */
export interface BookEntry extends Omit<Rule, 'types' | 'check'> {
  readonly types: readonly RuledType[];
  judge(query: Query): readonly Said[];
}

const isAbout = <T extends RuledType>(query: Query, types: readonly T[]): query is Query & Query<T> =>
  types.some((type) => type === query.type);

/** Makes a book entry of a rule; its check is only ever asked about the types that the rule names. */
export const rule = <const T extends RuledType>(entry: Rule<T>): BookEntry => {
  const { check, ...rest } = entry;
  return {
    ...rest,
    judge: (query) => (check && isAbout(query, entry.types) ? [...check(query)] : []),
  };
};

/** A finding with the code of the rule that made it. */
export type RuleFinding = Finding & Readonly<{ code: RuleCode }>;
