import type { StoredEvent } from './log.ts';
import { type EventStatements, storedEvent } from './rows.ts';

/** How many of the newest events are kept in memory: what the watches of a busy second read. */
const most = 1000;

/** The newest rows of the log, read once for all who watch. */
export interface Tail {
  /** What stands after a sequence number; null when that is further back than the tail reaches. Not inside a transaction. */
  after(seq: number, limit: number): readonly StoredEvent[] | null;
}

export const createTail = (sql: EventStatements): Tail => {
  let kept: readonly StoredEvent[] = [];
  /** Every row after this one is in `kept`, up to the last that was read. */
  let from = sql.last.get() ?? 0;

  const read = (): void => {
    const rows = sql.after.all(kept.at(-1)?.seq ?? from, most);
    if (rows.length === 0) return;
    const all = [...kept, ...rows.map(storedEvent)];
    kept = all.slice(-most);
    const dropped = all[all.length - kept.length - 1];
    if (dropped !== undefined) from = dropped.seq;
  };

  return {
    after: (seq, limit) => {
      read();
      if (seq < from) return null;
      // Numbers have no gaps, but what was trimmed may be missing at the start.
      const first = kept.findIndex((event) => event.seq > seq);
      return first < 0 ? [] : kept.slice(first, first + limit);
    },
  };
};
