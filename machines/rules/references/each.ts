import { type BookEntry, type Query, type Rule, type RuleCode, rule, ruledTypes, type Said } from '../book.ts';
import { type Citation, citationsOf } from '../citations.ts';

export type Fault = Omit<Said, 'path'>;

/** A rule that judges each reference for itself. */
export const each = (
  code: RuleCode,
  text: string,
  reads: readonly string[],
  judge: (citation: Citation, query: Query) => Fault | null,
  more: Partial<Pick<Rule, 'refusal' | 'types'>> = {},
): BookEntry =>
  rule({
    code,
    types: ruledTypes,
    part: 'common',
    text,
    reads,
    refusal: 'reference_invalid',
    ...more,
    *check(query) {
      for (const citation of citationsOf(query)) {
        const fault = judge(citation, query);
        if (fault) yield { path: citation.path, ...fault };
      }
    },
  });
