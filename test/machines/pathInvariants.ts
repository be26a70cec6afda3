import type { LedgerEvent } from '../../machines/events.ts';
import type { Frame } from '../../machines/graph/walk.ts';
import type { RunSnapshot } from '../../machines/step.ts';

/** Invariants of run-machine section 16 that a single path can break: each says what is wrong with a path, or null. */
export type PathInvariant = Readonly<{ text: string; broken: (path: readonly Frame[]) => string | null }>;

const topologies = ['micro', 'standard', 'forensic'];

const mainEvents: readonly LedgerEvent[] = [
  'phase_submitted',
  'clarification_requested',
  'clarification_answered',
  'budget_consumed',
  'run_cancelled',
];

const count = (path: readonly Frame[], word: string): number =>
  path.filter(({ label, moved }) => moved === null && label.startsWith(word)).length;

const end = (path: readonly Frame[]): Frame => {
  const last = path.at(-1);
  if (!last) throw new Error('A path has at least one step.');
  return last;
};

const completed = (snapshot: RunSnapshot): boolean => snapshot.matches({ terminal: 'completed' });
const cancelled = (snapshot: RunSnapshot): boolean => snapshot.matches({ terminal: 'cancelled' });

const first = <T>(
  items: readonly T[],
  wrong: (item: T, at: number) => boolean,
  say: (item: T) => string,
): string | null => {
  const found = items.find(wrong);
  return found === undefined ? null : say(found);
};

const where = ({ label, before }: Frame): string => `${label} in ${JSON.stringify(before.value)}`;

type PreAudit = 'contract' | 'review' | 'plan' | 'execute';

const preAudit = <S extends PreAudit>(state: S): { working: S } => ({ working: state });

