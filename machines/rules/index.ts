import type { FailureCode } from '../../schemas/failure.ts';
import { type BookEntry, type RuledType, ruledTypes } from './book.ts';
import { clarificationRequestRules } from './clarificationRequest.ts';
import { commonPart } from './common.ts';
import { contextManifestRules } from './contextManifest.ts';
import { evidenceRules } from './evidence.ts';
import { evidenceKindRules } from './evidenceKinds.ts';
import { ledgerRules } from './ledgerRules.ts';
import { microPackRules } from './microPack.ts';
import { problemFrameRules } from './problemFrame.ts';
import { promptReviewRules } from './promptReview.ts';
import { qualityReviewRules } from './qualityReview.ts';
import { releaseAuditRules } from './releaseAudit.ts';
import { reviewDecisionRules } from './reviewDecision.ts';
import { scenarioSpecRules } from './scenarioSpec.ts';
import { taskContractRules } from './taskContract.ts';
import { tokenRules } from './token.ts';
import { userReportRules } from './userReport.ts';
import { workOrderRules } from './workOrders.ts';
import { workPlanRules } from './workPlan.ts';
import { workResultRules } from './workResult.ts';

/** The rule book: every rule once, in the order of evaluation (admission section 1). */
export const ruleBook: readonly BookEntry[] = [
  ...tokenRules,
  ...commonPart,
  ...contextManifestRules,
  ...clarificationRequestRules,
  ...problemFrameRules,
  ...microPackRules,
  ...scenarioSpecRules,
  ...taskContractRules,
  ...reviewDecisionRules,
  ...promptReviewRules,
  ...workPlanRules,
  ...workOrderRules,
  ...evidenceRules,
  ...workResultRules,
  ...qualityReviewRules,
  ...releaseAuditRules,
  ...userReportRules,
  ...evidenceKindRules,
  ...ledgerRules,
];

/** Whether submissions of a type are judged by rules at all. */
export const isRuled = (type: string): type is RuledType => ruledTypes.some((ruled) => ruled === type);

const byType = new Map<RuledType, readonly BookEntry[]>(
  ruledTypes.map((type) => [type, ruleBook.filter(({ types }) => types.includes(type))]),
);

/** The entries about a type, in the order of evaluation. */
export const entriesFor = (type: RuledType): readonly BookEntry[] => byType.get(type) ?? [];

const refusalCodes: ReadonlyMap<string, FailureCode> = new Map(ruleBook.map(({ code, refusal }) => [code, refusal]));

/** The wire code of a refusal whose first finding has this rule code. */
export const codeOf = (rule: string): FailureCode => refusalCodes.get(rule) ?? 'rule_broken';
