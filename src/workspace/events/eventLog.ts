import type { Clock } from '../sources.ts';
import type { Store } from '../store/store.ts';
import type { EventLog, StoredEvent } from './log.ts';
import { type EventRow, eventStatements, storedEvent } from './rows.ts';

/** How often a waiting reader looks by itself, should a wake have been missed (workspace-wire 4.7). */
const tickMilliseconds = 500;
/** What is kept: events of this age, or this many, whichever are more. */
const keptMilliseconds = 14 * 24 * 3_600_000;
const keptRows = 200_000;

/**
 * The log of a host, in its database. This process alone writes it, so that what a reader sees is always a prefix of
 * what will have happened (workspace-wire 4.7).
 *
 * @param keep how much is kept at least; as the page says when absent
 */
export const createEventLog = (
  { store, clock }: Readonly<{ store: Store; clock: Clock }>,
  keep: Readonly<{ milliseconds: number; rows: number }> = { milliseconds: keptMilliseconds, rows: keptRows },
): EventLog => {
  const sql = eventStatements(store.db);
  const waiting = new Set<() => void>();

  // Asked of the database each time: a transaction that is rolled back takes its numbers with it.
  const last = (): number => sql.last.get() ?? 0;

  return {
    append: ({ workspace, connection, kind, ref, body, time_ms }) => {
      const seq = last() + 1;
      sql.insert.run({ seq, workspace, connection, kind, ref, body: JSON.stringify(body(seq)), time_ms });
      return seq;
    },
    wake: () => {
      for (const look of [...waiting]) look();
    },
    last,
    oldest: () => (sql.first.get() ?? 1) - 1,
    after: (seq, limit): readonly StoredEvent[] => sql.after.all(seq, limit).map((row: EventRow) => storedEvent(row)),
    wait: (seq, milliseconds, signal) =>
      new Promise((resolve, reject) => {
        if (signal.aborted || milliseconds <= 0 || last() > seq) {
          resolve();
          return;
        }
        const end = (): void => {
          clearTimeout(timer);
          clearInterval(ticker);
          waiting.delete(look);
          signal.removeEventListener('abort', end);
          resolve();
        };
        const look = (): void => {
          try {
            if (last() > seq) end();
          } catch (error) {
            // The database is gone: whoever waits hears it, and no timer asks again.
            reject(error);
            end();
          }
        };
        const timer = setTimeout(end, milliseconds);
        const ticker = setInterval(look, tickMilliseconds);
        timer.unref();
        ticker.unref();
        waiting.add(look);
        signal.addEventListener('abort', end, { once: true });
      }),
    trim: () => {
      const newest = last() - keep.rows;
      if (newest > 0) sql.trim.run({ seq: newest, time: clock.now() - keep.milliseconds });
    },
  };
};
