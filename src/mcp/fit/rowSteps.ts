import { isJsonObject } from '../../../schemas/jsonObject.ts';
import type { Answer } from '../present.ts';
import { argument, type Cut, type Omitted, type Room, type Step } from './cut.ts';
import { dropping } from './rows.ts';

/** Rows of a page that names no limit, and what tells the caller where the next page begins. */
interface Rows {
  readonly key: 'artifacts' | 'runs' | 'events';
  readonly go: (room: Room, answer: Answer, kept: readonly unknown[]) => Readonly<{ more: object; omitted: Omitted[] }>;
}

const tables: readonly Rows[] = [
  {
    key: 'artifacts',
    go: (room, _answer, kept) => {
      const after = Number(argument(room, 'after_index') ?? 0);
      return { more: { nextAfterIndex: after + kept.length }, omitted: [] };
    },
  },
  {
    key: 'runs',
    // Only whoever made the list knows its cursors: the same page is asked for by its limit, and comes whole.
    go: (room, { runs }) => {
      const cursor = argument(room, 'cursor');
      const page = { ...(cursor !== undefined && { cursor }), limit: Array.isArray(runs) ? runs.length : 1 };
      return { more: {}, omitted: [{ part: 'runs', fetch: { tool: 'telic_list_runs', arguments: page } }] };
    },
  },
  {
    key: 'events',
    go: (_room, _answer, kept) => {
      const last = kept.at(-1);
      return { more: { hasMore: true, nextAfterSequence: isJsonObject(last) ? last.sequence : null }, omitted: [] };
    },
  },
];

const shorten =
  ({ key, go }: Rows, least: number): Step =>
  (answer, room): Cut | null => {
    const rows = answer[key];
    if (!room.budget.known || !Array.isArray(rows) || argument(room, 'limit') !== undefined) return null;
    const kept = dropping(rows, room.excess, least);
    if (kept.length >= rows.length) return null;
    const { more, omitted } = go(room, answer, kept);
    // A cursor that stands behind the rows that go would skip them.
    const { nextCursor: _, ...shown } = answer;
    return { answer: { ...shown, [key]: kept, ...more }, omitted };
  };

/** A replay pages its steps and highlights together: the report says of both where the next page begins. */
const replay =
  (least: number): Step =>
  (answer, room): Cut | null => {
    const { report } = answer;
    if (!room.budget.known || !isJsonObject(report) || argument(room, 'limit') !== undefined) return null;
    const { steps, traceHighlights } = report;
    if (!Array.isArray(steps) || !Array.isArray(traceHighlights)) return null;
    // Row by row, both lists: whichever is longer decides how far the page goes.
    const length = Math.max(steps.length, traceHighlights.length);
    const rows = Array.from({ length }, (_, at) => [steps[at] ?? null, traceHighlights[at] ?? null]);
    const kept = dropping(rows, room.excess, least).length;
    if (kept >= length) return null;
    const after = Number(argument(room, 'after_index') ?? 0);
    const counts = { stepCount: after + steps.length, highlightCount: after + traceHighlights.length };
    const page = {
      ...report,
      steps: steps.slice(0, kept),
      traceHighlights: traceHighlights.slice(0, kept),
      ...counts,
      // A count that the page had already is that of the whole report.
      ...(report.stepCount !== undefined && { stepCount: report.stepCount, highlightCount: report.highlightCount }),
      nextAfterIndex: after + kept,
    };
    return { answer: { ...answer, report: page }, omitted: [] };
  };

/** A page stays a page as long as something else can go. */
const fewRows = 10;

export const rowSteps: readonly Step[] = [...tables.map((table) => shorten(table, fewRows)), replay(fewRows)];

/** One row is always shown, or a reader would never get on. */
export const fewestRows: readonly Step[] = [...tables.map((table) => shorten(table, 1)), replay(1)];
