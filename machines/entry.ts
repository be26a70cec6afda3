import type { LogicalRole } from '../schemas/vocabulary.ts';
import type { RunContext } from './context.ts';
import type { LedgerEvent, TraceEntry } from './events.ts';
import { shorten } from './sentence.ts';

/**
 * One entry of the trace; the summary is cut to the 800 characters that the ledger takes (admission COM-16).
 * @param run the run before the event leaves its phase
 */
export const entry = (
  run: Pick<RunContext, 'phase'>,
  event: LedgerEvent,
  actor: LogicalRole,
  summary: string,
  refs: Readonly<{ in?: readonly string[]; out?: readonly string[] }> = {},
): TraceEntry => ({
  event,
  actor,
  phase: run.phase,
  inputRefs: refs.in ?? [],
  outputRefs: refs.out ?? [],
  summary: shorten(summary),
});
