import type { RunEvent, RunPhase } from '../../../schemas/wire/answers.ts';
import type { NewEvent } from '../events/log.ts';
import type { InvocationRow } from './rows.ts';

const ends: Partial<Record<InvocationRow['state'], RunPhase>> = {
  succeeded: 'succeeded',
  failed: 'failed',
  refused: 'failed',
  expired: 'failed',
  cancelled: 'cancelled',
};

/** How a watcher is told that an invocation came to this state; null while it goes on (D-43). */
export const endPhase = (state: InvocationRow['state']): RunPhase | null => ends[state] ?? null;

/** The row of the log that tells an invocation's connection of its start or end. */
export const runEvent = (row: InvocationRow, phase: RunPhase, time_ms: number): NewEvent => ({
  workspace: row.workspace,
  connection: row.connection,
  kind: 'run',
  ref: null,
  body: (): RunEvent => ({
    kind: 'run',
    phase,
    invocation_id: row.id,
    path: row.path,
    ...(row.run_title !== null && { run: row.run_title }),
    ...(row.run_id !== null && { run_id: row.run_id }),
    time_ms,
  }),
  time_ms,
});

/** The row of the log from which the person's page learns that something became of an ask. */
export const askEvent = (workspace: string, ask: string, time_ms: number): NewEvent => ({
  workspace,
  connection: null,
  kind: 'ask',
  ref: null,
  body: () => ({ ask }),
  time_ms,
});
