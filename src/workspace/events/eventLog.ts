import type { Clock } from '../sources.ts';
import type { Store } from '../store/store.ts';
import type { EventLog, StoredEvent } from './log.ts';
import { eventStatements, storedEvent } from './rows.ts';
import { createTail } from './tail.ts';

/** How often a waiting reader looks by itself, should a wake have been missed (workspace-wire 4.7). */
const tickMilliseconds = 500;
/** What is kept: events of this age, or this many, whichever are more. */
const keptMilliseconds = 14 * 24 * 3_600_000;
const keptRows = 200_000;

/** Somebody who waits for a newer row. */
interface Waiter {
  hear(newest: number): void;
  fail(error: unknown): void;
}

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
  const waiting = new Set<Waiter>();
  const tail = createTail(sql);
  let woken = false;
  let ticker: NodeJS.Timeout | null = null;

  // Asked of the database each time: a transaction that is rolled back takes its numbers with it.
  const last = (): number => sql.last.get() ?? 0;

  /** Everyone who waits looks, with one question to the database for all of them. */
  const look = (): void => {
    woken = false;
    try {
      const newest = last();
      for (const one of [...waiting]) one.hear(newest);
    } catch (error) {
      // The database is gone: whoever waits hears it, and no timer asks again.
      for (const one of [...waiting]) one.fail(error);
    }
  };

  /** One clock for all who wait, and none for nobody. */
  const tick = (): void => {
    if (waiting.size > 0 && ticker === null) {
      ticker = setInterval(look, tickMilliseconds);
      ticker.unref();
    } else if (waiting.size === 0 && ticker !== null) {
      clearInterval(ticker);
      ticker = null;
    }
  };

  return {
    append: ({ workspace, connection, kind, ref, body, time_ms }) => {
      const seq = last() + 1;
      sql.insert.run({ seq, workspace, connection, kind, ref, body: JSON.stringify(body(seq)), time_ms });
      return seq;
    },
    // Commits that follow each other at once are looked at together.
    wake: () => {
      if (woken || waiting.size === 0) return;
      woken = true;
      setImmediate(look);
    },
    last,
    oldest: () => (sql.first.get() ?? 1) - 1,
    after: (seq, limit): readonly StoredEvent[] =>
      // Inside a transaction the newest rows may still go away.
      (store.db.inTransaction ? null : tail.after(seq, limit)) ?? sql.after.all(seq, limit).map(storedEvent),
    wait: (seq, milliseconds, signal) =>
      new Promise((resolve, reject) => {
        if (signal.aborted || milliseconds <= 0 || last() > seq) {
          resolve();
          return;
        }
        const end = (): void => {
          clearTimeout(timer);
          waiting.delete(waiter);
          tick();
          signal.removeEventListener('abort', end);
          resolve();
        };
        const waiter: Waiter = {
          hear: (newest) => {
            if (newest > seq) end();
          },
          fail: (error) => {
            reject(error);
            end();
          },
        };
        const timer = setTimeout(end, milliseconds);
        timer.unref();
        waiting.add(waiter);
        tick();
        signal.addEventListener('abort', end, { once: true });
      }),
    trim: () => {
      const newest = last() - keep.rows;
      if (newest > 0) sql.trim.run({ seq: newest, time: clock.now() - keep.milliseconds });
    },
  };
};
