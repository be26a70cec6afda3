import type { FailureCode } from '../../schemas/failure.ts';
import type { BookEntry, RuledType } from './book.ts';
import { promptReviewRules } from './promptReview.ts';
import { qualityReviewRules } from './qualityReview.ts';
import { releaseAuditRules } from './releaseAudit.ts';
import { taskContractRules } from './taskContract.ts';
import { userReportRules } from './userReport.ts';

/** The rule book: every rule once, in the order of evaluation (admission section 1). */
export const ruleBook: readonly BookEntry[] = [
  ...taskContractRules,
  ...promptReviewRules,
  ...qualityReviewRules,
  ...releaseAuditRules,
  ...userReportRules,
];

const ruledTypes: readonly RuledType[] = [
  'ContextManifest',
  'ClarificationRequest',
  'ProblemFrame',
  'ScenarioSpec',
  'TaskContract',
  'PromptReview',
  'WorkPlan',
  'WorkResult',
  'QualityReview',
  'ReleaseAudit',
  'UserReport',
  'Evidence',
];

export const isRuled = (type: string): type is RuledType => ruledTypes.some((ruled) => ruled === type);

const byType = new Map<RuledType, readonly BookEntry[]>(
  ruledTypes.map((type) => [type, ruleBook.filter(({ types }) => types.includes(type))]),
);

/** The entries about a type, in the order of evaluation. */
export const entriesFor = (type: RuledType): readonly BookEntry[] => byType.get(type) ?? [];

const refusalCodes = new Map(ruleBook.map(({ code, refusal }) => [code as string, refusal]));

/** The wire code of a refusal whose first finding has this rule code. */
export const codeOf = (rule: string): FailureCode => refusalCodes.get(rule) ?? 'rule_broken';
