import type { Brief } from '../../schemas/brief.ts';
import { schemaRules } from '../../schemas/ruleBook.ts';
import { executes, limits } from '../../schemas/vocabulary.ts';
import type { RuledType } from '../rules/book.ts';
import { originalRequestRef, pendingNode, reservedCalls } from '../rules/derived.ts';
import { entriesFor } from '../rules/index.ts';
import { planScope } from '../rules/planScope.ts';
import type { Stand } from './draft.ts';
import { sourcesOf } from './sources.ts';

type Shown = Brief['rules'][number];

/** As much as a host reads beside the draft; what the draft has right already comes last. */
const mostShown = 8;
const mostCharacters = 420;

interface Row {
  readonly code: string;
  /** Whether the rule can be broken here at all. */
  readonly when?: (stand: Stand) => boolean;
  /** This run's value, as the end of the sentence. */
  readonly here?: (stand: Stand) => string | undefined;
}

const isMicro = ({ run }: Stand): boolean => run.topology === 'micro';
const isStaged = ({ run }: Stand): boolean => run.mode === 'analyze_and_fix';
const isDiagnosing = ({ run, record }: Stand): boolean => planScope(record, run.mode).initial;
const isScoped = ({ run, record }: Stand): boolean => planScope(record, run.mode).scoped;
const isExecuting = ({ run }: Stand): boolean => executes(run.mode);
const resumes = ({ run }: Stand): boolean => run.lineage.length > 0;
const isRevising = ({ run }: Stand): boolean => run.phase === 'agent_2_revise';
const isCompiling = ({ run }: Stand): boolean => run.phase === 'agent_2_compile';
const wasBlocked = ({ run }: Stand): boolean => run.blockedBy !== null;
const wasAudited = ({ run }: Stand): boolean => run.audit !== null && run.blockedBy === null;

const mode = ({ run }: Stand): string => run.mode;
const callsLeft = ({ record }: Stand): string =>
  `${Math.max(0, limits.planToolCalls - reservedCalls(record))} are left`;
const nodeId = ({ record }: Stand): string | undefined => pendingNode(record)?.id;
const inspects = ({ record }: Stand): boolean =>
  pendingNode(record)?.requiredCapabilities.includes('shell.inspect') ?? false;
const remediations = ({ run }: Stand): string => String(run.budgets.remediations);

const answered: Row = { code: 'ADM-CLR-05', when: resumes, here: ({ run }) => run.lineage.join(' and ') };
const selected: Row = {
  code: 'ADM-REF-06',
  here: ({ record }) => `${sourcesOf(record).length} were selected`,
};
const shown: Row = { code: 'ADM-REF-19' };
const unused: Row = { code: 'ADM-COM-11' };

