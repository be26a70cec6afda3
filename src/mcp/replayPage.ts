import type { ReplayReport } from '../controller/api.ts';

/** A part of a report; the counts and the cursor are there when more follow. */
export type ReplayPage = ReplayReport &
  Readonly<{ stepCount?: number; highlightCount?: number; nextAfterIndex?: number }>;

/**
 * The steps and highlights of a report from a position on: a run of 2,048 artifacts would otherwise fill a host's window
 * (guidance section 7). What the report says of the run as a whole stands on every page.
 */
export const replayPage = (report: ReplayReport, after: number, limit: number): ReplayPage => {
  const { steps, traceHighlights } = report;
  const end = after + limit;
  return {
    ...report,
    steps: steps.slice(after, end),
    traceHighlights: traceHighlights.slice(after, end),
    ...(Math.max(steps.length, traceHighlights.length) > end && {
      stepCount: steps.length,
      highlightCount: traceHighlights.length,
      nextAfterIndex: end,
    }),
  };
};
