import { describe, expect, it } from 'vitest';
import { createEventLog } from '../../../src/workspace/events/eventLog.ts';
import type { NewEvent } from '../../../src/workspace/events/log.ts';
import { openBench } from '../history/bench.ts';

const event = (what: string): NewEvent => ({
  workspace: 'home',
  connection: null,
  kind: 'ask',
  ref: null,
  body: (seq) => ({ what, seq }),
  time_ms: 7,
});

const never = (): AbortSignal => new AbortController().signal;

describe('the event log', () => {
  it('numbers rows without gaps; what is rolled back was never there', () => {
    const { events, store } = openBench();
    expect([events.last(), events.oldest()]).toEqual([0, 0]);
    expect(store.transaction(() => [events.append(event('a')), events.append(event('b'))])).toEqual([1, 2]);
    expect(() =>
      store.transaction(() => {
        events.append(event('lost'));
        throw new Error('back');
      }),
    ).toThrow('back');
    expect(events.last()).toBe(2);
    expect(store.transaction(() => events.append(event('c')))).toBe(3);
    expect(events.after(1, 1)).toEqual([
      { seq: 2, workspace: 'home', connection: null, kind: 'ask', ref: null, body: { what: 'b', seq: 2 }, time_ms: 7 },
    ]);
    expect(events.after(1, 9).map(({ body }) => body.what)).toEqual(['b', 'c']);
    const later = openBench({ directory: store.directory });
    expect(later.events.last()).toBe(3);
  });

  it('wakes whoever waits for something newer, and nobody for something older', async () => {
    const { events, store } = openBench();
    store.transaction(() => events.append(event('a')));
    await events.wait(0, 60_000, never());
    let woken = false;
    const waiting = events.wait(1, 60_000, never()).then(() => {
      woken = true;
    });
    events.wake();
    await Promise.resolve();
    expect(woken).toBe(false);
    store.transaction(() => events.append(event('b')));
    events.wake();
    await waiting;
    expect(woken).toBe(true);
  });

  it('looks by itself where a wake was missed, and ends when time is up or the signal aborts', async () => {
    const { events, store } = openBench();
    const waiting = events.wait(0, 60_000, never());
    store.transaction(() => events.append(event('a')));
    await waiting;
    await events.wait(1, 5, never());
    await events.wait(1, 0, never());
    await events.wait(1, 60_000, AbortSignal.abort());
    const giveUp = new AbortController();
    const given = events.wait(1, 60_000, giveUp.signal);
    giveUp.abort();
    await given;
    expect(events.last()).toBe(1);
  });

  it('tells who waits that the database is gone, instead of asking it for ever', async () => {
    const { events, store } = openBench();
    const waiting = events.wait(0, 60_000, never());
    store.close();
    events.wake();
    await expect(waiting).rejects.toThrow('not open');
  });

  it('keeps what is young or among the newest, and no less', () => {
    let now = 0;
    const bench = openBench();
    const log = createEventLog({ store: bench.store, clock: { now: () => now } }, { milliseconds: 10, rows: 3 });
    for (const time_ms of [1, 2, 30, 3, 31, 32, 33, 34]) log.append({ ...event('x'), time_ms });
    now = 13;
    log.trim();
    // Older than ten are the first, the second and the fourth, which stands behind a young one.
    expect(log.oldest()).toBe(2);
    now = 40;
    log.trim();
    // Exactly ten old is young.
    expect(log.oldest()).toBe(2);
    now = 41;
    log.trim();
    expect(log.oldest()).toBe(4);
    now = 100;
    log.trim();
    expect(log.after(0, 10).map(({ seq }) => seq)).toEqual([6, 7, 8]);
    expect([log.oldest(), log.last()]).toEqual([5, 8]);
  });
});
