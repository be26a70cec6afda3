import { describe, expect, it } from 'vitest';
import type { RuledType } from '../../machines/rules/book.ts';
import { codeOf, entriesFor, isRuled, ruleBook } from '../../machines/rules/index.ts';
import type { FailureCode } from '../../schemas/failure.ts';

/**
 * The book as one table (admission sections 1 to 14): in the order of evaluation, which part of the admission asks a
 * rule, of which types, under which wire code it refuses, and whether its findings end the evaluation.
 */
type Row = readonly [types: readonly RuledType[], refusal: FailureCode, codes: string, ends?: 'ends'];

const all: readonly RuledType[] = [
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
const acting = ['WorkResult', 'QualityReview', 'ReleaseAudit', 'UserReport'] as const;

const common: readonly Row[] = [
  [[], 'stale_version', 'TR-02', 'ends'],
  [[], 'stale_action', 'TR-03', 'ends'],
  [[], 'wrong_phase', 'TR-12', 'ends'],
  [[], 'controller_owned', 'COM-01', 'ends'],
  [[], 'wrong_phase', 'COM-09', 'ends'],
  [[], 'run_terminal', 'COM-10', 'ends'],
  [[], 'clarification_invalid', 'CLR-01', 'ends'],
  [[], 'invalid_arguments', 'CLR-06 CLR-07', 'ends'],
  [[], 'not_awaiting_clarification', 'CLR-08', 'ends'],
  [[], 'integrity_failed', 'CLR-09', 'ends'],
  [[], 'clarification_invalid', 'CLR-10', 'ends'],
  [[], 'integrity_failed', 'CLR-11 CLR-12', 'ends'],
  [[], 'wrong_phase', 'GROUND-01 EVID-01 SCEN-01', 'ends'],
  [all, 'invalid_arguments', 'REF-02 REF-03', 'ends'],
  [all, 'invalid_body', 'COM-04', 'ends'],
  [all, 'invalid_body', 'COM-05 COM-06 COM-07'],
  [all, 'wrong_type', 'COM-08'],
  [['ClarificationRequest'], 'clarification_invalid', 'CLR-03 CLR-04'],
  [
    all.filter((type) => !['ClarificationRequest', 'ScenarioSpec', 'Evidence'].includes(type)),
    'clarification_invalid',
    'CLR-05',
  ],
  [all, 'invalid_arguments', 'COM-17 REF-01'],
  [all, 'reference_invalid', 'REF-04 REF-05 REF-06 REF-07 REF-08 REF-09 REF-10 REF-11 REF-12 REF-13 REF-14'],
  [['ReleaseAudit'], 'id_taken', 'REF-15'],
  [all, 'reference_invalid', 'REF-16 REF-17 REF-18 REF-19 LIN-05 LIN-06 LIN-07 LIN-08 LIN-09 LIN-10'],
  [acting, 'reference_invalid', 'LIN-11'],
];

const own: readonly Row[] = [
  [['ContextManifest'], 'integrity_failed', 'GROUND-02 GROUND-03', 'ends'],
  [['ClarificationRequest'], 'clarification_invalid', 'CLR-02'],
  [['ProblemFrame'], 'rule_broken', 'FRAME-01 FRAME-02 FRAME-03 FRAME-04 FRAME-05 FRAME-06 FRAME-07 FRAME-08 FRAME-09'],
  [['ProblemFrame'], 'integrity_failed', 'FRAME-10', 'ends'],
  [['ProblemFrame'], 'infeasible', 'FRAME-11 PACK-01'],
  [['ScenarioSpec'], 'rule_broken', 'SCEN-02 SCEN-03'],
  [['TaskContract'], 'rule_broken', 'CONTRACT-01 CONTRACT-02 CONTRACT-03 CONTRACT-04 CONTRACT-05 CONTRACT-06'],
  [['TaskContract'], 'rule_broken', 'CONTRACT-07 CONTRACT-08'],
  [['TaskContract'], 'integrity_failed', 'REVISE-01', 'ends'],
  [['TaskContract'], 'rule_broken', 'REVISE-02'],
  [['TaskContract'], 'permission_exceeded', 'REVISE-03'],
  [['TaskContract'], 'rule_broken', 'REVISE-04 REVISE-05 REVISE-06 REVISE-07 CONTRACT-09 CONTRACT-10'],
  [['TaskContract'], 'permission_exceeded', 'CONTRACT-11'],
  [['TaskContract'], 'infeasible', 'CONTRACT-12'],
  [['PromptReview', 'QualityReview', 'ReleaseAudit'], 'integrity_failed', 'MCH-01', 'ends'],
  [['PromptReview'], 'integrity_failed', 'MCH-02', 'ends'],
  [['PromptReview'], 'rule_broken', 'REVIEW-01 REVIEW-02 REVIEW-03 REVIEW-04'],
  [['PromptReview'], 'infeasible', 'REVIEW-05'],
  [['WorkPlan'], 'rule_broken', 'PLAN-01 PLAN-02 PLAN-03 PLAN-04'],
  [['WorkPlan'], 'quota_exceeded', 'PLAN-05'],
  [['WorkPlan'], 'rule_broken', 'PLAN-06'],
  [['WorkPlan'], 'integrity_failed', 'PLAN-07', 'ends'],
  [['WorkPlan'], 'rule_broken', 'PLAN-08 PLAN-09 PLAN-10'],
  [['WorkPlan'], 'permission_exceeded', 'PLAN-11 PLAN-12 PLAN-13'],
  [['WorkPlan'], 'rule_broken', 'PLAN-14 PLAN-15 PLAN-16 PLAN-17 PLAN-18 PLAN-19 PLAN-20 PLAN-21 PLAN-22 PLAN-23'],
  [['WorkPlan'], 'rule_broken', 'PLAN-24 PLAN-25 PLAN-26 PLAN-27 PLAN-28 PLAN-29'],
  [['QualityReview', 'ReleaseAudit'], 'rule_broken', 'ORDER-01 ORDER-02 ORDER-03'],
  [['QualityReview', 'ReleaseAudit'], 'permission_exceeded', 'ORDER-04'],
  [['QualityReview', 'ReleaseAudit'], 'rule_broken', 'ORDER-05 ORDER-06 ORDER-07'],
  [['QualityReview', 'ReleaseAudit'], 'infeasible', 'ORDER-08'],
  [['Evidence'], 'rule_broken', 'EVID-02 EVID-03'],
  [['Evidence'], 'quota_exceeded', 'EVID-04'],
  [['Evidence'], 'secret_detected', 'EVID-05'],
  [['Evidence'], 'rule_broken', 'EVID-06'],
  [['WorkResult'], 'integrity_failed', 'RESULT-27 RESULT-01 RESULT-25', 'ends'],
  [['WorkResult'], 'rule_broken', 'RESULT-24 RESULT-26', 'ends'],
  [['WorkResult'], 'rule_broken', 'RESULT-02'],
  [['WorkResult'], 'permission_denied', 'RESULT-03'],
  [['WorkResult'], 'rule_broken', 'RESULT-04'],
  [['WorkResult'], 'permission_denied', 'RESULT-05 RESULT-06'],
  [['WorkResult'], 'rule_broken', 'RESULT-07'],
  [['WorkResult'], 'permission_denied', 'RESULT-08'],
  [['WorkResult'], 'rule_broken', 'RESULT-09 RESULT-10 RESULT-11'],
  [['WorkResult'], 'permission_denied', 'RESULT-12'],
  [['WorkResult'], 'rule_broken', 'RESULT-13 RESULT-14 RESULT-15 RESULT-16 RESULT-17 RESULT-18 RESULT-19'],
  [['WorkResult'], 'rule_broken', 'RESULT-20 RESULT-21 RESULT-22'],
  [['QualityReview'], 'rule_broken', 'QUALITY-01 QUALITY-02 QUALITY-03 QUALITY-04 QUALITY-05 QUALITY-06 QUALITY-07'],
  [['QualityReview'], 'rule_broken', 'QUALITY-08 QUALITY-09 QUALITY-10 QUALITY-11 QUALITY-12 QUALITY-13 QUALITY-16'],
  [['QualityReview'], 'rule_broken', 'QUALITY-14 QUALITY-15 QUALITY-17 MCH-03'],
  [['QualityReview'], 'integrity_failed', 'MCH-04', 'ends'],
  [['QualityReview'], 'rule_broken', 'MCH-05 MCH-06 MCH-07'],
  [['ReleaseAudit'], 'rule_broken', 'AUDIT-01 AUDIT-02 AUDIT-03 AUDIT-04 AUDIT-05 AUDIT-06 AUDIT-07 AUDIT-08'],
  [['ReleaseAudit'], 'rule_broken', 'AUDIT-09 AUDIT-10 AUDIT-11'],
  [['ReleaseAudit'], 'integrity_failed', 'MCH-08', 'ends'],
  [['UserReport'], 'rule_broken', 'REPORT-01 REPORT-02 REPORT-03 REPORT-04 REPORT-05 REPORT-06 REPORT-07 REPORT-08'],
  [['UserReport'], 'rule_broken', 'REPORT-09 REPORT-10 REPORT-11 REPORT-12 REPORT-13 REPORT-14 REPORT-15 REPORT-16'],
  [['UserReport'], 'rule_broken', 'REPORT-17 MCH-09 MCH-10 MCH-11'],
  [acting, 'reference_invalid', 'KIND-01'],
  [acting, 'integrity_failed', 'KIND-02', 'ends'],
  [acting, 'reference_invalid', 'KIND-03 KIND-04 KIND-05 KIND-06 KIND-07 KIND-08'],
];

const ledger: readonly Row[] = [
  [['ScenarioSpec'], 'id_taken', 'SCEN-05', 'ends'],
  [['Evidence'], 'id_taken', 'EVID-08', 'ends'],
  [all, 'id_taken', 'COM-11', 'ends'],
  [['ScenarioSpec'], 'quota_exceeded', 'SCEN-04', 'ends'],
  [['Evidence'], 'quota_exceeded', 'EVID-07', 'ends'],
  [all, 'quota_exceeded', 'COM-12 COM-13 COM-15', 'ends'],
  [all, 'quota_exceeded', 'COM-16'],
];

const parts = { common, own, ledger } as const;
const table = Object.entries(parts).flatMap(([part, rows]) =>
  rows.flatMap(([types, refusal, codes, ends]) =>
    codes.split(' ').map((code) => ({ code: `ADM-${code}`, part, types, refusal, ends: ends !== undefined })),
  ),
);

describe('the rule book', () => {
  it('asks its rules in this order, each of these types, and refuses under these codes', () => {
    const book = ruleBook.map(({ code, part, types, refusal, ends = false }) => ({ code, part, types, refusal, ends }));
    expect(book).toEqual(table);
  });

  it('gives the entries about a type in the order of the book', () => {
    for (const type of all)
      expect(entriesFor(type).map(({ code }) => code)).toEqual(
        table.filter(({ types }) => types.includes(type)).map(({ code }) => code),
      );
  });

  it('is about the twelve types that can be sent, and no other', () => {
    for (const type of all) expect(isRuled(type)).toBe(true);
    for (const type of ['UserMessage', 'RunEnvelope', 'ReceiptAudit', '', 'constructor'])
      expect(isRuled(type)).toBe(false);
  });

  it('names the wire code of a refusal by the code of its first finding; a schema rule is a broken rule here', () => {
    for (const { code, refusal } of table) expect(codeOf(code)).toBe(refusal);
    expect(codeOf('SCH-PLAN-01')).toBe('rule_broken');
  });
});