export const pathInvariants: Readonly<Record<string, PathInvariant>> = {
  I1: {
    text: 'every accepted versioned event raises the version by exactly one',
    broken: (path) => first(path, ({ before, after }) => after.context.version !== before.context.version + 1, where),
  },
  I8: {
    text: 'at most one clarification is shown in a run',
    broken: (path) => {
      const shown = path.filter(({ after }) => after.matches('clarification'));
      return shown.length > 1 ? shown.map(where).join(', ') : null;
    },
  },
  I9: {
    text: 'a resumed run stands where it paused, with the same budgets, hint and topology',
    broken: (path) =>
      first(
        path,
        ({ label, after }, at) => {
          if (label !== 'ANSWER resume') return false;
          const paused = path[at - 1]?.before;
          const same = (of: RunSnapshot): string =>
            JSON.stringify([of.value, of.context.budgets, of.context.hint, of.context.topology, of.context.phase]);
          return !paused || same(paused) !== same(after);
        },
        where,
      ),
  },
  I10: {
    text: 'a second question leads to a report with the hint blocked, and from there only to blocked or cancelled',
    broken: (path) => {
      const at = path.findIndex(({ label }) => label === 'ClarificationRequest further');
      const frame = path[at];
      if (!frame) return null;
      const { after } = frame;
      const routed = after.matches('report') && after.context.hint === 'blocked';
      const ended = end(path).after;
      return routed && (ended.matches({ terminal: 'blocked' }) || cancelled(ended)) ? null : where(frame);
    },
  },
  I16: {
    text: 'budgets are never negative and never grow; one prompt revision, one remediation at most',
    broken: (path) => {
      const wrong = first(
        path,
        ({ before, after }) =>
          (['revisions', 'remediations'] as const).some(
            (budget) =>
              after.context.budgets[budget] < 0 || after.context.budgets[budget] > before.context.budgets[budget],
          ),
        where,
      );
      const revisions = path.filter(
        ({ after, label }) => label === 'PromptReview revise' && after.matches(preAudit('contract')),
      );
      const remediations = path.filter(
        ({ after, label }) => label.endsWith('remediate') && after.matches(preAudit('plan')),
      );
      if (revisions.length > 1 || remediations.length > 1) return 'a budget was spent twice';
      return wrong;
    },
  },
  I17: {
    text: 'at most two escalations, each with its event, and the topology never falls',
    broken: (path) => {
      const events = path.flatMap(({ record }) => record.trace).filter(({ event }) => event === 'topology_escalated');
      const { escalations } = end(path).after.context;
      if (escalations > 2 || escalations !== events.length)
        return `${escalations} escalations, ${events.length} events`;
      return first(
        path,
        ({ before, after }) => topologies.indexOf(after.context.topology) < topologies.indexOf(before.context.topology),
        where,
      );
    },
  },
  I18: {
    text: 'a run is completed only over a passing review and, outside micro, a release of it',
    broken: (path) => {
      const { before, after } = end(path);
      if (!completed(after)) return null;
      const { quality, audit, topology, hint } = before.context;
      const reviewed = quality === 'pass' && (hint === null || hint === 'completed');
      return reviewed && (topology === 'micro' || audit === 'release') ? null : `${quality}, ${audit}, hint ${hint}`;
    },
  },
  I19: {
    text: 'a run whose latest quality verdict is block never ends completed',
    broken: (path) => (completed(end(path).after) && end(path).after.context.quality === 'block' ? 'completed' : null),
  },
  I20: {
    text: 'a report under the hint partial or blocked never ends completed',
    broken: (path) => {
      const { before, after } = end(path);
      return completed(after) && (before.context.hint === 'partial' || before.context.hint === 'blocked')
        ? 'completed'
        : null;
    },
  },
  I21: {
    text: 'report_only and plan_only never enter execute',
    broken: (path) =>
      first(
        path,
        ({ after }) => ['report_only', 'plan_only'].includes(after.context.mode) && after.matches(preAudit('execute')),
        where,
      ),
  },
  I22: {
    text: 'analyze_and_fix goes through one proceed_to_fix and its plan before a passing review reaches the audit',
    broken: (path) => {
      if (end(path).after.context.mode !== 'analyze_and_fix') return null;
      if (count(path, 'QualityReview proceed_to_fix') > 1) return 'proceed_to_fix twice';
      return first(
        path,
        ({ after }) => after.matches('audit') && after.context.quality === 'pass' && after.context.gate !== 'unlocked',
        where,
      );
    },
  },
  I23: {
    text: 'micro never enters contract, review, plan or audit; only forensic reverifies',
    broken: (path) =>
      first(
        path,
        ({ after }) =>
          (after.context.topology === 'micro' &&
            (after.matches('audit') ||
              (['contract', 'review', 'plan'] as const).some((state) => after.matches(preAudit(state))))) ||
          (after.context.topology !== 'forensic' && after.matches({ working: { quality: 'reverify' } })),
        where,
      ),
  },
  I24: {
    text: 'a forensic run that reaches the audit without escalating there was reverified after its last review',
    broken: (path) => {
      const escalated = path.some(({ moved }) => moved === 'STANDARD_USER_REPORTED_CLAIMS');
      if (escalated) return null;
      return first(
        path,
        ({ before, after }, at) => {
          if (!after.matches('audit') || before.matches('audit') || after.context.topology !== 'forensic') return false;
          const reviews = path.slice(0, at + 1).filter(({ label }) => label.startsWith('QualityReview'));
          return !reviews.at(-1)?.label.startsWith('QualityReview reverify');
        },
        (frame) => (frame.before.matches('clarification') ? 'resumed into the audit' : where(frame)),
      );
    },
  },
  I31: {
    text: 'each versioned event writes exactly one main event into the trace',
    broken: (path) =>
      first(
        path,
        ({ record, moved }) => {
          const mains = record.trace.filter(({ event }) => mainEvents.includes(event)).length;
          return mains !== (moved === null ? 1 : 0);
        },
        where,
      ),
  },
  I35: {
    text: 'a run ends by one report, one cancel or one answer; a cancelled run holds no report',
    broken: (path) => {
      const reports = count(path, 'UserReport');
      return reports === (cancelled(end(path).after) ? 0 : 1) ? null : `${reports} reports`;
    },
  },
  I36: {
    text: 'a run holds at most 1 frame, 2 contracts, 2 prompt reviews, 3 plans, 5 quality reviews, 2 audits, 2 questions',
    broken: (path) => {
      const packed = path.some(
        ({ label, before, after }) =>
          label === 'ProblemFrame' && before.context.topology === 'micro' && after.context.contractVersion === 1,
      )
        ? 1
        : 0;
      const found = [
        count(path, 'ProblemFrame'),
        count(path, 'TaskContract') + packed,
        count(path, 'PromptReview'),
        count(path, 'WorkPlan') + packed,
        count(path, 'QualityReview'),
        count(path, 'ReleaseAudit'),
        count(path, 'ClarificationRequest'),
      ];
      const most = [1, 2, 2, 3, 5, 2, 2];
      return found.some((number, at) => number > (most[at] ?? 0)) ? found.join(', ') : null;
    },
  },
};