/** What of each type is broken most, first; the book has every rule. */
const ranked: Readonly<Partial<Record<RuledType, readonly Row[]>>> = {
  ProblemFrame: [
    answered,
    { code: 'ADM-FRAME-01', when: isMicro },
    { code: 'ADM-FRAME-02', when: isMicro },
    selected,
    { code: 'ADM-FRAME-07' },
    { code: 'ADM-FRAME-06', here: ({ record }) => originalRequestRef(record) },
    { code: 'SCH-FRAME-02' },
    { code: 'ADM-FRAME-08', when: ({ run }) => run.priorRunId !== null },
    { code: 'ADM-FRAME-11', when: isStaged },
    { code: 'SCH-FRAME-01' },
    { code: 'ADM-FRAME-09' },
    unused,
  ],
  ClarificationRequest: [
    { code: 'SCH-CLAR-05' },
    { code: 'SCH-CLAR-04' },
    { code: 'SCH-CLAR-03' },
    { code: 'SCH-CLAR-02' },
    unused,
  ],
  TaskContract: [
    answered,
    { code: 'ADM-REVISE-05', when: isRevising },
    { code: 'ADM-REVISE-06', when: isRevising },
    { code: 'ADM-REVISE-07', when: isRevising },
    { code: 'ADM-REVISE-02', when: isRevising },
    { code: 'ADM-CONTRACT-12', when: isExecuting },
    { code: 'ADM-CONTRACT-11', when: isCompiling },
    { code: 'ADM-CONTRACT-09', when: isExecuting },
    { code: 'ADM-CONTRACT-03' },
    { code: 'SCH-CONTRACT-06', when: (stand) => !isStaged(stand), here: mode },
    { code: 'ADM-CONTRACT-06', when: isCompiling },
    { code: 'ADM-CONTRACT-04', when: isCompiling },
    unused,
  ],
  PromptReview: [
    answered,
    { code: 'SCH-PREVIEW-01' },
    { code: 'ADM-REVIEW-03' },
    { code: 'SCH-PREVIEW-04' },
    { code: 'SCH-PREVIEW-02' },
    { code: 'ADM-REVIEW-05', when: ({ run }) => run.contractVersion === 1 },
    { code: 'SCH-PREVIEW-06', when: ({ run }) => run.contractVersion === 1 },
    { code: 'SCH-PREVIEW-03' },
    { code: 'ADM-REVIEW-04', here: ({ run }) => String(run.contractVersion - 1) },
    unused,
  ],
  WorkPlan: [
    answered,
    { code: 'ADM-PLAN-13', when: isDiagnosing },
    { code: 'ADM-PLAN-24', when: isDiagnosing },
    { code: 'ADM-PLAN-25', when: isScoped },
    { code: 'ADM-PLAN-08', when: isScoped },
    { code: 'ADM-PLAN-09', when: isScoped },
    { code: 'ADM-PLAN-28' },
    { code: 'ADM-PLAN-29', when: isExecuting },
    { code: 'ADM-PLAN-16' },
    { code: 'ADM-PLAN-12' },
    { code: 'ADM-PLAN-26', when: (stand) => !isScoped(stand) },
    { code: 'ADM-PLAN-05', here: callsLeft },
    unused,
  ],
  WorkResult: [
    answered,
    { code: 'ADM-RESULT-26', here: nodeId },
    { code: 'ADM-RESULT-05', when: inspects },
    { code: 'ADM-KIND-06' },
    { code: 'ADM-RESULT-18' },
    { code: 'ADM-RESULT-17' },
    { code: 'ADM-RESULT-16' },
    { code: 'ADM-RESULT-08' },
    { code: 'SCH-RESULT-01' },
    shown,
    unused,
  ],
  QualityReview: [
    answered,
    { code: 'ADM-QUALITY-08', when: isExecuting },
    { code: 'ADM-QUALITY-10' },
    { code: 'ADM-QUALITY-13', when: isExecuting },
    { code: 'ADM-QUALITY-09' },
    { code: 'ADM-QUALITY-07' },
    { code: 'ADM-QUALITY-01', here: remediations },
    { code: 'ADM-QUALITY-17', when: isDiagnosing },
    { code: 'ADM-ORDER-08' },
    { code: 'SCH-QUALITY-03' },
    shown,
    unused,
  ],
  ReleaseAudit: [{ code: 'SCH-AUDIT-03' }, { code: 'SCH-AUDIT-09' }, { code: 'SCH-AUDIT-08' }, shown, unused],
  UserReport: [
    answered,
    { code: 'ADM-REPORT-08', when: wasBlocked },
    { code: 'ADM-REPORT-15', when: wasAudited },
    { code: 'ADM-REPORT-16', when: wasAudited },
    { code: 'ADM-REPORT-17', when: wasAudited },
    { code: 'ADM-REPORT-09', when: wasAudited },
    { code: 'ADM-REPORT-10', when: wasAudited },
    { code: 'ADM-REPORT-07', when: isMicro },
    { code: 'SCH-REPORT-04' },
    unused,
  ],
};

const schemaTexts: ReadonlyMap<string, string> = new Map(schemaRules.map(({ code, text }) => [code, text]));

const sentence = (text: string, here: string | undefined): string =>
  here === undefined ? text : `${text.replace(/\.$/, '')} (here: ${here}).`;

/**
 * The rules in force for an artifact, as the rule book words them, with this run's values; those that are broken most
 * come first (guidance section 1, decisions 20). A rule that cannot be broken in this state is left out.
 */
export const rulesShown = (stand: Stand, type: RuledType): readonly Shown[] => {
  const book = new Map(entriesFor(type).map(({ code, text }): [string, string] => [code, text]));
  let room = mostCharacters;
  const rows = ranked[type] ?? [...book.keys()].map((code): Row => ({ code }));
  return rows
    .filter(({ when }) => when?.(stand) ?? true)
    .flatMap(({ code, here }): readonly Shown[] => {
      const text = book.get(code) ?? schemaTexts.get(code);
      return text === undefined ? [] : [{ code, text: sentence(text, here?.(stand)) }];
    })
    .slice(0, mostShown)
    .filter(({ code, text }) => {
      room -= code.length + text.length;
      return room >= 0;
    });
};
