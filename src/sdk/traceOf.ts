import { Refused, type TraceLine, TracePage } from './answers.ts';
import type { CallTool } from './connectStdio.ts';
import { RefusedError } from './refusedError.ts';

/** The largest page that `telic_get_trace` gives. */
const page = 500;

/**
 * The whole trace of a run, in order.
 *
 * @throws RefusedError
 */
export const traceOf = async (call: CallTool, runId: string): Promise<readonly TraceLine[]> => {
  const lines: TraceLine[] = [];
  for (;;) {
    const args = { run_id: runId, after_sequence: lines.at(-1)?.sequence ?? 0, limit: page };
    const answer = await call('telic_get_trace', args);
    if (answer.ok !== true) throw new RefusedError('telic_get_trace', Refused.parse(answer));
    const { events, hasMore } = TracePage.parse(answer);
    lines.push(...events);
    if (!hasMore || events.length === 0) return lines;
  }
};
